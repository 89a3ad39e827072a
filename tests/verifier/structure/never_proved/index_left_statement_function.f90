subroutine s(n, a)
  integer :: n, i, j
  real :: a(3, 3), f, x
  f(x) = x + j
j = 7
do j = 1, 3
do i = 1, n
a(i, j) = 0
end do
end do
a(1, 1) = f(0.0)
end subroutine s
! port
subroutine s(n, a)
  integer :: n, i, j
  real :: a(3, 3), f, x
  f(x) = x + j
j = 7
do i = 1, n
do j = 1, 3
a(i, j) = 0
end do
end do
a(1, 1) = f(0.0)
end subroutine s
