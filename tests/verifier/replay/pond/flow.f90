module flow
  use state
  implicit none
  integer, parameter :: wp = kind(1.0d0)
  real(wp) :: scratch(10)
contains
  subroutine stir(l, a, b)
    type(level), intent(inout) :: l
    real(wp), intent(inout) :: a(:)
    real(wp), intent(in) :: b(:)
    integer, save :: turns = 0
    integer :: i

    turns = turns + 1
    if (turns > 2) then
      do i = 1, l%n
        l%q(i) = l%q(i) + l%fixed(2)*turns
      end do
    end if
    do i = 1, size(a)
      a(i) = a(i) + b(i)
    end do
  end subroutine stir

  subroutine settle(first, last)
    integer, intent(in) :: first, last
    integer :: j

    if (last < first) return
    do j = first, last
      scratch(j) = depth(first, j)
      depth(:, j) = depth(:, j)*0.5_wp
      if (depth(first, j) > 100.0_wp) depth(first, j) = 100.0_wp
    end do
  end subroutine settle

  real(wp) function total(rows)
    integer, intent(in) :: rows(:)
    integer :: k

    total = 0.0_wp
    do k = 1, size(rows)
      total = total + sum(depth(:, rows(k)))
    end do
  end function total

  ! Both arguments are one object: the call says so, and the replay has to.
  subroutine twice(a, b, n)
    integer, intent(in) :: n
    real(wp), intent(in), target :: a(n)
    real(wp), intent(inout), target :: b(n)
    integer :: i

    do i = 2, n
      b(i) = b(i) + a(i - 1)
    end do
  end subroutine twice

  ! The arguments overlap in part.
  subroutine slide(a, b)
    real(wp), intent(in), target :: a(:)
    real(wp), intent(inout), target :: b(:)
    integer :: i

    do i = 1, size(b)
      b(i) = 0.5_wp*(b(i) + a(i))
    end do
  end subroutine slide

  subroutine lift(p)
    real(wp), pointer, intent(inout) :: p(:)
    if (associated(p)) p = p + 1.0_wp
  end subroutine lift
end module flow
