subroutine outer(a, b, n)
  integer :: n, i
  real :: a(n), b(n), t
  t = 0.0
  do i = 1, n !<
    if (a(i) < 0.0) then
      t = 1.0
    end if
    if (a(i) >= 0.0) then
      t = 2.0
    end if
    b(i) = t
  end do
end subroutine
