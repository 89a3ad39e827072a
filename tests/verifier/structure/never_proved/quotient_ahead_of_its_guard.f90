subroutine s(w, l, m)
integer :: l, m, k
real :: w(3)
if (m /= 0) w(1) = l/m
end subroutine
real :: w(3)=0
call s(w, 2, 0)
print *, w
end
! port
subroutine s(w, l, m)
integer :: l, m, k
real :: w(3)
k = l/m
if (m /= 0) w(1) = k
end subroutine
real :: w(3)=0
call s(w, 2, 0)
print *, w
end
