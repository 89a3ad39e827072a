subroutine outer(a, b, n, m, flag)
  integer :: n, m, i, j, k, ip1
  logical :: flag
  real :: a(n), b(n), t, s, c(n, m)

  do i = 1, n !<
    if (b(i) > 0.0) goto 10
    t = 1.0
    goto 20
 10 t = 2.0
 20 a(i) = t
  end do
end subroutine
