subroutine outer(x, n)
  integer :: n, i
  real :: x(n), s, t
  equivalence (s, t)
  s = 0.0
  do i = 1, n !<
    x(i) = s
    t = x(i) + 1.0
  end do
end subroutine
