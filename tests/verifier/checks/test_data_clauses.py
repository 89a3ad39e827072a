import pytest

from acclimate.verifier.checks.data_clauses import data_clauses
from acclimate.verifier.evidence import Outcome

PORT = """\
program p
  real :: a(9), b(9)
  integer :: i
  a = 1.0
  !$acc enter data copyin(a)
  !$acc parallel loop present(a)
  do i = 1, 9
    a(i) = 2.0
  end do
  !$acc update self({})
  print *, a
end program p
"""
DUMMY = """\
subroutine s(x)
  real :: x(9)
  !$acc enter data copyin(x)
end subroutine s
"""


def fails(program, text: str) -> list[int | None]:
    return [e.line for e in data_clauses(program(text)) if e.outcome is Outcome.FAILS]


@pytest.mark.parametrize(
    ("name", "lines"), [("a", []), ("b", [10]), ("a(2:3)", []), ("b(1)", [10])]
)
def test_what_is_never_mapped_cannot_be_updated(program, name, lines):
    assert fails(program, PORT.format(name)) == lines


def test_a_mapped_dummy_argument_may_be_anything(program):
    assert fails(program, PORT.format("b") + DUMMY) == []


def test_an_update_that_asks_first_is_right(program):
    assert fails(program, PORT.format("b) if_present async(1")) == []


def test_without_directives_nothing_moves(program):
    found = list(data_clauses(program("program p\nend program p\n")))
    assert [e.outcome for e in found] == [Outcome.HOLDS]
