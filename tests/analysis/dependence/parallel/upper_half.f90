subroutine outer(a, b, n, m, flag)
  integer :: n, m, i, j, k, ip1
  logical :: flag
  real :: a(n), b(n), t, s, c(n, m)

  do i = 1, m !<
    a(i) = a(i + m)
  end do
end subroutine
