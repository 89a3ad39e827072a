! Five points, the edges left alone.
module kernel
  implicit none
  integer, parameter :: wp = kind(1.0d0)
contains
  subroutine run(nx, nz, a, b, c, s)
    integer, intent(in) :: nx, nz
    real(wp), intent(inout) :: a(nx, nz), c(nx, nz), s(4)
    real(wp), intent(in) :: b(nx, nz)
    integer :: i, k

    do k = 2, nz - 1
      do i = 2, nx - 1
        c(i, k) = a(i, k) + 0.1_wp*(a(i - 1, k) + a(i + 1, k) + a(i, k - 1) + a(i, k + 1) - 4.0_wp*a(i, k))
      end do
    end do
  end subroutine run
end module kernel
