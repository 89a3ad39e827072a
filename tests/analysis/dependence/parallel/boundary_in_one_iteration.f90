subroutine outer(a, b, n, m, flag)
  integer :: n, m, i, j, k, ip1
  logical :: flag
  real :: a(n), b(n), t, s, c(n, m)

  do i = 1, n !<
    b(i) = 2.0
    if (i == 1) a(5) = a(6)
    if (i == 1) a(6) = 1.0
  end do
end subroutine
