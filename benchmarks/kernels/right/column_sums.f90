! Running sums from the top.
module kernel
  implicit none
  integer, parameter :: wp = kind(1.0d0)
contains
  subroutine run(nx, nz, a, b, c, s)
    integer, intent(in) :: nx, nz
    real(wp), intent(inout) :: a(nx, nz), c(nx, nz), s(4)
    real(wp), intent(in) :: b(nx, nz)
    integer :: i, k
    real(wp) :: total

    !$acc parallel loop gang vector copyin(a, b) copy(c) private(i, k, total)
    do i = 1, nx
      total = 0.0_wp
      !$acc loop seq
      do k = nz, 1, -1
        total = total + a(i, k)*b(i, k)
        c(i, k) = total
      end do
    end do
  end subroutine run
end module kernel
