subroutine outer(a, n, nk)
  integer :: n, nk, i, k
  real :: a(n, nk), w(nk), v(nk), s

  do i = 1, n !<
    w(:) = a(i, :)
    a(i, 1) = sum(w)
  end do
end subroutine
