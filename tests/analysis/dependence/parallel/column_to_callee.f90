subroutine outer(a, n, m)
  integer :: n, m, j
  real :: a(n, m)
  do j = 1, m !<
    call column(a(1, j), n)
  end do
end subroutine
subroutine column(x, n)
  integer :: n, i
  real :: x(n)
  do i = 2, n
    x(i) = x(i - 1)
  end do
end subroutine
