subroutine outer(a, n, s)
  integer :: n, i
  real :: a(n), s
  do i = 1, n !<
    s = s + a(i)
    s = s*2.0
  end do
end subroutine
