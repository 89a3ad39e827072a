! Radiative cooling with short names for the parts of a state.
module associated_state
  implicit none
  type :: state_type
    real(8), allocatable :: t(:, :), q(:, :)
  end type state_type
contains
  subroutine cool(n, m, rate, state)
    integer, intent(in) :: n, m
    real(8), intent(in) :: rate
    type(state_type), intent(inout) :: state
    integer :: i, k
    associate (t => state%t, q => state%q)
      do k = 1, m
        do i = 1, n
          if (q(i, k) > 0.5d0) then
            t(i, k) = t(i, k) - rate*(1d0 + q(i, k))
          else
            t(i, k) = t(i, k) - rate
          end if
        end do
      end do
    end associate
  end subroutine cool
end module associated_state

program main
  use associated_state
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
    type(state_type) :: state
    integer :: i, k, again
    allocate (state%t(n, m), state%q(n, m))
    do k = 1, m
      do i = 1, n
        state%t(i, k) = value(i, k, seed)
        state%q(i, k) = value(k, i, seed + 1)
      end do
    end do
    do again = 1, 2
      call cool(n, m, 0.01d0, state)
      print '(4es25.16)', state%t
    end do
  end subroutine drive
end program main
