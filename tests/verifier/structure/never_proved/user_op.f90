module m
type mt
real :: x
end type
interface operator(*)
module procedure mm
end interface
contains
function mm(a,b) result(c)
type(mt),intent(in)::a,b
type(mt)::c
c%x=a%x-b%x
end
subroutine s(a,b,c)
type(mt)::a,b,c
c=a*b
end
end module
! port
module m
type mt
real :: x
end type
interface operator(*)
module procedure mm
end interface
contains
function mm(a,b) result(c)
type(mt),intent(in)::a,b
type(mt)::c
c%x=a%x-b%x
end
subroutine s(a,b,c)
type(mt)::a,b,c
c=b*a
end
end module
