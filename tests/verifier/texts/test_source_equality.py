import pytest
from hypothesis import given
from hypothesis import strategies as st

from acclimate.verifier.texts.source_equality import changed_statements
from acclimate.verifier.texts.source_file import SourceFile
from acclimate.verifier.texts.statement_change import TELLING

BEFORE = """\
subroutine s(a, n)
  real :: a(n)
  do i = 1, n
    a(i) = a(i) + 1.0
    a(i) = 2.0*a(i)
  end do
end subroutine s
"""


def differences(before: str, after: str, form: str = "free") -> list[tuple[str, int]]:
    old = SourceFile("a.f90", before.encode("latin-1"), form, 72)
    new = SourceFile("a.f90", after.encode("latin-1"), form, 72)
    return [(c.kind, c.at.first) for c in changed_statements({"a": old}, {"a": new})]


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (BEFORE.replace("+ 1.0", "- 1.0"), [("operator or sign changed", 4)]),
        (BEFORE.replace("    a(i) = 2.0*a(i)\n", ""), [("statement dropped", 5)]),
        (BEFORE.replace("  do i", "  a(1) = 0\n  do i"), [("statement added", 3)]),
        (
            BEFORE.replace("a(i) = a(i) + 1.0\n    a(i) = 2.0*a(i)", "a(i) = 2.0*a(i)\nx = 1"),
            [("statement dropped", 4), ("statement added", 5)],
        ),
        (
            BEFORE.replace(
                "    a(i) = a(i) + 1.0\n    a(i) = 2.0*a(i)\n",
                "    a(i) = 2.0*a(i)\n    a(i) = a(i) + 1.0\n",
            ),
            [("moved", 4)],
        ),
    ],
)
def test_what_changed_is_named_at_its_place_in_the_port(after, expected):
    assert differences(BEFORE, after) == expected


GUARDED = BEFORE.replace("1, n\n", "1, n\n    if (a(i) > 9) cycle\n")


def test_a_branch_that_is_gone_was_a_guard_and_one_that_moved_is_not_gone():
    assert differences(GUARDED, BEFORE) == [("guard dropped", 4)]
    moved = BEFORE.replace("  end do", "    if (a(i) > 9) cycle\n  end do")
    assert differences(GUARDED, moved) == [("moved", 6)]


def test_a_like_statement_in_another_procedure_is_no_changed_one():
    core = "subroutine core(a, b, i)\n  b = a(i)\nend subroutine core\n"
    called = BEFORE.replace("    a(i) = a(i) + 1.0\n", "")
    for text in (core + called, called + core):
        assert not {kind for kind, _ in differences(BEFORE, text)} & TELLING
    assert ("write set changed", 4) in differences(BEFORE, BEFORE.replace("a(i) = a", "b = a"))


def test_an_array_statement_made_a_loop_changes_no_meaning_by_itself():
    before = "subroutine s(to, from)\n  to%rw(:, :) = from%rw(:, :)\nend subroutine\n"
    loops = """\
  do j = lbound(to%rw, 2), ubound(to%rw, 2)
    do i = lbound(to%rw, 1), ubound(to%rw, 1)
      to%rw(i, j) = from%rw(i - lbound(to%rw, 1) + lbound(from%rw, 1), &
        j - lbound(to%rw, 2) + lbound(from%rw, 2))
    end do
  end do
"""
    found = differences(before, before.replace("  to%rw(:, :) = from%rw(:, :)\n", loops))
    assert not {kind for kind, _ in found} & TELLING


@pytest.mark.parametrize(
    "after",
    [
        BEFORE.replace("  do i", "  !$acc parallel loop &\n  !$acc& copy(a)\n  do i"),
        BEFORE.replace("do i = 1, n", "DO I=1,N   ! comment"),
        BEFORE.replace("a(i) + 1.0", "a(i) &\n   ! why\n   & + 1.0"),
        BEFORE.replace("    a(i) = 2.0*a(i)", "\n\n    a(i)=2.0*a(i);"),
    ],
    ids=["directives", "case and comments", "continuation", "blank lines"],
)
def test_the_same_tokens_are_equal(after):
    assert differences(BEFORE, after) == []


def test_letters_in_quotes_are_not_folded():
    assert differences("print *, 'a'\n", "print *, 'A'\n") != []


def test_preprocessor_lines_and_other_directives_count():
    assert differences("x = 1\n", "#ifdef A\nx = 1\n#endif\n") != []
    assert differences("x = 1\n", "!$omp atomic\nx = 1\n") != []


def test_fixed_form_is_compared_by_statement():
    before = "      DO 10 I = 1, N\n   10 A(I) = 1\n      END\n"
    after = "C$ACC PARALLEL LOOP\n      DO 10 I = 1,\n     &  N\n   10 A(I)=1\n      END\n"
    assert differences(before, after.replace("C$ACC", "!$ACC"), "fixed") == []
    assert differences(before, after.replace("I)=1", "I)=2"), "fixed") == [("constant changed", 4)]


def test_one_file_programs_are_paired_whatever_their_names():
    old = SourceFile("prog.f90", b"x = 1\nend\n", "free", None)
    new = SourceFile("port.f90", b"x = 2\nend\n", "free", None)
    found = changed_statements({"prog.f90": old}, {"port.f90": new})
    assert [(c.at.file, c.at.first) for c in found] == [("port.f90", 1)]


def test_a_dropped_file_is_not_forgotten():
    old = SourceFile("a.f90", b"x = 1\nend\n", "free", None)
    kept = SourceFile("b.f90", b"y = 1\nend\n", "free", None)
    found = changed_statements({"a.f90": old, "b.f90": kept}, {"b.f90": kept})
    assert {c.kind for c in found} == {"statement dropped"}


LINES = st.lists(st.sampled_from([f"x{n} = {n}" for n in range(9)]), min_size=1, max_size=12)


@given(lines=LINES, at=st.integers(0, 11), extra=st.sampled_from(["y = 1", "x1 = 2"]))
def test_any_single_insertion_is_found(lines, at, extra):
    changed = [*lines[:at], extra, *lines[at:]]
    assert differences("\n".join(lines), "\n".join(changed)) != []
