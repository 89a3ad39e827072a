"""Objects in objects and arrays of objects: what is refused, then a model with domains."""

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from acclimate.analysis.index import ProjectIndex, index_project
from acclimate.analysis.tree.manifest import load_manifest
from acclimate.porter import engine
from acclimate.porter.invariant.legality import violations
from acclimate.porter.plan import LoopState
from acclimate.porter.rewrite import Rewrite
from acclimate.verifier.running.emulation import POISONS, build_runtime

LAYER = Path(__file__).with_name("layer")
DATA = re.compile(r"\s*!\$acc (update|enter data|exit data)")

SMALL = """
module m
  implicit none
  type :: field
    real, allocatable :: a(:), b(:)
    integer :: n = 0
  end type field
  type :: box
    type(field) :: f
    type(field), pointer :: g(:) => null()
    integer :: id = 0
  end type box
  type(box), allocatable :: boxes(:)
  integer :: now = 1
contains
  subroutine setup(n)
    integer, intent(in) :: n
    integer :: k
    allocate (boxes(n))
    do k = 1, n
      call fill(boxes(k)%f)
    end do
  end subroutine setup
  subroutine fill(f)
    type(field), intent(inout) :: f
    allocate (f%a(999), f%b(999))
    f%n = 999
    f%a = 1.0
    f%b = 2.0
  end subroutine fill
  subroutine step(k)
    integer, intent(in) :: k
    integer :: i
    do i = 1, 999
      boxes(k)%f%a(i) = boxes(k)%f%a(i) + boxes(k)%f%b(i)
    end do
  end subroutine step
  ! more
end module m
program p
  use m
  implicit none
  integer :: k
  call setup(2)
  do k = 1, 2
    call step(k)
  end do
  ! host
  print *, boxes(1)%f%a(5)
end program p
"""
KERNEL = "!$acc parallel loop gang vector default(present) private(i)"


def port(models: Any, text: str) -> tuple[list[str], list[str]]:
    """The lines of a ported program, and why the loops of `step` stay on the host."""
    index = models.of_two_files({"main.f90": text})
    lines = models.ported(index).get("main.f90", text).split("\n")
    loops = [d for d in engine.plan(index).loops if d.unit == "m::step"]
    return [line.strip() for line in lines], [d.refusal.reason for d in loops if d.refusal]


def changed(*pairs: tuple[str, str]) -> str:
    text = SMALL
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def more(text: str) -> tuple[str, str]:
    return "  ! more", text


