subroutine outer(a, n)
  integer :: n, i
  integer :: a(n)
  external mvbits
  do i = 1, n !<
    call mvbits(a(i), 1, 1, a(i), 1)
  end do
end subroutine
