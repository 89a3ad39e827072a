"""A recurrence whose loops stand in another order is judged by what it computes."""

RECURRENCE = """\
module state
  implicit none
  integer :: i, j, k, n, m, nz
  real, allocatable :: w(:, :, :), u(:, :, :), e(:)
contains
subroutine sweep
  real :: t, q
  integer :: acc_i1, acc_i2
  q = 1.0/n
{}
  call look(w)
end subroutine sweep
subroutine look(x)
  real, intent(inout) :: x(:, :, :)
  print *, x(1, 1, 1)
end subroutine look
end module state
"""
SWEPT = """\
        t = (u(i, j, k) - u(i - 1, j, k))*q
        w(i, j, k) = w(i, j, k + 1) - e(k)*t
      end do
    end do
  end do
"""
FIRST = "  w(:, :, nz) = 0.0\n"
FIRST_LOOPS = """\
  do acc_i2 = lbound(w, 2), ubound(w, 2)
    do acc_i1 = lbound(w, 1), ubound(w, 1)
      w(acc_i1, acc_i2, nz) = 0.0
    end do
  end do
"""
DOWN = "  do k = nz - 1, 1, -1\n    do j = 2, m - 1\n      do i = 2, n - 1\n" + SWEPT
BEHIND = """\
  if (1 <= (nz - 1) .and. 2 <= (m - 1)) then
    i = (n - 1) + 1
    if ((n - 1) < 2) i = 2
  end if
  if (1 <= (nz - 1)) then
    j = (m - 1) + 1
    if ((m - 1) < 2) j = 2
  end if
  k = 1 - 1
  if ((nz - 1) < 1) k = nz - 1
"""
ALONG = "  do j = 2, m - 1\n    do i = 2, n - 1\n      do k = nz - 1, 1, -1\n" + SWEPT + BEHIND


def test_a_recurrence_in_another_order_is_not_called_wrong(sources, wrong):
    """What an iteration finds in `w` has another name in each order; it is the same value."""
    assert not wrong(
        sources(RECURRENCE.format(FIRST + DOWN), RECURRENCE.format(FIRST_LOOPS + ALONG))
    )


def test_a_recurrence_with_another_sign_is(sources, wrong):
    port = RECURRENCE.format(DOWN.replace("- e(k)*t", "+ e(k)*t"))
    assert [found for found, _ in wrong(sources(RECURRENCE.format(DOWN), port))]
