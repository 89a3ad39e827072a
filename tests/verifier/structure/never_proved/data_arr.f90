module m
real(8) :: g, gg
contains
subroutine s(a,n)
integer, intent(in) :: n
real(8), intent(inout) :: a(n)
real(8) :: q(2)
data q/1.0,2.0/
a(1)=q(1)
end subroutine
end module
! port
module m
real(8) :: g, gg
contains
subroutine s(a,n)
integer, intent(in) :: n
real(8), intent(inout) :: a(n)
real(8) :: q(2)
data q/2.0,1.0/
a(1)=q(1)
end subroutine
end module
