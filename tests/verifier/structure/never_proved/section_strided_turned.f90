subroutine s(n, m, a, w, l)
  implicit none
  integer, intent(in) :: n, m, l
  real, intent(inout) :: a(0:9, 0:9), w(0:9)
  integer :: i, j, k
  real :: t
do j = 1, m
do i = 2, 7
a(i-2:i+2:2,j) = a(i-1,j-1)*1.5+i+j+a(i,j-1)
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
do i = 2, 7
do j = 1, m
a(i-2:i+2:2,j) = a(i-1,j-1)*1.5+i+j+a(i,j-1)
end do
end do
end subroutine s
