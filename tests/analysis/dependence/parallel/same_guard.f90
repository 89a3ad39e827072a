subroutine outer(a, b, n, m, flag)
  integer :: n, m, i, j, k, ip1
  logical :: flag
  real :: a(n), b(n), t, s, c(n, m)

  do i = 1, n !<
    if (flag) t = b(i)
    b(i) = 1.0
    if (flag) a(i) = t
  end do
end subroutine
