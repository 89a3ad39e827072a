module m
  type field
    real, allocatable :: u(:)
  end type
contains
  subroutine outer(f, n)
    type(field) :: f
    integer :: n, i
    associate (u => f%u)
      do i = 1, n !<
        u(i) = u(i) + 1.0
      end do
    end associate
  end subroutine
end module
