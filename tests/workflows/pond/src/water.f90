! Linear shallow water in one dimension on a staggered grid, closed at both ends.
module water
  implicit none
  integer, parameter :: n = 64
  integer, parameter :: dp = kind(1.0d0)
  real(dp), parameter :: gravity = 9.81_dp, depth = 2.0_dp, dx = 1.0_dp, dt = 0.1_dp
  real(dp), allocatable :: level(:), flow(:)

contains

  subroutine fill()
    integer :: i
    allocate (level(n), flow(0:n))
    do i = 1, n
      level(i) = 0.1_dp * exp(-((i - n / 2) * 0.2_dp)**2)
    end do
    do i = 0, n
      flow(i) = 0.0_dp
    end do
  end subroutine fill

  subroutine advance()
    integer :: i
    do i = 1, n - 1
      flow(i) = flow(i) - dt * gravity * (level(i + 1) - level(i)) / dx
    end do
    do i = 1, n
      level(i) = level(i) - dt * depth * (flow(i) - flow(i - 1)) / dx
    end do
  end subroutine advance

  subroutine smooth()
    integer :: i
    do i = 2, n
      level(i) = level(i) + 0.01_dp * (level(i - 1) - level(i))
    end do
  end subroutine smooth

  function highest() result(top)
    real(dp) :: top
    integer :: i
    top = level(1)
    do i = 1, n
      top = max(top, level(i))
    end do
  end function highest

end module water
