subroutine s(n, m, a, w, v, idx, l)
  implicit none
  integer, intent(in) :: n, m, l
  real, intent(inout) :: a(0:9, 0:9), w(0:9), v(0:9)
  integer, intent(inout) :: idx(0:9)
  integer :: i, j, k
  real :: t
integer :: m0
m0 = l-2
w(1)=3
end subroutine s
! port
subroutine s(n, m, a, w, v, idx, l)
  implicit none
  integer, intent(in) :: n, m, l
  real, intent(inout) :: a(0:9, 0:9), w(0:9), v(0:9)
  integer, intent(inout) :: idx(0:9)
  integer :: i, j, k
  real :: t
integer :: m0
m0 = l-2
k=mod(l,m0)
w(1)=3
end subroutine s
