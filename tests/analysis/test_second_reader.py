"""fparser as second reader: what differs, what cannot be read, and that the two are told apart."""

from pathlib import Path

import pytest

from acclimate.analysis.second_reader import Difference, agrees, parses
from acclimate.analysis.source import Lines
from acclimate.analysis.tree.manifest import load_manifest
from acclimate.analysis.view.normalising import view_of

CASES = Path(__file__).parent / "cases"
TEXT = """module m
  use a, only: x
contains
subroutine s(n, y)
  integer :: n
  real :: y(n)
  do i = 1, n
    y(i) = x + 1.0
  end do
  call t(y)
10 format (i4, 'text')
end subroutine
end module
"""


def kinds(before: str, after: str) -> list[Difference]:
    return [d.kind for d in agrees(before.encode(), after.encode(), "free")]


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("x + 1.0", "x - 1.0", Difference.STATEMENT),
        ("do i = 1, n", "do i = 1, n - 1", Difference.STATEMENT),
        ("real :: y(n)", "real(8) :: y(n)", Difference.STATEMENT),
        ("only: x", "only: z", Difference.USE),
        ("  call t(y)\n", "", Difference.CALL),
        ("subroutine s(n, y)", "subroutine s(y, n)", Difference.DEFINITION),
        ("'text'", "'Text'", Difference.STATEMENT),
    ],
)
def test_a_change_is_seen_and_named(old, new, kind):
    assert kinds(TEXT, TEXT.replace(old, new)) == [kind]


def test_a_change_knows_both_places():
    (found,) = agrees(TEXT.encode(), TEXT.replace("x + 1.0", "&\n x - 1.0").encode(), "free")
    assert (found.before, found.after) == (Lines("source", 8, 8), Lines("source", 8, 9))
    assert (found.text_before, found.text_after) == ("y(i) = x + 1.0", "y(i) = x - 1.0")


def test_directives_comments_case_and_layout_are_left_aside():
    port = TEXT.replace("  do i", "!$acc parallel loop private(i)\n! why\n  DO i").replace(
        "call t(y)", "call &\n  t( y )"
    )
    assert kinds(TEXT, port) == []


def test_what_cannot_be_read_does_not_count_as_different():
    broken = TEXT.replace("x + 1.0", "x + + )")
    assert kinds(broken, TEXT) == [Difference.UNREADABLE_BEFORE]
    (found,) = agrees(TEXT.encode(), broken.encode(), "free")
    assert found.kind is Difference.UNREADABLE_AFTER and found.kind.is_unreadable
    assert found.after == Lines("source", 8, 8)
    assert [d.is_unreadable for d in kinds(broken, broken)] == [True, True]


def test_parses_names_the_original_line():
    case = CASES / "48_coarray.f90"
    problem = parses(view_of(load_manifest(case), case.name, case.read_bytes()))
    assert problem is not None
    assert problem.at.file == "48_coarray.f90"
    assert "[*]" in problem.text


@pytest.mark.parametrize(
    "case", ["01_shared_do.f", "34_hollerith.f", "57_keywords_spaces.f", "61_alt_return.f",
             "32_tabs.f", "30_cpp_mid_statement.F90", "44_include.f90", "35_latin1_crlf.f90"],
)  # fmt: skip
def test_hard_cases_are_read(case):
    path = CASES / case
    assert parses(view_of(load_manifest(path), case, path.read_bytes())) is None


def test_known_gaps_are_bridged():
    text = (
        "subroutine s(s1)\nTYPE( g ) v\ncharacter*(*)s1\n10 format(2x,-2p10f12.2)\nend subroutine\n"
    )
    assert kinds(text, text) == []
    assert kinds(text, text.replace("-2p", "-1p")) == [Difference.STATEMENT]
