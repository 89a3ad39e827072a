subroutine outer(a, b, n)
  integer :: n, i, k
  real :: a(n), b(n), t
  k = 0
  t = 0.0
  do i = 1, n !<
    if (k > 0) t = a(i)
    k = k + int(a(i))
    if (k > 0) b(i) = t
  end do
end subroutine
