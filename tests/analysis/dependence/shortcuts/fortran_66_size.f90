subroutine outer(a, w, n)
  integer :: n, i
  real :: a(n), v(10)
  do i = 1, n !<
    call fill(v)
    a(i) = v(2)
    v(2) = a(i) + 1.0
  end do
end subroutine
subroutine fill(x)
  real :: x(1)
  x(1) = 0.0
end subroutine
