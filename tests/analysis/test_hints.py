"""Reading of `!$acclimate` hints."""

import pytest

from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.facts import Hint
from acclimate.analysis.hints import Hints, check
from acclimate.analysis.problems import Problem

FREE = """
subroutine s(a, p, q, idx, n)
  integer :: n, i, k, idx(n)
  real :: a(n)
  real, pointer :: p(:), q(:)
  {hint}
  do i = 1, n
    do k = 1, n
      a(idx(i)) = p(i)
    end do
  end do
  a = 0.0
  i = 1
end subroutine
"""


@pytest.mark.parametrize(
    ("hint", "what", "step"),
    [
        ("!$acclimate paralel", "'paralel' is not a hint", "did you mean 'parallel'?"),
        ("!$acclimate inject(idx)", "'inject' is not a hint", "did you mean 'injective'?"),
        ("!$acclimate private", "'private' names no variable", "write private(name)"),
        ("!$acclimate skip(a)", "'skip' takes no names", "write skip alone"),
        ("!$acclimate private(a", "'private(a': the parentheses do not match", "the words are"),
        ("!$acclimate injective(idy)", "'idy' is no variable of 's'", "did you mean 'idx'?"),
        ("!$acclimate injective(a)", "'a' is no index table", "name an integer array"),
        ("!$acclimate injective(n)", "'n' is no index table", "name an integer array"),
        ("!$acclimate injective(p(:))", "'p(:)' is no index table", "name an integer array"),
        ("!$acclimate 7", "'7' is not a hint", "the words are"),
        ("!$acclimate", "'' is not a hint", "the words are"),
    ],
)
def test_what_is_no_hint_is_an_error(project_of, hint, what, step):
    with pytest.raises(Problem) as error:
        check(project_of({"s.f90": FREE.format(hint=hint)}))
    assert error.value.what == what
    assert error.value.hint.startswith(step)
    assert (error.value.where.path.name, error.value.where.line) == ("s.f90", 6)


@pytest.mark.parametrize("statement", ["return", "i = 1", "a(1) = 0.0", "x%y = 1.0"])
def test_a_hint_before_no_loop_is_an_error(project_of, statement):
    text = FREE.format(hint="").replace("  i = 1", f"  !$acclimate skip\n  {statement}")
    with pytest.raises(Problem, match="a hint stands before no loop"):
        check(project_of({"s.f90": text}))


def hints(project, line):
    unit = project.units["s"]
    found = Hints(project, unit)
    statements = {s.at.first: s for s in inside(unit.body)}
    return [(h.text, h.at.first) for h in found.in_force(statements[line])]


def test_words_and_names(project_of):
    project = project_of(
        {"s.f90": FREE.format(hint="!$acclimate skip, private(k , a) NOALIAS(P,q)")}
    )
    assert hints(project, 7) == [("skip", 6), ("private(k, a)", 6), ("noalias(p, q)", 6)]
    assert hints(project, 8) == [("skip", 6), ("noalias(p, q)", 6)]  # not what is said of one loop
    assert hints(project, 12) == []


def test_continued_lines_and_several_comments(project_of):
    text = "!$acclimate noalias(p, &\n  !$acclimate& q)\n  ! a remark\n  !$acclimate parallel"
    project = project_of({"s.f90": FREE.format(hint=text)})
    assert hints(project, 10) == [("noalias(p, q)", 6), ("parallel", 9)]


def test_fixed_form(project_of):
    text = """\
      subroutine s(a, idx, n)
      integer n, i, idx(n)
      real a(n)
c$acclimate injective(idx)
      do 10 i = 1, n
   10 a(idx(i)) = 0.0
      end
"""
    assert hints(project_of({"s.f": text}), 5) == [("injective(idx)", 4)]


def test_a_hint_before_an_array_statement(project_of):
    text = FREE.format(hint="").replace("  a = 0.0", "  !$acclimate skip\n  a = 0.0")
    assert hints(project_of({"s.f90": text}), 13) == [("skip", 12)]


@pytest.mark.parametrize("statement", ["b = 0.0", "b(1:n) = 0.0", "where (b > 0.0) b = 0.0"])
def test_a_hint_before_an_array_statement_on_an_associate_name(project_of, statement):
    block = f"  associate (b => a)\n  !$acclimate skip\n  {statement}\n  end associate"
    text = FREE.format(hint="").replace("  a = 0.0", block)
    assert hints(project_of({"s.f90": text}), 14) == [("skip", 13)]


def test_a_component_may_be_an_index_table(project_of):
    text = """
module m
  type t
    integer :: one, many(9)
    real :: x(9)
  end type
contains
  subroutine s(a, f)
    real :: a(9)
    type(t) :: f(9)
    integer :: i
    !$acclimate injective({table})
    do i = 1, 9
      a(f(1)%many(i)) = a(f(i)%one)
    end do
  end subroutine
end module
"""
    for table in ("f%one", "f(1)%many", "f%many"):
        check(project_of({"s.f90": text.format(table=table)}))
    with pytest.raises(Problem, match="'f%x' is no index table"):
        check(project_of({"s.f90": text.format(table="f%x")}))


def test_the_text_of_a_hint_is_the_hint():
    assert Hint(None, "noalias", ("p", "q")).text == "noalias(p, q)"
