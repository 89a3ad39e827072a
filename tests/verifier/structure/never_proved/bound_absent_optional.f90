module z
contains
subroutine s(n, a, nn, flag)
  implicit none
  integer, intent(in) :: n
  real, intent(inout) :: a(0:9, 0:9)
  integer, optional, intent(in) :: nn, flag
  integer :: i, j, m
  logical :: keep
  m = 0
  if (present(nn)) m = 3
do j = 1, m
do i = 1, nn
a(i,j) = a(i,j)+1
end do
end do
end subroutine s
end module
! port
module z
contains
subroutine s(n, a, nn, flag)
  implicit none
  integer, intent(in) :: n
  real, intent(inout) :: a(0:9, 0:9)
  integer, optional, intent(in) :: nn, flag
  integer :: i, j, m
  logical :: keep
  m = 0
  if (present(nn)) m = 3
do i = 1, nn
do j = 1, m
a(i,j) = a(i,j)+1
end do
end do
end subroutine s
end module
