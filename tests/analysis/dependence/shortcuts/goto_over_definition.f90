subroutine outer(a, b, n)
  integer :: n, i
  real :: a(n), b(n), t
  do i = 1, n !<
    if (a(i) > 0.0) goto 10
    t = a(i)
 10 b(i) = t
  end do
end subroutine
