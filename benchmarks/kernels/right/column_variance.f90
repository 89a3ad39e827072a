! Variance of every column, in two passes.
module kernel
  implicit none
  integer, parameter :: wp = kind(1.0d0)
contains
  subroutine run(nx, nz, a, b, c, s)
    integer, intent(in) :: nx, nz
    real(wp), intent(inout) :: a(nx, nz), c(nx, nz), s(4)
    real(wp), intent(in) :: b(nx, nz)
    integer :: i, k
    real(wp) :: mean, square

    !$acc parallel loop gang vector copyin(a) copy(c) private(i, k, mean, square)
    do i = 1, nx
      mean = 0.0_wp
      !$acc loop seq
      do k = 1, nz
        mean = mean + a(i, k)
      end do
      mean = mean/real(nz, wp)
      square = 0.0_wp
      !$acc loop seq
      do k = 1, nz
        square = square + (a(i, k) - mean)**2
      end do
      c(i, 1) = square/real(nz, wp)
    end do
  end subroutine run
end module kernel
