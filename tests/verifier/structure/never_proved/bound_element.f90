subroutine s(n, m, a, w, l)
  implicit none
  integer, intent(in) :: n, m, l
  real, intent(inout) :: a(0:9, 0:9), w(0:9)
  integer :: i, j, k
  real :: t
  integer, allocatable :: q(:)
if (l > 2) then
allocate(q(3))
q=2
end if
do j = 1, l-2
do i = 1, q(1)
a(i,j) = 0
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
  integer, allocatable :: q(:)
if (l > 2) then
allocate(q(3))
q=2
end if
do i = 1, q(1)
do j = 1, l-2
a(i,j) = 0
end do
end do
end subroutine s
