subroutine outer(a, n, nk)
  integer :: n, nk, i
  real :: a(n, nk), w(nk)
  do i = 1, n !<
    call fill(w, nk, a(i, 1))
    a(i, 2) = w(nk)
  end do
end subroutine
subroutine fill(x, n, value)
  integer :: n, k
  real :: x(n), value
  do k = 1, n
    x(k) = value*k
  end do
end subroutine
