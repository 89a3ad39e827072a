module m
real :: x
end module
! port
module m
real :: x=3
end module
