module a
integer,parameter::wp=8
end module
subroutine s(x,y)
use a
real(8) x,y
real(wp) z
z=x
y=z
end
! port
module a
integer,parameter::wp=8
integer,parameter::sp=4
end module
subroutine s(x,y)
use a
real(8) x,y
real(wp) z
z=x
y=z
end
