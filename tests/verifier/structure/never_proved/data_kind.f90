module m
real(8) :: g, gg
contains
subroutine s(a,n)
integer, intent(in) :: n
real(8), intent(inout) :: a(n)
real(8) :: q
data q/0.1/
a(1)=q
end subroutine
end module
! port
module m
real(8) :: g, gg
contains
subroutine s(a,n)
integer, intent(in) :: n
real(8), intent(inout) :: a(n)
real(8) :: q
data q/0.1d0/
a(1)=q
end subroutine
end module
