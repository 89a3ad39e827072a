subroutine outer(a, n, nk)
  integer :: n, nk, i, k
  real :: a(n, nk), w(nk), v(nk), s

  do i = 1, n !<
    w(1) = 0.0
    w(nk) = 1.0
    do k = 2, nk - 1
      w(k) = a(i, k)
    end do
    do k = 1, nk
      a(i, k) = w(k)
    end do
  end do
end subroutine
