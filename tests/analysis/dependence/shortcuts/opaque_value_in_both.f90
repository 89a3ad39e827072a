subroutine outer(a, idx, n)
  integer :: n, i, k, idx(n)
  real :: a(n)
  do i = 1, n !<
    k = idx(i)
    a(k) = i
  end do
end subroutine
