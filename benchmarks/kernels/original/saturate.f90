! A branch at every point.
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
        if (a(i, k) > 0.6_wp) then
          c(i, k) = 0.6_wp + 0.1_wp*(a(i, k) - 0.6_wp)
        else if (a(i, k) < 0.2_wp) then
          c(i, k) = 0.2_wp
        else
          c(i, k) = a(i, k)
        end if
      end do
    end do
  end subroutine run
end module kernel
