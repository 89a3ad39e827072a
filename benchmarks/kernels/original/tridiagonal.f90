! One system for every column.
module kernel
  implicit none
  integer, parameter :: wp = kind(1.0d0)
contains
  subroutine run(nx, nz, a, b, c, s)
    integer, intent(in) :: nx, nz
    real(wp), intent(inout) :: a(nx, nz), c(nx, nz), s(4)
    real(wp), intent(in) :: b(nx, nz)
    integer :: i, k
    real(wp) :: bet, d

    do i = 1, nx
      bet = 2.0_wp + b(i, 1)
      c(i, 1) = a(i, 1)/bet
      do k = 2, nz
        d = a(i, k)
        a(i, k) = -1.0_wp/bet
        bet = 2.0_wp + b(i, k) + a(i, k)
        c(i, k) = (d + c(i, k - 1))/bet
      end do
      do k = nz - 1, 1, -1
        c(i, k) = c(i, k) - a(i, k + 1)*c(i, k + 1)
      end do
    end do
  end subroutine run
end module kernel
