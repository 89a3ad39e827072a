subroutine s(a,n)
 integer :: n
 real(8) :: a(n)
 real(8) :: t
t=1
call inner()
a(1)=t
contains
subroutine inner()
 t = 5
end subroutine
end subroutine
! port
subroutine s(a,n)
 integer :: n
 real(8) :: a(n)
 real(8) :: t
t=1
call inner()
a(1)=1
contains
subroutine inner()
 t = 5
end subroutine
end subroutine
