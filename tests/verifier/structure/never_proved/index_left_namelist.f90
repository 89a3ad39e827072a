subroutine s(n, a)
  integer :: n, i, j
  real :: a(3, 3)
  namelist /g/ j
j = 7
do j = 1, 3
do i = 1, n
a(i, j) = 0
end do
end do
write(*, nml=g)
end subroutine s
! port
subroutine s(n, a)
  integer :: n, i, j
  real :: a(3, 3)
  namelist /g/ j
j = 7
do i = 1, n
do j = 1, 3
a(i, j) = 0
end do
end do
write(*, nml=g)
end subroutine s
