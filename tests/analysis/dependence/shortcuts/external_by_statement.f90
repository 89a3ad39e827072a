subroutine outer(a, n)
  integer :: n, i
  real :: a(n), sin
  external sin
  do i = 1, n !<
    a(i) = max(0.0, sin(a(i)))
  end do
end subroutine
