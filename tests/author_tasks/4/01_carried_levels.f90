! Upstream advection; the flux through a row's northern side is kept for the next row.
module rolling_flux
  implicit none
contains
  subroutine advect(n, m, v, q, tend)
    integer, intent(in) :: n, m
    real(8), intent(in) :: v(n, 0:m), q(n, 0:m + 1)
    real(8), intent(out) :: tend(n, m)
    real(8) :: flux(n, 2)
    integer :: i, j, north, south
    north = 1
    south = 2
    !$acc parallel loop copyin(v, q) copyout(tend) private(flux)
    do j = 0, m
      do i = 1, n
        if (v(i, j) > 0d0) then
          flux(i, north) = v(i, j)*q(i, j)
        else
          flux(i, north) = v(i, j)*q(i, j + 1)
        end if
      end do
      if (j > 0) then
        do i = 1, n
          tend(i, j) = flux(i, south) - flux(i, north)
        end do
      end if
      i = north
      north = south
      south = i
    end do
  end subroutine advect
end module rolling_flux

program main
  use rolling_flux
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
    real(8) :: v(n, 0:m), q(n, 0:m + 1), tend(n, m)
    integer :: i, j, again
    do again = 1, 2
      do j = 0, m + 1
        do i = 1, n
          q(i, j) = value(i, j, seed)
          if (j <= m) v(i, j) = value(j, i, seed + again) - 0.5d0
        end do
      end do
      call advect(n, m, v, q, tend)
      print '(4es25.16)', tend
    end do
  end subroutine drive
end program main
