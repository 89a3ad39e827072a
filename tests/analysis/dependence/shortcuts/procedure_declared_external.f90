subroutine outer(a, n)
  integer :: n, i
  real :: a(n)
  procedure(real) :: sqrt
  do i = 1, n !<
    a(i) = sqrt(a(i))
  end do
end subroutine
