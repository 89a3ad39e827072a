"""What switches bring along is no change of the program; what only looks like it is one."""

import pytest

from acclimate.analysis.switches import DECLARATION, FUNCTION_LINES
from acclimate.verifier.texts.source_equality import changed_statements
from acclimate.verifier.texts.source_file import SourceFile

BEFORE = """\
program p
  real :: a(4)
  a = 1.0
  print *, a
end program p
"""
AFTER = BEFORE.replace("  a = 1.0\n", f"  {DECLARATION}\n  a = 1.0\n")
AFTER += "\n".join([*FUNCTION_LINES, ""])


def differences(after: str, before: str = BEFORE) -> list[str]:
    old = SourceFile("p.f90", before.encode(), "free", None)
    new = SourceFile("p.f90", after.encode(), "free", None)
    return [change.now for change in changed_statements({"p.f90": old}, {"p.f90": new})]


@pytest.mark.parametrize(
    ("after", "told"),
    [
        pytest.param(
            AFTER.replace("acc_on = .true.", "acc_on = .false."), "acc_on = .false.", id="function"
        ),
        pytest.param(
            AFTER.replace("  a = 1.0\n", "  if (acc_on('p')) a = 1.0\n"),
            "if (acc_on('p')) a = 1.0",
            id="used by a statement",
        ),
        pytest.param(
            AFTER.replace(DECLARATION, "logical :: acc_on"), "logical :: acc_on", id="a variable"
        ),
        pytest.param(AFTER.replace("a = 1.0", "a = 2.0"), "a = 2.0", id="another change"),
    ],
)
def test_other_changes_are_told(after: str, told: str) -> None:
    assert told in differences(after)


def test_switches_are_no_change() -> None:
    assert differences(AFTER) == []
    blanks = AFTER.replace("        if (length == 0)", "  if ( length==0 )")
    assert blanks != AFTER
    assert differences(AFTER, blanks) == []


CLEARED = """\
program p
  call clear(4)
contains
  subroutine clear(n)
    integer, intent(in) :: n
    real :: a(n)
    a = 1.0
    print *, a
  end subroutine clear
end program p
"""


def test_a_procedure_under_a_switch_is_proved_as_without(program):
    loops = "    do i = 1, n\n      a(i) = {}\n    end do\n"
    text = CLEARED.replace("    a = 1.0\n", f"    integer :: i\n    {DECLARATION}\n{loops}")
    text += "\n".join([*FUNCTION_LINES, ""])
    assert program(text.format("1.0"), CLEARED).proved_units == {"p::clear"}
    assert program(text.format("2.0"), CLEARED).proved_units == frozenset()
