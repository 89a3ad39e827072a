module m
  integer :: uses = 0
  type box
    real :: v
  end type
  interface operator(+)
    module procedure add
  end interface
contains
  type(box) function add(a, b)
    type(box), intent(in) :: a, b
    uses = uses + 1
    add%v = a%v + b%v*uses
  end function
  subroutine outer(a, n)
    integer :: n, i
    type(box) :: a(n)
    do i = 1, n !<
      a(i) = a(i) + a(i)
    end do
  end subroutine
end module
