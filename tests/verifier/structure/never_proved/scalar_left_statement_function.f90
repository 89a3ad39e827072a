subroutine s(n, a)
  integer :: n, i, j
  real :: a(3, 3), f, x, t
  f(x) = x + t
t = 0
do j = 1, 3
do i = 1, n
if (a(i, j) < 0.0) then
t = j
a(i, j) = t
end if
end do
end do
a(1, 1) = f(0.0)
end subroutine s
! port
subroutine s(n, a)
  integer :: n, i, j
  real :: a(3, 3), f, x, t
  f(x) = x + t
t = 0
do i = 1, n
do j = 1, 3
if (a(i, j) < 0.0) then
t = j
a(i, j) = t
end if
end do
end do
a(1, 1) = f(0.0)
end subroutine s
