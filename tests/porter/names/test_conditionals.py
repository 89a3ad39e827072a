"""Preprocessor conditions: a port is right in every configuration, or it is refused."""

from pathlib import Path
from typing import Any

import pytest

from acclimate.analysis.index import ProjectIndex, index_project
from acclimate.analysis.tree.manifest import Manifest
from acclimate.porter import engine
from acclimate.porter.names.conditionals import Conditionals

MODEL = """
module fields
  implicit none
  integer, parameter :: n = 50
{fields}
contains
  subroutine work(a)
    real(8), intent(inout) :: a(n)
    real(8) :: x, y
    integer :: i
    do i = 1, n
      x = a(i)
{nest}
      a(i) = a(i) + limited(x)
    end do
  end subroutine work
  function limited(x) result(y)
    real(8), intent(in) :: x
    real(8) :: y
    y = x
{routine}
  end function limited
end module fields
program main
  use fields
  implicit none
  integer :: k
  real(8), allocatable :: q(:)
{main}
end program main
"""
MAIN = "allocate (q(n))\nq = 1.0d0\ncall work(q)\n{}print *, q\ndeallocate (q)"


def index(folder: Path, **parts: str) -> ProjectIndex:
    parts = {"fields": "", "nest": "", "routine": "", "main": MAIN.format("")} | parts
    (folder / "main.F90").write_text(MODEL.format(**parts))
    (folder / "elsewhere.f90").write_text("module elsewhere\nend module elsewhere\n")
    sources = ("elsewhere.f90", "main.F90")
    return index_project(Manifest(root=folder, name="test", sources=sources))


def refused(found: ProjectIndex) -> str:
    """The reason for the loop in `work`, "" if it is a kernel."""
    plan = engine.plan(found)
    loop = next(d for d in plan.loops if d.unit == "fields::work")
    if loop.refusal is None:
        return ""
    assert loop.refusal.next_step == "port each configuration by itself: set [model] defines"
    return loop.refusal.reason


def ported(found: ProjectIndex) -> list[str]:
    plan = engine.plan(found)
    said: Any = {unit: engine.propose(plan, unit, found) for unit in plan.changed_units}
    text = engine.assemble(plan, said, found)["main.F90"].decode()
    return [line.strip() for line in text.split("\n")]


BAD_MAIN = {
    "call": "#ifdef X\ncall work(q)\n#endif\n",
    "allocation": "#ifdef X\ndeallocate (q)\nallocate (q(n))\n#endif\n",
    "jump": "do k = 1, 2\n#ifdef X\nif (k > 1) exit\n#endif\nq(k) = 1\nend do\n",
    "launch": "#ifdef X\nq(1) = 2\n#else\ncall work(q)\n#endif\n",
}


@pytest.mark.parametrize("code", BAD_MAIN.values(), ids=BAD_MAIN)
def test_code_that_is_not_compiled_keeps_its_data_on_the_host(code: str, tmp_path: Path) -> None:
    assert "'#ifdef X' (main.F90:" in refused(index(tmp_path, main=MAIN.format(code)))


@pytest.mark.parametrize(
    "main",
    [
        "#ifndef X\nallocate (q(n))\n#endif\nq = 1\ncall work(q)",
        "allocate (q(n))\nq = 1\ncall work(q)\n#ifndef X\ndeallocate (q)\n#endif",
    ],
)
def test_storage_under_a_condition_is_refused(main: str, tmp_path: Path) -> None:
    assert "located under '#ifndef X' (main.F90:" in refused(index(tmp_path, main=main))


def test_a_declaration_under_a_condition_is_refused(tmp_path: Path) -> None:
    fields = "#ifndef X\nreal(8) :: s(n) = 1.0d0\n#endif"
    main = "call work(s)\nprint *, s"
    assert "'s' is declared under" in refused(index(tmp_path, fields=fields, main=main))
    assert not refused(index(tmp_path, fields="real(8) :: s(n) = 1.0d0", main=main))


def test_a_region_whose_branches_use_the_data_stands_in_one_bracket(tmp_path: Path) -> None:
    code = "#ifdef X\nq(1) = q(2)\n#else\nq(1) = 0\n#endif\n"
    lines = ported(index(tmp_path, main=MAIN.format(code)))
    first, last = lines.index("#ifdef X"), lines.index("#endif")
    assert lines[first - 1] == "!$acc update self(q)"
    assert lines[last + 1] == "!$acc update device(q)"
    assert not any("acc" in line for line in lines[first:last])


