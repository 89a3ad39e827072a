subroutine s(a)
  integer :: i, j
  real :: a(0:3, 0:3)
do j = 1, 3
do i = 1, 3
a(i-1:i, j) = a(i, j-1) + j
end do
end do
end subroutine s
! port
subroutine s(a)
  integer :: i, j
  real :: a(0:3, 0:3)
do i = 1, 3
do j = 1, 3
a(i-1:i, j) = a(i, j-1) + j
end do
end do
end subroutine s
