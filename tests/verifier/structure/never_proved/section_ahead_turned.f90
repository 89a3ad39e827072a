subroutine s(n, m, a, w, l)
  implicit none
  integer, intent(in) :: n, m, l
  real, intent(inout) :: a(0:9, 0:9), w(0:9)
  integer :: i, j, k
  real :: t
do j = 1, m
do i = 1, 8
a(i:i+1,j) = a(i+1,j-1)*1.5+i+j
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
do i = 1, 8
do j = 1, m
a(i:i+1,j) = a(i+1,j-1)*1.5+i+j
end do
end do
end subroutine s
