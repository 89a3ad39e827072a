subroutine outer(a, b, n, m, flag)
  integer :: n, m, i, j, k, ip1
  logical :: flag
  real :: a(n), b(n), t, s, c(n, m)

  do i = 1, n !<
    select case (m)
    case (1)
      t = 1.0
    case (2:4)
      t = 2.0
    case default
      t = 3.0
    end select
    a(i) = t
  end do
end subroutine
