module k
implicit none
integer, parameter :: wp=8
real(8) :: ga(10), g
type ty
real(8) :: x, y(3)
real(8), pointer :: p(:)
end type
type(ty) :: o(4)
contains
subroutine s(a,n)
integer, intent(in) :: n
real(wp), intent(inout) :: a(n)
real(wp) :: t
real(4) :: t4, v4(10)
integer :: i,k
integer(8) :: k8
logical :: l
character(8) :: ch, ch2
! body
end subroutine
end module