def test_a_condition_on_other_things_changes_nothing(tmp_path: Path) -> None:
    code = "#ifdef X\nprint *, 'x', n\n#else\nprint *, q(1)\n#endif\n"
    lines = ported(index(tmp_path, main=MAIN.format(code)))
    assert lines[lines.index("#else") + 1 :][:3] == [
        "!$acc update self(q)", "print *, q(1)", "#endif",
    ]  # fmt: skip


def test_data_enters_before_a_condition_that_the_program_begins_with(tmp_path: Path) -> None:
    main = "#ifndef X\nprint *, 'plain'\n#endif\ncall work(s)\nprint *, s"
    lines = ported(index(tmp_path, fields="real(8) :: s(n) = 1.0d0", main=main))
    assert lines[lines.index("#ifndef X") - 1] == "!$acc enter data copyin(s)"


BAD_NESTS = [
    "#ifdef X\na(i) = 0\n#endif",
    "#ifdef X\nprint *, x\n#endif",
    "#ifdef X\nx = a(i + 1)\n#endif",
    "#ifdef X\nx = other(x)\n#endif",
    "#ifndef X\ny = 2.0d0\n#endif\nx = y",
    "#ifndef X\ndo k = 1, n\n#else\ndo k = n, 1, -1\n#endif\nx = x + k\nend do",
]


@pytest.mark.parametrize("nest", BAD_NESTS)
def test_nests_over_code_that_is_not_compiled_are_refused(nest: str, tmp_path: Path) -> None:
    assert "(main.F90:" in refused(index(tmp_path, nest=nest))


@pytest.mark.parametrize(
    "nest",
    [
        "#ifdef X\ny = 2.0d0\n#else\ny = 3.0d0*n\n#endif\nx = y",
        "#ifndef X\na(i) = 2.0d0*x\n#endif",
        "#ifdef X\n! only a comment\n#endif",
    ],
)
def test_nests_whose_branches_set_the_same_scalars_are_ported(nest: str, tmp_path: Path) -> None:
    assert not refused(index(tmp_path, nest=nest))


@pytest.mark.parametrize(
    ("routine", "accepted"),
    [
        ("#ifdef LOW\ny = 0.5_8*abs(x)\n#else\ny = x*x\n#endif", True),
        ("#ifdef LOW\nif (x > 1.0) then\ny = 1\nelse\ny = max(x, &\n 0.0d0)\nend if\n#endif", True),
        ("#ifdef LOW\nif (x > 1.0) print *, x\n#endif", False),
        ("#ifdef LOW\nif (x > 1.0) stop\n#endif", False),
        ("#ifdef LOW\ny = table(1)\n#endif", False),
        ("#ifdef LOW\nx = 1\n#endif", False),
    ],
)
def test_branches_of_device_routines_are_screened(
    routine: str, accepted: bool, tmp_path: Path
) -> None:
    found = index(tmp_path, routine=routine, fields="real(8) :: table(3) = 1")
    plan = engine.plan(found)
    loop = next(d for d in plan.loops if d.unit == "fields::work")
    assert (loop.refusal is None) is accepted
    assert accepted or "under '#ifdef LOW'" in str(loop.refusal)


def test_debugging_lines_in_a_nest_are_code_that_is_not_compiled(tmp_path: Path) -> None:
    text = "      program p\n      real a(50)\n      do i = 1, 50\n{}      a(i) = i\n      end do\n"
    text += "      print *, a\n      end\n"
    manifest = Manifest(root=tmp_path, name="test", sources=("p.f",))
    for line, kernels in (("D     print *, i\n", 0), ("C     print *, i\n", 1)):
        (tmp_path / "p.f").write_text(text.format(line))
        assert len(engine.plan(index_project(manifest)).kernels) == kernels


def test_an_include_guard_is_no_condition(tmp_path: Path) -> None:
    found = index(tmp_path)
    text = (tmp_path / "main.F90").read_text()
    for before, count in (("! a\n#ifndef G\n#define G\n", 0), ("#ifndef G\n", 1)):
        (tmp_path / "main.F90").write_text(before + text + "#endif\n")
        found = index_project(found.project.manifest)
        assert len(Conditionals(found.project).regions("main.F90")) == count


def test_a_refused_atomic_update_says_what_the_rule_said(tmp_path: Path) -> None:
    main = "allocate (q(n))\nq = 0\ndo k = 1, n\nq(2) = max(q(2), 0.5d0*k)\nend do\nprint *, q"
    plan = engine.plan(index(tmp_path, main=main))
    (loop,) = [d for d in plan.loops if d.unit == "main" and d.refusal]
    assert loop.refusal and "one and the same" in loop.refusal.reason
