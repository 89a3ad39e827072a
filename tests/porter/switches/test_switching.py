"""Units under switches: what cannot be switched first, then the port on both sides of a switch."""

import os
import re
import subprocess
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acclimate.analysis.index import ProjectIndex
from acclimate.analysis.switches import DECLARATION, FUNCTION_LINES, VARIABLE, on
from acclimate.porter import engine
from acclimate.porter.invariant.legality import violations
from acclimate.porter.switches.generated_lines import conditional, switched_lines
from acclimate.porter.text.directives_text import directive
from acclimate.verifier.running.emulation import POISONS, Runtime, build_runtime
from acclimate.verifier.toolchains import Build
from acclimate.verifier.toolchains.gfortran import TOOLCHAIN

FLAGS = [*TOOLCHAIN.always, *TOOLCHAIN.flags[Build.HOST], "-O1"]

PLAIN = """
    program main
      implicit none
      integer, parameter :: n = 40
      real(8) :: a(n), b(n)
      integer :: i, j
    {declared}
      a = 1.0d0
    {loop}
      print *, sum(a)
    end program main
"""
LOOP = "do i = 1, n\n a(i) = a(i) + i\nend do"


def switched(models: Any, index: ProjectIndex) -> dict[str, str]:
    """The changed files of a port with switches."""
    plan = engine.plan(index, switches=True)
    files = engine.assemble(plan, models.proposals(plan, index), index)
    return {file: data.decode("latin-1") for file, data in files.items()}


def plain(loop: str = LOOP, declared: str = "") -> dict[str, str]:
    return {"main.F90": dedent(PLAIN).format(loop=loop, declared=declared)}


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        pytest.param(plain(declared="integer :: acc_on"), "the name 'acc_on' is taken", id="name"),
        pytest.param(
            plain(f"if (a(1) > 2.0d0) go to 10\nb = 0.0d0\n10 {LOOP}"), "jumped to", id="jumped to"
        ),
        pytest.param(
            plain("do 10 j = 1, 2\nprint *, j\ndo 10 i = 1, n\n10 a(i) = a(i) + i"),
            "a loop around it has the same last statement",
            id="no place behind",
        ),
        pytest.param(
            plain("do i = 1, n\n a(i) = a(i) + i\nend do; j = 3"),
            "another statement stands",
            id="no line behind",
        ),
        pytest.param(
            plain("#ifdef MORE\ndo i = 2, n\n#else\ndo i = 1, n\n#endif\n a(i) = i\nend do"),
            "how it begins depends on the preprocessor",
            id="other configurations",
        ),
    ],
)
def test_a_unit_that_cannot_be_switched_is_told_and_ported_as_ever(
    models: Any, files: dict[str, str], reason: str
) -> None:
    index = models.indexed(files)
    plan = engine.plan(index, switches=True)
    assert [(s.unit, bool(s.refusal and reason in s.refusal.reason)) for s in plan.switches] == [
        ("main", True)
    ], plan.switches
    assert switched(models, index) == models.ported(index)


def test_a_name_too_long_for_a_line_of_fixed_form_has_no_switch(models: Any) -> None:
    name = "m" * 50
    lines = [
        f"module {name}", "contains", "subroutine add(n, a)", "integer n, i", "real a(n)",
        "do i = 1, n", "a(i) = a(i) + i", "end do", "end subroutine", "end module", "program main",
        f"use {name}", "real b(50)", "b = 0.0", "call add(50, b)", "print *, b", "end program",
    ]  # fmt: skip
    (models.folder / "main.f").write_text("".join(f"      {line}\n" for line in lines))
    plan = engine.plan(models.read(), switches=True)
    told = {switch.unit: switch.refusal for switch in plan.switches}
    refusal = told[f"{name}::add"]
    assert refusal is not None and "columns" in refusal.reason
    assert told["main"] is None


def test_no_switch_without_asking(models: Any) -> None:
    index = models.column()
    assert engine.plan(index).switches == ()
    assert not any("acc_on" in text for text in models.ported(index).values())


# --- the invariant -------------------------------------------------------------------------------

OFF = re.compile(r"\s*!\$acc update .*if\(\.not\. acc_on", re.DOTALL)


def directives(text: str) -> list[tuple[int, int]]:
    """First and last line number (from 0) of every directive."""
    lines, found = text.split("\n"), []
    for first, line in enumerate(lines):
        if line.lstrip().startswith("!$acc") and not (first and lines[first - 1].endswith("&")):
            last = first
            while lines[last].endswith("&"):
                last += 1
            found.append((first, last))
    return found


