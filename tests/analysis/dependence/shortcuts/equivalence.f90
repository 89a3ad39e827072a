subroutine outer(n)
  integer :: n, i
  real :: a(10), b(10)
  equivalence (a(1), b(2))
  do i = 2, 9 !<
    a(i) = b(i) + 1.0
  end do
end subroutine
