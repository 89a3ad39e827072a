module m
  type box
    real :: v
  end type
  interface operator(+)
    module procedure add
  end interface
contains
  type(box) function add(a, b)
    type(box), intent(in) :: a, b
    print *, 'added'
    add%v = a%v + b%v
  end function
  subroutine outer(a, n)
    integer :: n, i
    real :: a(n)
    do i = 1, n !<
      a(i) = a(i) + 1.0
    end do
  end subroutine
end module
