subroutine outer(a, n)
  integer :: n, i
  real :: a(n), t
  t = 0.0
  do i = 1, n !<
    call get(a(i), t)
    a(i) = t
  end do
end subroutine
subroutine get(x, t)
  real, intent(in) :: x
  real, intent(out) :: t
  if (x > 0.0) t = x
end subroutine
