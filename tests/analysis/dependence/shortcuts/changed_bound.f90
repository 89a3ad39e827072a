subroutine outer(a, b, n)
  integer :: n, i, m
  real :: a(n), b(n)
  m = 1
  do i = 1, n !<
    a(m) = b(i)
    m = m + 1
    b(i) = a(m)
  end do
end subroutine
