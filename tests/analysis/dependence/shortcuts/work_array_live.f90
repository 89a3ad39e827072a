subroutine outer(a, n, m, total)
  integer :: n, m, i, k
  real :: a(n, m), w(m), total
  do i = 1, n !<
    do k = 1, m
      w(k) = a(i, k)
    end do
    a(i, 1) = w(m)
  end do
  total = w(1)
end subroutine
