subroutine s(n, a)
  integer :: n, i
  real :: a(3, 3)
  integer, save :: k = 7
  a(1, 1) = k
do k = 1, 3
do i = 1, n
a(i, k) = 0
end do
end do
end subroutine s
! port
subroutine s(n, a)
  integer :: n, i
  real :: a(3, 3)
  integer, save :: k = 7
  a(1, 1) = k
do i = 1, n
do k = 1, 3
a(i, k) = 0
end do
end do
end subroutine s
