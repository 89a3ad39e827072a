module m
 real(8) :: g, h
 real(8) :: ga(10)
 type ty
 real(8) :: x, y
 end type
 type(ty) :: o, o2
 real(8), pointer :: p(:)
 real(8), allocatable :: al(:)
contains
subroutine s(a,n)
 integer, intent(in) :: n
 real(8), intent(inout) :: a(n)
 real(8) :: t, q
 integer :: i, k
 character(len=8) :: ch, ch2
! body
end subroutine s
subroutine upd()
 g = g + 1
end subroutine
real(8) function fu()
 g=g+1
 fu=g
end function
end module m
