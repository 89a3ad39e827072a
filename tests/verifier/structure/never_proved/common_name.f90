module m
real(8) :: g, gg
contains
subroutine s(a,n)
integer, intent(in) :: n
real(8), intent(inout) :: a(n)
real(8) :: q,r
common/c/q,r
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
real(8) :: q,r
common/d/q,r
a(1)=q
end subroutine
end module
