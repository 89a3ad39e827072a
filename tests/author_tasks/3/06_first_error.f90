! Heats columns until one is out of bounds; that one and those behind it are left alone.
module checked_heating
  implicit none
contains
  subroutine heat(n, rate, t, errflg)
    integer, intent(in) :: n
    real(8), intent(in) :: rate(n)
    real(8), intent(inout) :: t(n)
    integer, intent(out) :: errflg
    integer :: i
    errflg = 0
    do i = 1, n
      if (t(i) + rate(i) > 1.6d0) then
        errflg = i
        return
      end if
      t(i) = t(i) + rate(i)
    end do
  end subroutine heat
end module checked_heating

program main
  use checked_heating
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
    real(8) :: t(n), rate(n)
    integer :: i, errflg, again
    t = [(value(i, m, seed), i = 1, n)]
    do again = 1, 3
      rate = [(0.7d0*value(i, again, seed + 1), i = 1, n)]
      call heat(n, rate, t, errflg)
      print '(i6, (4es25.16))', errflg, t
    end do
  end subroutine drive
end program main
