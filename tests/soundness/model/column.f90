module settings
  implicit none
  integer :: levels
  real :: decay
  real, allocatable :: profile(:)
end module settings

module column
  use settings, only: decay
  implicit none
  private
  public :: advance, settle, collect, smooth
contains
  subroutine advance(ni, nk, q, tend)
    integer, intent(in) :: ni, nk
    real, intent(inout) :: q(0:ni + 1, nk)
    real, intent(in) :: tend(0:ni + 1, nk)
    integer :: i, k
    real :: rate
    do k = 1, nk
      do i = 1, ni
        rate = decay * tend(i, k)
        q(i, k) = q(i, k) + rate
      end do
    end do
  end subroutine advance

  subroutine settle(ni, nk, q)
    integer, intent(in) :: ni, nk
    real, intent(inout) :: q(0:ni + 1, nk)
    integer :: i, k
    do k = 2, nk
      do i = 1, ni
        q(i, k) = q(i, k) + decay * q(i, k - 1)
      end do
    end do
  end subroutine settle

  subroutine collect(ni, nk, q, total, top)
    integer, intent(in) :: ni, nk
    real, intent(in) :: q(0:ni + 1, nk)
    real, intent(inout) :: total, top(0:ni + 1)
    integer :: i, k
    do k = 1, nk
      do i = 1, ni
        total = total + q(i, k)
        top(i) = max(top(i), q(i, k))
      end do
    end do
  end subroutine collect

  subroutine smooth(ni, nk, q, work)
    integer, intent(in) :: ni, nk
    real, intent(inout) :: q(0:ni + 1, nk), work(0:ni + 1)
    integer :: i, k
    do k = 1, nk
      do i = 1, ni
        work(i) = 0.5 * (q(i - 1, k) + q(i + 1, k))
      end do
      do i = 1, ni
        q(i, k) = mixed(work(i), q(i, k))
      end do
    end do
  end subroutine smooth

  real function mixed(a, b)
    real, intent(in) :: a, b
    mixed = 0.9 * b + 0.1 * a
  end function mixed
end module column
