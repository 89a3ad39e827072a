subroutine s(n, m, a, w, l)
  implicit none
  integer, intent(in) :: n, m, l
  real, intent(inout) :: a(0:9, 0:9), w(0:9)
  integer :: i, j, k
  real :: t
do j = 1, m
do i = 1, n
a(i-1:i,j) = a(i,j-1)+j
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
do i = 1, n
do j = 1, m
a(i-1:i,j) = a(i,j-1)+j
end do
end do
end subroutine s
