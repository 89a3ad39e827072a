subroutine outer(a, n)
  integer :: n, j
  real :: a(n, n)
  do j = 2, n !<
    call copy(a(:, j-1:j))
  end do
end subroutine
subroutine copy(x)
  real :: x(:, :)
  x(:, 2) = x(:, 1)
end subroutine
