subroutine outer(a, n)
  integer :: n, i
  real :: a(n), f
  do i = 1, n !<
    a(i) = f(a(i))
  end do
end subroutine
