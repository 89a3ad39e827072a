subroutine outer(a, n, nk)
  integer :: n, nk, i, k
  real :: a(n, nk), w(nk), v(nk), s

  do i = 1, n !<
    w(1) = a(i, 1)
    do k = 2, nk
      w(k) = w(k - 1) + a(i, k)
    end do
    do k = nk - 1, 1, -1
      w(k) = w(k) - w(k + 1)
    end do
    do k = 1, nk
      a(i, k) = w(k)
    end do
  end do
end subroutine
