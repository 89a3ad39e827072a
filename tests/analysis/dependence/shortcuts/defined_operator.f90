module m
  integer :: uses = 0
  interface operator(.plus.)
    module procedure add
  end interface
contains
  real function add(a, b)
    real, intent(in) :: a, b
    uses = uses + 1
    add = a + b*uses
  end function
  subroutine outer(a, n)
    integer :: n, i
    real :: a(n)
    do i = 1, n !<
      a(i) = a(i) .plus. 1.0
    end do
  end subroutine
end module
