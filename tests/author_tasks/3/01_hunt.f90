! Interpolates in a table; the search begins where the last one ended.
module table_lookup
  implicit none
contains
  subroutine interpolate(nt, xt, yt, n, x, y)
    integer, intent(in) :: nt, n
    real(8), intent(in) :: xt(nt), yt(nt), x(n)
    real(8), intent(out) :: y(n)
    integer :: i, ix
    ix = 1
    do i = 1, n
      do while (ix < nt - 1)
        if (xt(ix + 1) > x(i)) exit
        ix = ix + 1
      end do
      do while (ix > 1)
        if (xt(ix) <= x(i)) exit
        ix = ix - 1
      end do
      y(i) = yt(ix) + (yt(ix + 1) - yt(ix))*(x(i) - xt(ix))/(xt(ix + 1) - xt(ix))
    end do
  end subroutine interpolate
end module table_lookup

program main
  use table_lookup
  implicit none
  call drive(24, 16, 1)
  call drive(1, 1, 2)
  call drive(2, 3, 3)
  call drive(33, 5, 4)
  call drive(7, 12, 5)
contains
  pure real(8) function value(i, k, seed)
    integer, intent(in) :: i, k, seed
    value = mod((37*i + 101*k + 13*seed)*0.6180339887498949d0, 1d0)
  end function value
  subroutine drive(n, m, seed)
    integer, intent(in) :: n, m, seed
    real(8) :: xt(m + 2), yt(m + 2), x(n), y(n)
    integer :: i, again
    xt(1) = -0.3d0
    do i = 2, m + 2
      xt(i) = xt(i - 1) + 0.01d0 + 2d0*value(i, 1, seed)/(m + 2)
    end do
    yt = [(value(i, 2, seed), i = 1, m + 2)]
    do again = 1, 2
      x = [(2d0*value(i, again, seed + 7) - 0.5d0, i = 1, n)]
      call interpolate(m + 2, xt, yt, n, x, y)
      print '(4es25.16)', y
    end do
  end subroutine drive
end program main
