import pytest

from acclimate.analysis.source import apply_edits
from acclimate.analysis.switches import DECLARATION, FUNCTION_LINES
from acclimate.verifier.subject import Length
from acclimate.verifier.texts.source_file import SourceFile
from acclimate.verifier.trials.attribution import blamed, culprits, hunks

TEXT = """\
program p
  real :: x, y
  x = 1.0
  y = 2.0
  call double(x)
  call double(y)
  print *, x
  print *, y
contains
  subroutine double(z)
    real, intent(inout) :: z
    z = 2.0*z
  end subroutine double
end program p
"""
GUARDED = "  if (x > 1.5) then\n  y = 2.0\n  end if\n"


def file(text: str) -> SourceFile:
    return SourceFile("p.f90", text.encode(), "free", None)


def test_hunks_know_their_unit_and_lines():
    found = hunks(file(TEXT), file(TEXT.replace("2.0*z", "z*2.0").replace("x = 1", "x = 3")))
    assert [(h.unit, h.port.first, h.edit.first) for h in found] == [
        ("p", 3, 3),
        ("p::double", 12, 12),
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_what_stands_behind_the_last_line_is_a_hunk_of_its_own(end):
    behind = "\n".join([*FUNCTION_LINES, ""])
    before, after = (file(text.replace("\n", end)) for text in (TEXT, TEXT + behind))
    (hunk,) = hunks(before, after)
    assert apply_edits(before.data, [hunk.edit]) == after.data
    assert hunk.unit == "acc_on" and hunk.is_switch


def test_only_lines_of_switches_are_those_of_switches():
    for line, is_switch in ((DECLARATION, True), ("end if", False), ("call double(x)", False)):
        text = TEXT.replace("  x = 1.0\n", f"  {line}\n  x = 1.0\n")
        assert [hunk.is_switch for hunk in hunks(file(TEXT), file(text))] == [is_switch]
    dropped = TEXT.replace("  x = 1.0\n", "")
    assert [hunk.is_switch for hunk in hunks(file(TEXT), file(dropped))] == [False]


@pytest.mark.gfortran
@pytest.mark.parametrize(
    ("changes", "lines"),
    [
        ([("2.0*z", "z*2.0"), ("x = 1.0", "x = 3.0")], [3]),
        ([("2.0*z", "z*2.5"), ("y = 2.0", "y = 1.0 + 1.0")], [12]),
        ([("real :: x, y", "real :: y, x"), ("y = 2.0", "y = 4.0")], [4]),
        ([("  print *, y\n", "")], [8]),
        ([("  y = 2.0\n", GUARDED), ("2.0*z", "z*2.0")], [4, 6]),
    ],
)
def test_only_what_differs_by_itself_is_blamed(program, changes, lines):
    text = TEXT
    for old, new in changes:
        text = text.replace(old, new)
    subject = program(text, TEXT)
    found = culprits(subject, Length.FULL)
    assert [c.at.first for c in blamed(found, subject.changes)] == lines


@pytest.mark.gfortran
def test_a_directive_can_be_the_culprit(program):
    text = (
        "program p\n  s = 0\n  do i = 1, 9\n    s = s + i\n  end do\n  print *, s\nend program p\n"
    )
    subject = program(text.replace("  do", "  !$acc parallel loop\n  do"), text)
    assert [h.port.first for h in culprits(subject, Length.FULL)] == [3]
