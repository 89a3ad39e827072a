! The largest value of every column.
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

    do i = 1, nx
      top = a(i, 1)
      do k = 2, nz
        top = max(top, a(i, k))
      end do
      c(i, 1) = top
    end do
  end subroutine run
end module kernel
