module m
 integer :: g = 0
 interface operator(.plus.)
  module procedure plus
 end interface
contains
real function plus(a, b)
 real, intent(in) :: a, b
 g = g + 1
 plus = a + b*g
end function
subroutine s(n, a)
 integer, intent(in) :: n
 real, intent(inout) :: a(n, n)
 integer :: i, j
 do i = 1, n
  do j = 1, n
   a(i, j) = a(i, j) .plus. 1.0
  end do
 end do
end subroutine
end module
! port
module m
 integer :: g = 0
 interface operator(.plus.)
  module procedure plus
 end interface
contains
real function plus(a, b)
 real, intent(in) :: a, b
 g = g + 1
 plus = a + b*g
end function
subroutine s(n, a)
 integer, intent(in) :: n
 real, intent(inout) :: a(n, n)
 integer :: i, j
 do j = 1, n
  do i = 1, n
   a(i, j) = a(i, j) .plus. 1.0
  end do
 end do
end subroutine
end module
