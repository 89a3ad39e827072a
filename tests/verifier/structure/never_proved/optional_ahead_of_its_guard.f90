module mm
contains
subroutine s(w,o)
real :: w(3)
real, optional :: o
real :: t
if (present(o)) w(1)=o
end subroutine
end module
! port
module mm
contains
subroutine s(w,o)
real :: w(3)
real, optional :: o
real :: t
t = o
if (present(o)) w(1)=t
end subroutine
end module
