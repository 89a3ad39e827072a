subroutine s(w, l)
integer :: l, k, i
real :: w(3)
w(1) = 3
end subroutine
! port
subroutine s(w, l)
integer :: l, k, i
real :: w(3)
do i = 1, 3, l
k = 1
end do
w(1) = 3
end subroutine
