module m
  type field
    real, pointer :: v(:)
  end type
contains
  subroutine outer(a, b, n)
    type(field) :: a, b
    integer :: n, i
    do i = 2, n !<
      a%v(i) = b%v(i-1)
    end do
  end subroutine
end module
