subroutine s(w, l)
integer :: l, k
real :: w(3)
w(1) = 3
end subroutine
! port
subroutine s(w, l)
integer :: l, k
real :: w(3)
do while (l == 2)
k = 1
end do
w(1) = 3
end subroutine
