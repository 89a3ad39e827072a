! A ratio of slopes, where there is a slope.
module kernel
  implicit none
  integer, parameter :: wp = kind(1.0d0)
contains
  subroutine run(nx, nz, a, b, c, s)
    integer, intent(in) :: nx, nz
    real(wp), intent(inout) :: a(nx, nz), c(nx, nz), s(4)
    real(wp), intent(in) :: b(nx, nz)
    integer :: i, k
    real(wp) :: slope, ratio

    !$acc parallel loop gang vector collapse(2) copyin(a, b) copy(c) private(i, k, slope, ratio)
    do k = 1, nz
      do i = 2, nx - 1
        slope = a(i + 1, k) - a(i, k)
        ratio = (a(i, k) - a(i - 1, k))/slope
        c(i, k) = max(0.0_wp, min(1.0_wp, ratio))*b(i, k)
      end do
    end do
  end subroutine run
end module kernel
