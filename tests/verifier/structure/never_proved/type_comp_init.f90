module m
type t
real(8) :: x=1
end type
end module
! port
module m
type t
real(8) :: x=2
end type
end module
