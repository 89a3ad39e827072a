! Heating below the highest cloud of the domain, which is looked for from above.
module cloud_top
  implicit none
contains
  subroutine heat_below(n, m, qc, rate, heating, ktop)
    integer, intent(in) :: n, m
    real(8), intent(in) :: qc(n, m), rate(m)
    real(8), intent(inout) :: heating(n, m)
    integer, intent(out) :: ktop
    integer :: i, k
    do k = m, 1, -1
      do i = 1, n
        if (qc(i, k) > 0.98d0) go to 10
      end do
    end do
10  ktop = k
    do k = 1, ktop
      do i = 1, n
        heating(i, k) = heating(i, k) + rate(k)*(1d0 - qc(i, k))
      end do
    end do
  end subroutine heat_below
end module cloud_top

program main
  use cloud_top
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
    real(8) :: qc(n, m), rate(m), heating(n, m)
    integer :: i, k, ktop, again
    rate = [(value(k, 1, seed), k = 1, m)]
    heating = 0d0
    do again = 1, 2
      do k = 1, m
        do i = 1, n
          qc(i, k) = value(i, k, seed + again)
        end do
      end do
      call heat_below(n, m, qc, rate, heating, ktop)
      print '(i6, (4es25.16))', ktop, heating
    end do
  end subroutine drive
end program main
