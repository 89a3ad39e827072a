subroutine s(w, l, m)
integer :: l, m, k
real :: w(3)
if (m /= 0) w(1) = l/m
end subroutine
! port
subroutine s(w, l, m)
integer :: l, m, k
real :: w(3)
k = l/m
if (m /= 0) w(1) = k
end subroutine
