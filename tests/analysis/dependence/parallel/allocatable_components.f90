module m
  type field
    real, allocatable :: u(:), v(:)
  end type
contains
  subroutine outer(f, n)
    type(field) :: f
    integer :: n, i
    do i = 2, n !<
      f%u(i) = f%v(i - 1)
    end do
  end subroutine
end module
