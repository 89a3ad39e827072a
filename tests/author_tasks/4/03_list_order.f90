! Wet-bulb temperature by Newton's method; columns that do not converge are listed.
module wet_bulb
  implicit none
contains
  subroutine find_wet_bulb(n, t, e, tw, nfail, failed)
    integer, intent(in) :: n
    real(8), intent(in) :: t(n), e(n)
    real(8), intent(out) :: tw(n)
    integer, intent(out) :: nfail, failed(n)
    integer :: i, iter, place
    real(8) :: f, df, step
    nfail = 0
    failed = 0
    !$acc parallel loop copyin(t, e) copyout(tw) copy(failed, nfail) private(iter, f, df, step, place)
    do i = 1, n
      tw(i) = t(i)
      iter = 0
      do
        iter = iter + 1
        f = 6.1d0*exp(0.07d0*tw(i)) - e(i) - 0.66d0*(t(i) - tw(i))
        df = 0.427d0*exp(0.07d0*tw(i)) + 0.66d0
        step = f/df
        tw(i) = tw(i) - step
        if (abs(step) < 1d-6) exit
        if (iter == 5) then
          !$acc atomic capture
          nfail = nfail + 1
          place = nfail
          !$acc end atomic
          failed(place) = i
          exit
        end if
      end do
    end do
  end subroutine find_wet_bulb
end module wet_bulb

program main
  use wet_bulb
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
    real(8) :: t(n), e(n), tw(n)
    integer :: i, nfail, failed(n), again
    do again = 1, 2
      t = [(60d0*value(i, again, seed) - 5d0, i = 1, n)]
      e = [(8d0*value(i, m, seed + 1), i = 1, n)]
      call find_wet_bulb(n, t, e, tw, nfail, failed)
      print '(8i6)', nfail, failed
      print '(4es25.16)', tw
    end do
  end subroutine drive
end program main
