! Negative values are filled from below, and what was added is counted.
module kernel
  implicit none
  integer, parameter :: wp = kind(1.0d0)
contains
  subroutine run(nx, nz, a, b, c, s)
    integer, intent(in) :: nx, nz
    real(wp), intent(inout) :: a(nx, nz), c(nx, nz), s(4)
    real(wp), intent(in) :: b(nx, nz)
    integer :: i, k
    real(wp) :: lack

    !$acc parallel loop gang vector copy(a, c) private(i, k, lack)
    do i = 1, nx
      !$acc loop seq
      do k = nz, 2, -1
        if (a(i, k) < 0.0_wp) then
          lack = -a(i, k)
          a(i, k) = 0.0_wp
          c(i, k) = c(i, k) + lack
        end if
      end do
    end do
  end subroutine run
end module kernel
