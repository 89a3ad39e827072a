module m
type t
real(8) :: x
end type
end module
! port
module m
type t
real(4) :: x
end type
end module
