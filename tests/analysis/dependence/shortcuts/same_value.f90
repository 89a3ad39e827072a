subroutine outer(a, x, n)
  integer :: n, i
  real :: a(n), x
  do i = 1, n !<
    a(1) = x
  end do
end subroutine
