subroutine s(n, m, a, w, l)
  implicit none
  integer, intent(in) :: n, m, l
  real, intent(inout) :: a(0:9, 0:9), w(0:9)
  integer :: i, j, k
  real :: t
do j = 1, n
do i = 1, mod(m,l)
a(i,j) = 0
end do
end do
end subroutine s
! port
subroutine s(n, m, a, w, l)
  implicit none
  integer, intent(in) :: n, m, l
  real, intent(inout) :: a(0:9, 0:9), w(0:9)
  integer :: i, j, k
  real :: t
do i = 1, mod(m,l)
do j = 1, n
a(i,j) = 0
end do
end do
end subroutine s
