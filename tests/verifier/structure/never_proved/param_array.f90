module m
real(8) :: g, gg
contains
subroutine s(a,n)
integer, intent(in) :: n
real(8), intent(inout) :: a(n)
real(8), parameter :: c(2)=[0.1,0.2]
a(1)=c(1)
end subroutine
end module
! port
module m
real(8) :: g, gg
contains
subroutine s(a,n)
integer, intent(in) :: n
real(8), intent(inout) :: a(n)
real(8), parameter :: c(2)=[0.1d0,0.2d0]
a(1)=c(1)
end subroutine
end module
