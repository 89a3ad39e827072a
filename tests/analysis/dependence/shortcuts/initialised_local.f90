subroutine outer(a, n)
  integer :: n, i
  real :: a(n)
  do i = 1, n !<
    call count(a(i))
  end do
end subroutine
subroutine count(x)
  real :: x
  integer :: calls = 0
  calls = calls + 1
  x = calls
end subroutine
