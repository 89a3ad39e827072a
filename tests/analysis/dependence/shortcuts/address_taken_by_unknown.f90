subroutine outer(a, n)
  integer :: n, i
  real :: a(n)
  external :: elsewhere
  do i = 1, n !<
    call elsewhere(a(i))
  end do
end subroutine
