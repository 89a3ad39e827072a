subroutine s(n, m, a, b, c, w, flag, which, x4, nn)
  implicit none
  integer, intent(in) :: n, m, which
  integer, intent(inout) :: nn
  real(8), intent(inout) :: a(n, m), b(n, m), c(n, m), w(n)
  real(4), intent(inout) :: x4
  logical, intent(in) :: flag
  real(8) :: t, q, r
  real(4) :: t4
  real(8) :: col(100)
  real(8), external :: f
  integer :: i, j, k
! body
end subroutine s
