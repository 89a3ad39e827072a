subroutine outer(a, n, m)
  integer :: n, m, j
  real :: a(n, m)
  do j = 1, m !<
    call fill(a(1, j), n)
  end do
end subroutine
subroutine fill(x, n)
  integer :: n, i
  real :: x(*)
  do i = 1, 2*n
    x(i) = x(i) + 1.0
  end do
end subroutine
