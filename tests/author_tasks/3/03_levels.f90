! Leapfrog steps with three time levels that change places.
module time_levels
  implicit none
contains
  subroutine leapfrog(n, nstep, c, f, now)
    integer, intent(in) :: n, nstep
    real(8), intent(in) :: c
    real(8), intent(inout) :: f(0:n + 1, 3)
    integer, intent(inout) :: now
    integer :: i, old, new, step
    old = mod(now + 1, 3) + 1
    new = mod(now, 3) + 1
    do step = 1, nstep
      do i = 1, n
        f(i, new) = f(i, old) - c*(f(i + 1, now) - f(i - 1, now))
      end do
      f(0, new) = f(n, new)
      f(n + 1, new) = f(1, new)
      do i = 0, n + 1
        f(i, now) = f(i, now) + 0.1d0*(f(i, old) - 2d0*f(i, now) + f(i, new))
      end do
      i = old
      old = now
      now = new
      new = i
    end do
  end subroutine leapfrog
end module time_levels

program main
  use time_levels
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
    real(8) :: f(0:n + 1, 3)
    integer :: i, now, again
    do i = 1, n
      f(i, :) = value(i, 1, seed)
    end do
    f(0, :) = f(n, 1)
    f(n + 1, :) = f(1, 1)
    now = 2
    do again = 1, 2
      call leapfrog(n, m, 0.3d0, f, now)
      print '(i3, (4es25.16))', now, f
    end do
  end subroutine drive
end program main
