module m
  type field
    real, pointer :: v(:)
  end type
contains
  subroutine outer(f, n)
    integer :: n, i
    type(field) :: f(n)
    do i = 1, n !<
      f(i)%v(1) = f(i)%v(1) + 1.0
    end do
  end subroutine
end module
