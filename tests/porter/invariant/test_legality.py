"""Any data directive dropped from a port is missed by the invariant check, with file and line."""

import re
from typing import Any

import pytest

from acclimate.analysis.index import ProjectIndex
from acclimate.porter import engine
from acclimate.porter.invariant.legality import BrokenInvariant, violations
from acclimate.porter.rewrite import Rewrite

DATA = re.compile(r"\s*!\$acc (update|enter data|exit data)")


@pytest.fixture
def model(models: Any) -> tuple[ProjectIndex, dict[str, str]]:
    index = models.column()
    return index, models.ported(index)


def without_each_data_directive(text: str) -> list[tuple[int, str]]:
    lines = text.split("\n")
    mutants = []
    for first, line in enumerate(lines):
        if DATA.match(line):
            last = first
            while lines[last].endswith("&"):
                last += 1
            mutants.append((first + 1, "\n".join(lines[:first] + lines[last + 1 :])))
    return mutants


def test_every_dropped_directive_is_found(model: tuple[ProjectIndex, dict[str, str]]) -> None:
    index, files = model
    data = {file: text.encode() for file, text in files.items()}
    mutants = [(f, *m) for f, text in files.items() for m in without_each_data_directive(text)]
    survivors = [
        (file, line) for file, line, text in mutants
        if not violations(index, data | {file: text.encode()})
    ]  # fmt: skip
    assert len(mutants) >= 8 and survivors == []


def test_the_port_as_it_is_breaks_nothing(model: tuple[ProjectIndex, dict[str, str]]) -> None:
    index, files = model
    assert violations(index, {file: text.encode() for file, text in files.items()}) == ()


def test_a_violation_names_unit_file_and_line(model: tuple[ProjectIndex, dict[str, str]]) -> None:
    index, files = model
    text = re.sub(r".*!\$acc update self\(flux, now%q\).*\n", "", files["main.f90"])
    assert text != files["main.f90"]
    found = violations(
        index, {**{f: t.encode() for f, t in files.items()}, "main.f90": text.encode()}
    )
    line = next(n for n, row in enumerate(text.split("\n"), 1) if "sum(flux)" in row)
    assert {(v.unit, v.at.file, v.at.first) for v in found} == {("main", "main.f90", line)}
    assert any("update self(flux)" in v.message for v in found)


def test_assembling_a_broken_port_aborts(models: Any) -> None:
    index = models.column()
    plan = engine.plan(index)
    rewrites = {}
    for unit in plan.changed_units:
        said = engine.propose(plan, unit, index)
        assert isinstance(said, Rewrite)
        kept = tuple(e for e in said.edits if not any("update self" in t for t in e.text))
        rewrites[unit] = Rewrite(unit, said.author, kept, said.refusals, said.offloaded)
    with pytest.raises(BrokenInvariant) as caught:
        engine.assemble(plan, rewrites, index)
    assert "main" in caught.value.units


BRANCHES = """
    module fields
      implicit none
      real(8), allocatable :: a(:)
    contains
      subroutine setup(n, wide)
        integer, intent(in) :: n, wide
        if (wide == 1) then
          allocate (a(2*n))
        else
          allocate (a(n))
        end if
      end subroutine setup
      subroutine work(n)
        integer, intent(in) :: n
        integer :: i
        do i = 1, n
          a(i) = 2.0d0*i
        end do
      end subroutine work
    end module fields
    program main
      use fields
      implicit none
      call setup(10, 1)
      call work(10)
      print *, sum(a(1:10))
    end program main
    """


def test_storage_of_one_branch_is_not_entered_by_the_other(models: Any) -> None:
    index = models.indexed({"main.f90": BRANCHES})
    text = models.ported(index)["main.f90"]
    assert text.count("enter data create(a)") == 2
    assert violations(index, {"main.f90": text.encode()}) == ()
    for _, mutant in without_each_data_directive(text):
        assert violations(index, {"main.f90": mutant.encode()})


KEPT = """
    module grow
      implicit none
    contains
      subroutine work(n, a)
        integer, intent(in) :: n
        real(8), intent(inout) :: a(n)
        integer :: i
        do i = 1, n
          a(i) = a(i) + 1.0d0
        end do
      end subroutine work
      integer function grown(n, a)
        integer, intent(in) :: n
        real(8), intent(inout) :: a(n)
        call work(n, a)
        grown = n
      end function grown
    end module grow
    program main
      use grow
      implicit none
      real(8), allocatable :: a(:)
      integer :: i
      allocate (a(50))
      a = 1
      i = 0
      call work(50, a)
      print *, a(1)
{rest}
    end program main
"""


@pytest.mark.parametrize(
    ("rest", "updates"),
    [
        ("if (a(2) > 0) then\n if (a(3) > 0) then\n print *, a(4)\n end if\n end if", 1),
        ("a(2) = 2\n if (i > 0) then\n i = 1\n else\n i = 2\n end if\n print *, a(3)", 1),
        ("call work(50, a)\n print *, a(2)", 2),
        ("if (i > 0) then\n call work(50, a)\n end if\n print *, a(2)", 2),
        ("if (grown(50, a) > 0) then\n print *, a(2)\n end if", 2),
        ("10 continue\n print *, a(2)\n call work(50, a)\n i = i + 1\n if (i < 3) goto 10", 2),
        ("do i = 1, 3\n call work(50, a)\n if (i == 2) exit\n print *, a(2)\n end do\n"
         " print *, a(3)", 3),
        ("out: if (i > 0) then\n call work(50, a)\n if (i > 1) exit out\n print *, a(2)\n"
         " end if out\n print *, a(3)", 3),
    ],
)  # fmt: skip
def test_what_is_on_the_host_is_not_brought_again_and_nothing_less_is_enough(
    models: Any, rest: str, updates: int
) -> None:
    """Each update is needed on some way through the program, and the check knows."""
    index = models.indexed({"main.f90": KEPT.replace("{rest}", rest)})
    text = models.ported(index)["main.f90"]
    assert text.count("update self(a)") == updates
    for _, mutant in without_each_data_directive(text):
        assert violations(index, {"main.f90": mutant.encode()})


def test_beside_another_configuration_nothing_is_remembered(models: Any) -> None:
    rest = "#ifdef MORE\n i = 2\n#endif\n print *, a(2)"
    index = models.indexed({"main.F90": KEPT.replace("{rest}", rest)})
    assert models.ported(index)["main.F90"].count("update self(a)") == 2
