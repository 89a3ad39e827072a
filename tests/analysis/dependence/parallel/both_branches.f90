subroutine outer(a, b, n, m, flag)
  integer :: n, m, i, j, k, ip1
  logical :: flag
  real :: a(n), b(n), t, s, c(n, m)

  do i = 1, n !<
    if (b(i) > 0.0) then
      t = b(i)
    else
      t = -b(i)
    end if
    a(i) = t
  end do
end subroutine
