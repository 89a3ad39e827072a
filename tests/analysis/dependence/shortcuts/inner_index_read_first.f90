subroutine outer(a, n)
  integer :: n, i, k
  real :: a(n)
  k = 0
  do i = 1, n !<
    a(i) = k
    do k = 1, i
      a(i) = a(i) + 1.0
    end do
  end do
end subroutine
