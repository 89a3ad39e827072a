! Lorenz (1996): dx(i)/dt = (x(i+1) - x(i-2)) x(i-1) - x(i) + forcing, periodic in i. The forcing is
! weakly tied to the mean of x, so that the order of a sum can be felt. Runge-Kutta of fourth order.
module lorenz
  use, intrinsic :: iso_fortran_env, only: wp => real64
  implicit none
  private
  public :: wp, step_rk4, mean_of

  real(wp), parameter :: forcing = 8.0_wp
  real(wp), parameter :: feedback = 0.1_wp

contains

  real(wp) function mean_of(x)
    real(wp), intent(in) :: x(:)
    real(wp) :: total
    integer :: i

    total = 0.0_wp
    do i = 1, size(x)
      total = total + x(i)
    end do
    mean_of = total/real(size(x), wp)
  end function mean_of

  subroutine tendency(x, dx)
    real(wp), intent(in) :: x(:)
    real(wp), intent(out) :: dx(:)
    real(wp) :: push
    integer :: i, n

    n = size(x)
    push = forcing - feedback*mean_of(x)
    do i = 1, n
      dx(i) = (x(1 + mod(i, n)) - x(1 + mod(i + n - 3, n)))*x(1 + mod(i + n - 2, n)) - x(i) + push
    end do
  end subroutine tendency

  subroutine step_rk4(x, dt)
    real(wp), intent(inout) :: x(:)
    real(wp), intent(in) :: dt
    real(wp) :: k1(size(x)), k2(size(x)), k3(size(x)), k4(size(x)), y(size(x))
    integer :: i

    call tendency(x, k1)
    do i = 1, size(x)
      y(i) = x(i) + 0.5_wp*dt*k1(i)
    end do
    call tendency(y, k2)
    do i = 1, size(x)
      y(i) = x(i) + 0.5_wp*dt*k2(i)
    end do
    call tendency(y, k3)
    do i = 1, size(x)
      y(i) = x(i) + dt*k3(i)
    end do
    call tendency(y, k4)
    do i = 1, size(x)
      x(i) = x(i) + dt/6.0_wp*(k1(i) + 2.0_wp*(k2(i) + k3(i)) + k4(i))
    end do
  end subroutine step_rk4

end module lorenz