def host(text: str) -> tuple[str, str]:
    return "  ! host", text


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        pytest.param(
            changed(more("subroutine other(x)\nclass(box) :: x\nx%id = 1\nend subroutine")),
            "'x' is polymorphic",
            id="polymorphic",
        ),
        pytest.param(
            changed(more("type(box) function other()\nother%id = 1\nend function")),
            "'other' is the result of a function",
            id="result",
        ),
        pytest.param(
            changed(("type :: box", "type, extends(field) :: box")),
            "is of a type that extends another, or is extended",
            id="extension",
        ),
        pytest.param(
            changed(more("subroutine other()\ntype(field) :: x\nx%n = 1\nend subroutine")),
            "'x' is local to 'other'",
            id="local",
        ),
        pytest.param(
            changed(
                more("subroutine other(x)\ntype(field), intent(out) :: x\nx%n = 1\nend subroutine")
            ),
            "'x' is INTENT(OUT) in 'other': its components lose their storage",
            id="intent out",
        ),
        pytest.param(
            changed(host("boxes(1)%f = boxes(2)%f")), "objects are assigned as a whole", id="copy"
        ),
        pytest.param(
            changed(host("boxes(1)%g => boxes(2)%g")),
            "'boxes(1)%g' is made to point at other objects",
            id="pointer",
        ),
        pytest.param(
            changed(host("deallocate (boxes)")),
            "'boxes' is deallocated together with its 'f%a'",
            id="deallocated with all in it",
        ),
        pytest.param(
            changed(("f%b(999))", "f%n)"), more("subroutine o(f)\ntype(field) :: f\nend"))
            .replace("allocate (f%a(999), f%n)", "allocate (f%a(999))\n    if (f%n == 0) then\n"
                     "      allocate (f%b(999))\n    end if")
            .replace("type(field) :: f\nend", "type(field) :: f\nend subroutine"),
            "component 'b' of 'f' is allocated elsewhere",
            id="branch",
        ),
        pytest.param(
            changed(("allocate (f%a(999), f%b(999))",
                     "if (.not. allocated(f%a)) allocate (f%a(999), f%b(999))")),
            "a component of 'f' is allocated under a condition",
            id="one-line if",
        ),
        pytest.param(
            changed(host("if (k > 1) print *, boxes(k - 1)%f%a(1)")),
            "which object that is may change in the statement, or be asked in it",
            id="an object that may be none",
        ),
        pytest.param(
            changed(host("call move(boxes(now)%f%a(3))"),
                    more("subroutine move(x)\nreal, intent(out) :: x\nnow = 2\nx = 3\n"
                         "end subroutine")),
            "which object that is may change in the statement, or be asked in it",
            id="an index that a call sets",
        ),
        pytest.param(
            changed(host("boxes%id = 3")).replace("boxes(k)%f%b(i)", "boxes(k)%id"),
            "which object that is may change in the statement, or be asked in it",
            id="a component of all objects",
        ),
        pytest.param(
            changed(host("block\n integer :: k2\n k2 = 1\n boxes(k2)%f%a(1) = 2\n end block")),
            "used where the reader stopped",
            id="block",
        ),
        pytest.param(
            SMALL.replace("integer :: now = 1", "integer :: now = 1\n  type(field) :: one\n"
                          "  namelist /all/ now, one")
            .replace("real, allocatable :: a(:), b(:)", "real :: a(999), b(999)")
            .replace("    allocate (f%a(999), f%b(999))\n", "")
            .replace("! host", "read (*, nml=all)"),
            "objects are transferred as a whole",
            id="namelist",
        ),
        pytest.param(
            changed(host("call library(boxes(1))")),
            "objects are passed to 'library'",
            id="passed to a library",
        ),
        pytest.param(
            changed(("boxes(k)%f%a(i) = boxes(k)%f%a(i)", "boxes(k)%f%a(i) = boxes(k)%id"),
                    ("boxes(k)%f%b(i)", "1\n      boxes(i)%f%n = i")),
            "component 'n', which kernels write, lies beside allocated ones",
            id="scalar beside",
        ),
    ],
)  # fmt: skip
def test_objects_that_cannot_be_followed_stay_on_the_host(
    models: Any, model: str, reason: str
) -> None:
    _, refused = port(models, model)
    assert any(reason in text for text in refused), refused


def test_an_array_of_objects_is_entered_before_what_its_elements_get(models: Any) -> None:
    lines, refused = port(models, SMALL)
    assert refused == []
    at = lines.index("allocate (boxes(n))")
    assert lines[at + 1] == "!$acc enter data copyin(boxes)"
    at = lines.index("allocate (f%a(999), f%b(999))")
    assert lines[at + 1 : at + 3] == ["!$acc update device(f)", "!$acc enter data create(f%a, f%b)"]
    assert lines[lines.index("boxes(k)%f%a(i) = boxes(k)%f%a(i) + boxes(k)%f%b(i)") - 2] == KERNEL
    assert lines[lines.index("print *, boxes(1)%f%a(5)") - 1] == "!$acc update self(boxes(1)%f%a)"


def test_a_host_loop_is_bracketed_inside_where_it_goes_over_objects(models: Any) -> None:
    loop = "do k = 1, 2\nprint *, boxes(k)%f%a(1)\nend do\ndo k = 1, 9\n"
    lines, refused = port(models, changed(host(loop + "print *, boxes(now)%f%a(k)\nend do")))
    assert refused == []
    assert lines[lines.index("print *, boxes(k)%f%a(1)") - 1] == "!$acc update self(boxes(k)%f%a)"
    outside = lines.index("!$acc update self(boxes(now)%f%a)")
    assert lines[outside + 1] == "do k = 1, 9"


POINTERS = """
program p
  implicit none
  real, allocatable, target :: a(:), b(:)
  real, pointer :: q(:)
  integer :: i, k
  allocate (a(999), b(999))
  do i = 1, 999
    a(i) = i
    b(i) = 2*i
  end do
  q => a
  print *, q(1)
  q => b
  print *, q(2)
  do k = 1, 2
    if (k == 2) q => a
    print *, q(3)
  end do
end program p
"""


