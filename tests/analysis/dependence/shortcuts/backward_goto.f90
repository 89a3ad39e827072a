subroutine outer(b, n)
  integer :: n, i
  real :: b(n)
  i = 0
  do i = 1, n !<
    k = i
 10 k = k + 1
    b(k) = b(i) + 1.0
    if (k < i + 3) goto 10
  end do
end subroutine
