subroutine outer(a, w, n, m)
  integer :: n, m, i, k
  real :: a(n, m), w(m)
  do i = 1, n !<
    do k = 1, m
      w(k) = a(i, k)
    end do
    a(i, 1) = w(m)
  end do
end subroutine
