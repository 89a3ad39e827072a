module m
real(8) :: g, gg
contains
subroutine s(a,n)
integer, intent(in) :: n
real(8), intent(inout) :: a(n)
real(8) :: g
a(1)=a(2)*g
end subroutine
end module
! port
module m
real(8) :: g, gg
contains
subroutine s(a,n)
integer, intent(in) :: n
real(8), intent(inout) :: a(n)

a(1)=a(2)*g
end subroutine
end module
