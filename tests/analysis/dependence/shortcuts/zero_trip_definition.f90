subroutine outer(a, m, n)
  integer :: n, i, k, m(n)
  real :: a(n), t
  t = 1.0
  do i = 1, n !<
    do k = 1, m(i)
      t = a(i)*k
    end do
    a(i) = t
  end do
end subroutine
