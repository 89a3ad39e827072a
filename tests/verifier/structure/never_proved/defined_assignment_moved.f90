module mm
integer :: km
type ty
integer :: z
end type
interface assignment(=)
module procedure asg
end interface
contains
subroutine asg(x,y)
type(ty),intent(inout) :: x
integer,intent(in) :: y
km = km+y
x%z = y
end subroutine
end module
subroutine s(w)
use mm
real :: w(3)
type(ty) :: q
km = 5
q = 3
w(1) = km
end subroutine
! port
module mm
integer :: km
type ty
integer :: z
end type
interface assignment(=)
module procedure asg
end interface
contains
subroutine asg(x,y)
type(ty),intent(inout) :: x
integer,intent(in) :: y
km = km+y
x%z = y
end subroutine
end module
subroutine s(w)
use mm
real :: w(3)
type(ty) :: q
km = 5
w(1) = km
q = 3
end subroutine
