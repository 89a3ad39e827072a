subroutine outer(a, b, n, m, flag)
  integer :: n, m, i, j, k, ip1
  logical :: flag
  real :: a(n), b(n), t, s, c(n, m)

  do j = 1, n, 8 !<
    do i = j, j + 7
      a(i) = b(i)
    end do
  end do
end subroutine
