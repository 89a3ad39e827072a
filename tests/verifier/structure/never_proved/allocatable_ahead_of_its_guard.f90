subroutine s(n, m, a, w, v, idx, l)
  implicit none
  integer, intent(in) :: n, m, l
  real, intent(inout) :: a(0:9, 0:9), w(0:9), v(0:9)
  integer, intent(inout) :: idx(0:9)
  integer :: i, j, k
  real :: t
real, allocatable :: al
if (allocated(al)) w(1)=al
end subroutine s
! port
subroutine s(n, m, a, w, v, idx, l)
  implicit none
  integer, intent(in) :: n, m, l
  real, intent(inout) :: a(0:9, 0:9), w(0:9), v(0:9)
  integer, intent(inout) :: idx(0:9)
  integer :: i, j, k
  real :: t
real, allocatable :: al
t=al
if (allocated(al)) w(1)=t
end subroutine s
