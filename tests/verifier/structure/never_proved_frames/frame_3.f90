subroutine s(a,n)
 integer :: n
 real(8) :: a(n)
 real(8) :: t
! body
contains
subroutine inner()
 t = 5
end subroutine
end subroutine
