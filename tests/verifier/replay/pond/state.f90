! A pond with everything that makes a call hard to give again: private, saved and shared state,
! structures with allocatable components, optional and overlapping arguments, lower bounds.
module state
  implicit none
  private
  public :: level, depth, setup, gauge, ph
  integer, parameter :: wp = kind(1.0d0)
  real(wp), allocatable :: depth(:, :)
  real(wp) :: hidden(0:4) = 0.5_wp
  real(wp), pointer :: ph(:) => null()

  type :: level
    integer :: n = 0
    real(wp), allocatable :: q(:)
    real(wp), allocatable :: never(:)
    real(wp) :: fixed(3) = 1.0_wp
  end type level
contains
  subroutine setup(n)
    integer, intent(in) :: n
    integer :: i, j

    allocate (depth(-1:n, 2:n), ph(n))
    do j = 2, n
      do i = -1, n
        depth(i, j) = 0.1_wp*i + 0.01_wp*j*j
      end do
    end do
    ph = 7.0_wp
  end subroutine setup

  subroutine gauge(x, times, note)
    real(wp), intent(inout) :: x
    integer, intent(in), optional :: times
    character(len=*), intent(in) :: note
    integer :: k

    if (present(times)) then
      do k = 1, times
        x = x + hidden(k)
      end do
    else
      x = x - 1.0_wp
    end if
    if (note == 'deep') x = x*2.0_wp
    hidden(0) = hidden(0) + x
  end subroutine gauge
end module state