def broken(text: str) -> list[tuple[int, str]]:
    """Every way to drop one update of a switched kernel, or to forget its IF clause."""
    lines, found = text.split("\n"), []
    for first, last in directives(text):
        whole = "\n".join(lines[first : last + 1])
        if OFF.match(whole):
            found.append((first, "\n".join(lines[:first] + lines[last + 1 :])))
        elif "if(acc_on(" in whole:
            bare = re.sub(r"( &\n *!\$acc  )? if\(acc_on\('[^']*'\)\)", "", whole)
            found.append((first, "\n".join([*lines[:first], bare, *lines[last + 1 :]])))
    return found


@pytest.mark.parametrize(("model", "least"), [("column", 15), ("neighbours", 6)])
def test_every_dropped_update_and_condition_is_found(models: Any, model: str, least: int) -> None:
    loops = f"{LOOP}\nb = 2.0d0*a\n{LOOP}\nprint *, b(3)"
    index = models.column() if model == "column" else models.indexed(plain(loops))
    files = switched(models, index)
    data = {file: text.encode() for file, text in files.items()}
    assert violations(index, data) == ()
    mutants = [(f, *mutant) for f, text in files.items() for mutant in broken(text)]
    survivors = [
        (file, line, files[file].split("\n")[line]) for file, line, text in mutants
        if not violations(index, data | {file: text.encode()})
    ]  # fmt: skip
    assert len(mutants) >= least and survivors == []


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        pytest.param(
            r"(update device\(now%q\)|update device\(acc_1\)) if\(.not. acc_on\('main::physics'",
            r"\1 if(.not. acc_on('main::other'",
            "behind it is missing",
            id="the switch of another unit",
        ),
        pytest.param(
            r"if\(acc_on\('main::physics'\)\)", "if(acc_on('main'))", "is at no kernel", id="kernel"
        ),
        pytest.param(
            r"( +!\$acc update self\(now%q\) if\(\.not\. acc_on\('main::physics'\)\)\n)",
            r"\1    nx = nx\n",
            "before it is missing",
            id="a statement in between",
        ),
    ],
)
def test_an_update_that_waits_for_something_else_does_not_count(
    models: Any, old: str, new: str, told: str
) -> None:
    index = models.column()
    files = switched(models, index)
    text, count = re.subn(old, new, files["main.f90"], count=1)
    assert count == 1, files["main.f90"]
    data = {file: each.encode() for file, each in (files | {"main.f90": text}).items()}
    found = violations(index, data)
    assert any(told in each.message and each.unit == "main::physics" for each in found), found


def test_a_port_with_switches_needs_no_second_port(models: Any) -> None:
    index = models.column()
    for file, text in switched(models, index).items():
        (models.folder / file).write_text(text)
    again = models.read()
    assert engine.plan(again).changed_units == ()
    assert engine.plan(again, switches=True).changed_units == ()


def test_new_kernels_of_a_port_with_switches_ask_the_function_that_stands(models: Any) -> None:
    for file, text in switched(models, models.column()).items():
        (models.folder / file).write_text(text)
    path = models.folder / "main.f90"
    begin, end = path.read_text().split("    end associate\n  end subroutine physics")
    more = "    do i = 1, nx\n      flux(i, 1) = 0.5d0*flux(i, 1)\n    end do\n"
    path.write_text(f"{begin}    end associate\n{more}  end subroutine physics{end}")
    text = switched(models, models.read())["main.f90"]
    physics = text[text.index("subroutine physics") : text.index("end subroutine physics")]
    assert physics.count("if(acc_on('main::physics'))") == 2
    assert physics.count(DECLARATION) == 1 and text.count("logical function acc_on") == 1


# --- lines that rules have written ---------------------------------------------------------------

_NAMES = st.lists(st.from_regex(r"[a-z]\w{0,20}", fullmatch=True), min_size=1, max_size=12)


@given(names=_NAMES, form=st.sampled_from(["free", "fixed"]), ends=st.integers(1, 3))
def test_generated_kernels_keep_their_words_and_loops(
    names: list[str], form: str, ends: int
) -> None:
    words = ("parallel loop gang vector", "default(present)", f"private({', '.join(names)})")
    margin = 6
    loops = [f"{' ' * margin}do i{n} = 1, n" for n in range(ends)]
    body = [*loops, f"{' ' * margin}a = 1", *([f"{' ' * margin}end do"] * ends)]
    lines = [*directive(words, margin, form), *body, "      b = 2"]
    condition = on("m::unit")
    found = switched_lines(lines, form, condition, lambda _: (["before"], ["behind"]))
    kernel = directive(conditional(words, condition), margin, form)
    assert list(found) == ["before", *kernel, *body, "behind", "      b = 2"]


def test_other_conditions_stand_behind_the_switch() -> None:
    words = ("parallel", "if(a > 1 .or. b)", "default(present)")
    assert conditional(words, "acc_on('u')") == (
        "parallel",
        "default(present)",
        "if(acc_on('u') .and. (a > 1 .or. b))",
    )


