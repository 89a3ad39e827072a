subroutine outer(n)
  integer :: n, i
  real, target :: a(n)
  real, pointer :: p(:)
  p => a
  do i = 2, n !<
    a(i) = p(i-1)
  end do
end subroutine
