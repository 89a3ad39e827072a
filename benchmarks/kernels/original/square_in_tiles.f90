! A product at every point; the port works in tiles of 32.
module kernel
  implicit none
  integer, parameter :: wp = kind(1.0d0)
contains
  subroutine run(nx, nz, a, b, c, s)
    integer, intent(in) :: nx, nz
    real(wp), intent(inout) :: a(nx, nz), c(nx, nz), s(4)
    real(wp), intent(in) :: b(nx, nz)
    integer :: i, k

    do k = 1, nz
      do i = 1, nx
        c(i, k) = a(i, k)*b(i, k)
      end do
    end do
  end subroutine run
end module kernel
