subroutine s(n, m, a, w, v, idx, l)
  implicit none
  integer, intent(in) :: n, m, l
  real, intent(inout) :: a(0:9, 0:9), w(0:9), v(0:9)
  integer, intent(inout) :: idx(0:9)
  integer :: i, j, k
  real :: t
integer :: m0
m0 = l+1000000000
if (m0<10) w(1)=v(m0)
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
m0 = l+1000000000
t=v(m0)
if (m0<10) w(1)=t
end subroutine s
