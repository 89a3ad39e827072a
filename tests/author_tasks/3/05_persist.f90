! Fills gaps of soundings with the last valid value below, or with the column's default.
module gap_filling
  implicit none
contains
  subroutine fill_gaps(n, m, missing, default, x, filled)
    integer, intent(in) :: n, m
    real(8), intent(in) :: missing, default(n)
    real(8), intent(inout) :: x(m, n)
    integer, intent(out) :: filled(n)
    integer :: i, k
    real(8) :: last
    do i = 1, n
      filled(i) = 0
      do k = 1, m
        if (k == 1) last = default(i)
        if (x(k, i) == missing) then
          x(k, i) = last
          filled(i) = filled(i) + 1
        else
          last = x(k, i)
        end if
      end do
    end do
  end subroutine fill_gaps
end module gap_filling

program main
  use gap_filling
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
    real(8) :: x(m, n), default(n)
    integer :: i, k, filled(n), again
    default = [(value(i, 3, seed), i = 1, n)]
    do again = 1, 2
      do i = 1, n
        do k = 1, m
          x(k, i) = value(i, k, seed + again)
          if (x(k, i) < 0.4d0) x(k, i) = -999d0
        end do
      end do
      call fill_gaps(n, m, -999d0, default, x, filled)
      print '(8i6)', filled
      print '(4es25.16)', x
    end do
  end subroutine drive
end program main
