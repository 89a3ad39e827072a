subroutine outer(a, n)
  integer :: n, i
  real :: a(n)
  do i = 1, n !<
    call skip(i)
    a(i) = 0.0
  end do
end subroutine
subroutine skip(i)
  integer :: i
  i = i + 1
end subroutine
