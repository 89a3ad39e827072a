subroutine s(w, v, l, m)
integer :: l, m, i
real :: w(3), v(3)
do i = 1, m
w(i) = l/m + v(i)
end do
end subroutine
! port
subroutine s(w, v, l, m)
integer :: l, m, i
real :: w(3), v(3)
w(1:m) = l/m + v(1:m)
end subroutine