def test_a_directive_without_its_loop_is_refused() -> None:
    with pytest.raises(ValueError, match="no loop"):
        switched_lines(["!$acc parallel loop", "a = 1"], "free", "acc_on('u')", lambda _: ([], []))


# --- runs ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Runtime:
    return build_runtime(tmp_path_factory.mktemp("runtime"))


def built(folder: Path, names: list[str], flags: list[str]) -> Path:
    argv = ["gfortran", *flags, "-o", "program", *names]
    subprocess.run(argv, cwd=folder, check=True, capture_output=True, timeout=120)
    return folder / "program"


def ran(program: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(program)], cwd=program.parent, capture_output=True, text=True, timeout=60,
        env=os.environ | environment, check=False,
    )  # fmt: skip


@pytest.mark.gfortran
def test_both_sides_of_a_switch_give_the_same_bits(
    models: Any, runtime: Runtime, tmp_path: Path
) -> None:
    index, names = models.column(), ["state.f90", "main.f90"]
    expected = ran(built(models.folder, names, ["-O1"]), {}).stdout
    for file, text in switched(models, index).items():
        (models.folder / file).write_text(text)
    program = built(models.folder, names, FLAGS)
    for off in ("", "all", "main::physics", "main::dynamics", "state", "main,state::fill_table"):
        for poison in POISONS:
            environment = runtime.environment(tmp_path / "report", poison) | {VARIABLE: off}
            assert ran(program, environment).stdout == expected, (off, poison)
    path = models.folder / "main.f90"
    dropped = re.sub(r" *!\$acc update self\(.*if\(.not. acc_on\('main::dynamics'.*\n", "",
                     path.read_text(), count=1)  # fmt: skip
    path.write_text(dropped)
    program = built(models.folder, names, FLAGS)
    environment = runtime.environment(tmp_path / "report", POISONS[0])
    assert ran(program, environment).stdout == expected
    assert ran(program, environment | {VARIABLE: "main::dynamics"}).stdout != expected


FIXED = """\
      subroutine smooth(n, a, b)
      integer n, i
      real*8 a(n), b(n)
      do 10 i = 2, n - 1
        b(i) = 0.5d0*(a(i - 1) + a(i + 1))
   10 continue
      a(2:n - 1) = b(2:n - 1)
      end
      program p
      real*8 x(90), y(90)
      x = 1.0d0
      x(7) = 5.0d0
      call smooth(90, x, y)
      call smooth(90, x, y)
      print *, x
      end
"""


@pytest.mark.gfortran
def test_fixed_form_stays_fixed_form(models: Any, runtime: Runtime, tmp_path: Path) -> None:
    (models.folder / "p.f").write_text(FIXED)
    index = models.read()
    expected = ran(built(models.folder, ["p.f"], []), {}).stdout
    text = switched(models, index)["p.f"]
    assert all(len(line) <= 72 for line in text.split("\n")) and "!$acc& " in text
    (models.folder / "p.f").write_text(text)
    program = built(models.folder, ["p.f"], FLAGS)
    for off in ("smooth", "all", ""):
        environment = runtime.environment(tmp_path / "report", POISONS[0]) | {VARIABLE: off}
        done = ran(program, environment)
        assert done.stdout == expected
        assert ("smooth runs on the host" in done.stderr) is bool(off)


@pytest.mark.gfortran
@pytest.mark.parametrize("form", [".f90", ".f"])
def test_the_function_knows_units_modules_and_all(tmp_path: Path, form: str) -> None:
    asked = ["m::one", "m::two::inner", "mm::one", "alone"]
    lines = ["program p", DECLARATION, *(f"print *, acc_on('{unit}')" for unit in asked * 2), "end"]
    text = "\n".join([*(f"      {line}" for line in lines), *FUNCTION_LINES, ""])
    (tmp_path / f"p{form}").write_text(text)
    program = built(tmp_path, [f"p{form}"], ["-std=f2008", "-Wall", "-Werror", "-fcheck=all"])
    for value, off in (
        ("", []), ("m::one", asked[:1]), ("m", asked[:2]), ("all", asked), ("x,alone,m", [
            *asked[:2], "alone"]), ("one,M::ONE,m::two, alone", []), (",,", []),
        ("all,-m::one,-mm", asked[1:]), ("-m::one,m", asked[1:2]),
    ):  # fmt: skip
        done = ran(program, {VARIABLE: value})
        assert done.stdout.split() == ["F" if unit in off else "T" for unit in asked * 2], value
        told = [f"acclimate: {unit} runs on the host" for unit in asked if unit in off]
        assert done.stderr.splitlines() == told, value
    assert ran(program, {VARIABLE: "x" * 100_000}).returncode != 0
