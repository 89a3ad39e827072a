subroutine outer(a, b, n, m, flag)
  integer :: n, m, i, j, k, ip1
  logical :: flag
  real :: a(n), b(n), t, s, c(n, m)

  do i = 2, n - 1, 2 !<
    a(i) = a(i - 1) + a(i + 1)
  end do
end subroutine
