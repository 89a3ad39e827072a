! Gathers the valid values of all stations in one list, station by station.
module valid_values
  implicit none
contains
  subroutine gather(n, m, ok, x, nvalid, station, list)
    integer, intent(in) :: n, m
    logical, intent(in) :: ok(m, n)
    real(8), intent(in) :: x(m, n)
    integer, intent(out) :: nvalid, station(n*m)
    real(8), intent(out) :: list(n*m)
    integer :: i, k
    station = 0
    list = 0d0
    nvalid = 0
    do i = 1, n
      do k = 1, m
        if (ok(k, i)) then
          nvalid = nvalid + 1
          station(nvalid) = i
          list(nvalid) = sqrt(x(k, i)) + 0.5d0*x(k, i)
        end if
      end do
    end do
  end subroutine gather
end module valid_values

program main
  use valid_values
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
    real(8) :: x(m, n), list(n*m)
    logical :: ok(m, n)
    integer :: i, k, nvalid, station(n*m), again
    do again = 1, 2
      do i = 1, n
        do k = 1, m
          x(k, i) = value(i, k, seed)
          ok(k, i) = value(k, i, seed + again) > 0.3d0
        end do
      end do
      call gather(n, m, ok, x, nvalid, station, list)
      print '(8i6)', nvalid, station
      print '(4es25.16)', list
    end do
  end subroutine drive
end program main