def test_a_pointer_is_asked_for_again_where_it_has_another_target(models: Any) -> None:
    lines, _ = port(models, POINTERS)
    for place in ("print *, q(1)", "print *, q(2)", "print *, q(3)"):
        assert lines[lines.index(place) - 1] == "!$acc update self(q)"


def test_a_component_leaves_where_it_is_deallocated(models: Any) -> None:
    freed = "do k = 1, 2\nif (allocated(boxes(k)%f%a)) deallocate (boxes(k)%f%a)\n"
    freed += "deallocate (boxes(k)%f%b)\nend do\ndeallocate (boxes)"
    lines, refused = port(models, changed(host(freed)))
    assert refused == []
    guarded = "!$acc exit data delete(boxes(k)%f%a) if(allocated(boxes(k)%f%a))"
    assert lines[lines.index("deallocate (boxes(k)%f%b)") - 3] == guarded
    assert lines[lines.index("deallocate (boxes)") - 1] == "!$acc exit data delete(boxes)"


# --- a model with domains, time levels, and pointers for components -------------------------------


@pytest.fixture(scope="module")
def layer() -> tuple[ProjectIndex, dict[str, bytes]]:
    index = index_project(load_manifest(LAYER))
    plan = engine.plan(index)
    said = {unit: engine.propose(plan, unit, index) for unit in plan.changed_units}
    rewrites = {unit: answer for unit, answer in said.items() if isinstance(answer, Rewrite)}
    staying = [d for d in plan.loops if d.state is LoopState.REFUSED]
    assert {d.unit.split("::")[0] for d in staying} == {"grid", "layer", "output", "state"}
    assert not any("cannot stay on the device" in d.refusal.reason for d in staying if d.refusal)
    return index, engine.assemble(plan, rewrites, index)


def test_nothing_is_moved_in_the_time_loop_but_for_output(
    layer: tuple[ProjectIndex, dict[str, bytes]],
) -> None:
    for file in ("dynamics.f90", "transport.f90", "main.f90"):
        assert b"!$acc update" not in layer[1][file]


def test_every_directive_of_nested_objects_that_is_dropped_is_found(
    layer: tuple[ProjectIndex, dict[str, bytes]],
) -> None:
    index, files = layer
    assert violations(index, files) == ()
    survivors, count = [], 0
    for file, data in files.items():
        lines = data.decode().split("\n")
        for first in (n for n, line in enumerate(lines) if DATA.match(line)):
            last = first
            while lines[last].endswith("&"):
                last += 1
            text = "\n".join(lines[:first] + lines[last + 1 :])
            count += 1
            if not violations(index, files | {file: text.encode()}):
                survivors.append((file, first + 1))
    assert count > 30 and survivors == []


@pytest.mark.gfortran
@pytest.mark.slow
@pytest.mark.parametrize("poison", POISONS)
def test_the_port_of_nested_objects_gives_the_same_bits(
    layer: tuple[ProjectIndex, dict[str, bytes]], tmp_path: Path, poison: int
) -> None:
    index, files = layer
    order = [f"{name}.f90" for name in ("grid", "state", "dynamics", "transport", "output", "main")]
    results = []
    runtime = build_runtime(tmp_path)
    for name, texts, flags in (
        ("original", index.project.texts, []),
        ("port", index.project.texts | files, ["-fopenacc", "-foffload=disable"]),
    ):
        folder = tmp_path / name
        folder.mkdir()
        for file in order:
            (folder / file).write_bytes(texts[file])
        (folder / "run.nml").write_bytes((LAYER / "run.nml").read_bytes())
        command = ["gfortran", "-O1", "-ffp-contract=off", *flags, *order, "-o", "layer"]
        subprocess.run(command, cwd=folder, check=True)
        added = runtime.environment(folder / "report", poison) if flags else {}
        subprocess.run(["./layer"], cwd=folder, check=True, env=os.environ | added)
        results.append((folder / "layer.txt").read_bytes())
    assert results[0] == results[1] and b"NaN" not in results[0]
