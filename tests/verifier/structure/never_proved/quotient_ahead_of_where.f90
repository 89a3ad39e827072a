subroutine s(n, m, a, w, v, idx, l)
  implicit none
  integer, intent(in) :: n, m, l
  real, intent(inout) :: a(0:9, 0:9), w(0:9), v(0:9)
  integer, intent(inout) :: idx(0:9)
  integer :: i, j, k
  real :: t

where (idx(0:n)/=0)
w(0:n)=l/idx(0:n)
end where
end subroutine s
! port
subroutine s(n, m, a, w, v, idx, l)
  implicit none
  integer, intent(in) :: n, m, l
  real, intent(inout) :: a(0:9, 0:9), w(0:9), v(0:9)
  integer, intent(inout) :: idx(0:9)
  integer :: i, j, k
  real :: t

do i=0,n
k=l/idx(i)
if (idx(i)/=0) w(i)=k
end do
end subroutine s
