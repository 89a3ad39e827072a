subroutine outer(a, n)
  integer :: n, i
  real :: a(n), t, last
  last = 0.0
  do i = 1, n !<
    if (a(i) > 1.0) then
      if (a(i) > 2.0) cycle
      t = 1.0
    end if
    last = a(i)
  end do
  a(1) = last
end subroutine
