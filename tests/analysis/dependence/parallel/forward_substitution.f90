subroutine outer(a, b, n, m, flag)
  integer :: n, m, i, j, k, ip1
  logical :: flag
  real :: a(n), b(n), t, s, c(n, m)

  do i = 1, n - 1 !<
    ip1 = i + 1
    a(ip1) = b(i)
  end do
end subroutine
