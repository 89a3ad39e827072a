subroutine outer(a, b, n, m)
  integer :: n, m, i, k
  real :: a(n, m), b(n, m), w(m)
  w = 0.0
  do i = 1, n !<
    do k = 1, m
      w(k) = a(i, k)
      b(i, k) = w(m - k + 1)
    end do
  end do
end subroutine
