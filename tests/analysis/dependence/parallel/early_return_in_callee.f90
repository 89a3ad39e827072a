subroutine outer(a, n)
  integer :: n, i
  real :: a(n), t
  do i = 1, n !<
    call get(a(i), t)
    a(i) = t
  end do
end subroutine
subroutine get(x, t)
  real :: x, t
  t = 0.0
  if (x < 0.0) return
  t = x
end subroutine
