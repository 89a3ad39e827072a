! The largest value of all.
module kernel
  implicit none
  integer, parameter :: wp = kind(1.0d0)
contains
  subroutine run(nx, nz, a, b, c, s)
    integer, intent(in) :: nx, nz
    real(wp), intent(inout) :: a(nx, nz), c(nx, nz), s(4)
    real(wp), intent(in) :: b(nx, nz)
    integer :: i, k
    real(wp) :: top

    top = a(1, 1)
    do k = 1, nz
      do i = 1, nx
        top = max(top, a(i, k)*b(i, k))
      end do
    end do
    s(1) = top
  end subroutine run
end module kernel
