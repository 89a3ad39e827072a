module m
interface g
module procedure f1
end interface
contains
real function f1(x)
real :: x
f1=1
end
real function f2(x)
real :: x
f2=2
end
end module
! port
module m
interface g
module procedure f2
end interface
contains
real function f1(x)
real :: x
f1=1
end
real function f2(x)
real :: x
f2=2
end
end module
