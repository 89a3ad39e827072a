"""One row for what restructuring leaves behind in a unit, one for each change of meaning."""

from acclimate.verifier.checks.source_equality import source_equality
from acclimate.verifier.evidence import Outcome

ORIGINAL = """\
program p
  implicit none
  real :: a(4), b(4)
  a = 1
  b = 2*a
  a(1:2) = b(1:2)
  call s()
  print *, a, b
contains
  subroutine s()
    a = a + b
  end subroutine s
end program p
"""
PORT = (
    ORIGINAL.replace("  a = 1\n", "  integer :: i\n  do i = 1, 4\n    a(i) = 1\n  end do\n")
    .replace("  a(1:2) = b(1:2)\n", "  do i = 1, 2\n    a(i) = b(i)\n  end do\n")
    .replace(
        "    a = a + b\n", "    integer :: i\n    do i = 1, 4\n    a(i) = a(i) + b(i)\n end do\n"
    )
)


OPEN = PORT.replace("a(i) = 1\n", "a(i) = 2 - i/i\n").replace("a(i) + b(i)", "b(i) - (-a(i))")


def test_what_is_proved_to_be_the_same_is_left_out(program):
    assert list(source_equality(program(PORT, ORIGINAL))) == []


def test_a_unit_with_many_changes_is_one_row_with_their_number_and_the_first_place(program):
    found = list(source_equality(program(OPEN, ORIGINAL)))
    assert [(e.file, e.line) for e in found] == [("port.f90", 4), ("port.f90", 16)]
    assert [e.figure for e in found] == [8, 5]
    assert "(and 7 more changes of 'p')" in found[0].message
    assert {e.outcome for e in found} == {Outcome.INCONCLUSIVE}


def test_a_change_of_meaning_stands_alone_and_first(program):
    found = list(source_equality(program(OPEN.replace("2*a", "3*a"), ORIGINAL)))
    assert (found[0].line, found[0].figure) == (8, 1)
    assert "constant changed" in found[0].message
    assert len(found) == 3


def test_the_same_statements_hold(program):
    (only,) = source_equality(program(ORIGINAL, ORIGINAL))
    assert only.outcome is Outcome.HOLDS
