! Weights that fall off exponentially below the largest value of a column.
module kernel
  implicit none
  integer, parameter :: wp = kind(1.0d0)
contains
  subroutine run(nx, nz, a, b, c, s)
    integer, intent(in) :: nx, nz
    real(wp), intent(inout) :: a(nx, nz), c(nx, nz), s(4)
    real(wp), intent(in) :: b(nx, nz)
    integer :: i, k
    real(wp) :: top, total

    do i = 1, nx
      top = a(i, 1)
      do k = 2, nz
        top = max(top, a(i, k))
      end do
      total = 0.0_wp
      do k = 1, nz
        c(i, k) = exp(a(i, k) - top)
        total = total + c(i, k)
      end do
      do k = 1, nz
        c(i, k) = c(i, k)/total
      end do
    end do
  end subroutine run
end module kernel
