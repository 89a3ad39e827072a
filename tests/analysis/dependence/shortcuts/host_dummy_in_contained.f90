subroutine outer(p, q)
  real :: p, q
  q = get()
contains
  real function get()
    get = p + 1.0
  end function
end subroutine
subroutine pass(x, n)
  integer :: n, i
  real :: x(n)
  do i = 2, n !<
    call outer(x(i - 1), x(i))
  end do
end subroutine
