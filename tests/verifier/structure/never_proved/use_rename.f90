module m
real :: x,y
end module
subroutine s(a)
use m, only: q=>x
a=q
end
! port
module m
real :: x,y
end module
subroutine s(a)
use m, only: q=>y
a=q
end
