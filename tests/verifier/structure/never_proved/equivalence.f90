module m
real(8) :: g, gg
contains
subroutine s(a,n)
integer, intent(in) :: n
real(8), intent(inout) :: a(n)
real(8) :: q(4),r
equivalence(q(1),r)
r=1
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
real(8) :: q(4),r
equivalence(q(2),r)
r=1
a(1)=q(1)
end subroutine
end module
