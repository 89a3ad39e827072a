subroutine outer(a, n, s)
  integer :: n, i
  real :: a(n), s
  do i = 1, n !<
    s = s + a(i)
    a(i) = s
  end do
end subroutine
