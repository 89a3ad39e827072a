subroutine outer(a, n)
  integer :: n, i
  real :: a(n)
  real, external :: exp
  do i = 1, n !<
    a(i) = exp(a(i))
  end do
end subroutine
