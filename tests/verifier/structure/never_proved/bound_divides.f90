subroutine s(n, a)
  integer :: n, i, j
  real :: a(3, 3)
do j = 1, n
do i = 1, 3/n
a(i, j) = 0
end do
end do
end subroutine s
! port
subroutine s(n, a)
  integer :: n, i, j
  real :: a(3, 3)
do i = 1, 3/n
do j = 1, n
a(i, j) = 0
end do
end do
end subroutine s
