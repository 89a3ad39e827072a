! Condensation in cloudy columns only, which are gathered first.
module packed_columns
  implicit none
contains
  subroutine condense(n, m, cloudy, t, q, ncloudy)
    integer, intent(in) :: n, m
    logical, intent(in) :: cloudy(n)
    real(8), intent(inout) :: t(n, m), q(n, m)
    integer, intent(out) :: ncloudy
    integer :: i, ic, k, column(n)
    real(8) :: excess
    ncloudy = 0
    do i = 1, n
      if (cloudy(i)) then
        ncloudy = ncloudy + 1
        column(ncloudy) = i
      end if
    end do
    do k = 1, m
      do ic = 1, ncloudy
        i = column(ic)
        excess = max(0d0, q(i, k) - 0.5d0*t(i, k))
        q(i, k) = q(i, k) - excess
        t(i, k) = t(i, k) + 0.25d0*excess
      end do
    end do
  end subroutine condense
end module packed_columns

program main
  use packed_columns
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
    real(8) :: t(n, m), q(n, m)
    logical :: cloudy(n)
    integer :: i, k, ncloudy, again
    do k = 1, m
      do i = 1, n
        t(i, k) = value(i, k, seed)
        q(i, k) = value(k, i, seed + 3)
      end do
    end do
    do again = 1, 3
      cloudy = [(value(i, again, seed) > 0.4d0, i = 1, n)]
      call condense(n, m, cloudy, t, q, ncloudy)
      print '(i6, (4es25.16))', ncloudy, t, q
    end do
  end subroutine drive
end program main
