"""A changed model: what is known is used, and what is said is what a fresh analysis says."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from acclimate.analysis.exchange.bench import Bench
from acclimate.analysis.index import index_project, to_json
from acclimate.analysis.keeping.cache import open_cache
from acclimate.analysis.tree.manifest import Manifest, load_manifest

SAMPLE = Path(__file__).parents[3] / "sample_model"
SAMPLE_FILES = sorted(p.relative_to(SAMPLE).as_posix() for p in (SAMPLE / "src").iterdir())

GRID = """\
module grid
  implicit none
  integer, parameter :: wp = 8
  integer :: n = 9
  real(wp) :: t(9), u(9)
  private :: hidden
  real(wp) :: hidden(9)
end module grid
"""
STEP = """\
module step
  use grid
  implicit none
contains
  subroutine advance(a, b)
    real(wp), intent(inout) :: a(9), b(9)
    integer :: i
    do i = 1, 9
      a(i) = a(i) + b(i)
    end do
  end subroutine advance
  subroutine leaf(x)
    real(wp), intent(inout) :: x
    x = 2*x
  end subroutine leaf
end module step
"""
MAIN = """\
program main
  use grid, only: t, u
  use step
  implicit none
  integer :: i
  do i = 1, 9
    call leaf(t(i))
  end do
  call advance(t, u)
end program main
"""
OTHER = """\
subroutine other(c)
  integer, parameter :: size = 3
  include 'size.inc'
  do i = 1, size
    c(i) = 1
  end do
end subroutine other
"""


class Model:
    """A small model that is analysed again and again with one cache."""

    def __init__(self, root: Path, cache: Path) -> None:
        self.root = root
        self.cache = open_cache(cache)
        self.sources = ["grid.f90", "step.f90", "main.f90", "other.f90"]
        for name, text in zip(self.sources, (GRID, STEP, MAIN, OTHER), strict=True):
            self.write(name, text)
        self.write("size.inc", "  real c(size)\n")

    @property
    def manifest(self) -> Manifest:
        return Manifest(self.root, "m", tuple(self.sources))

    def write(self, name: str, text: str) -> None:
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text)

    def change(self, name: str, old: str, new: str) -> None:
        text = (self.root / name).read_text()
        assert old in text
        self.write(name, text.replace(old, new, 1))

    def is_fresh(self, workers: int = 1) -> bool:
        again = to_json(index_project(self.manifest, workers=workers, cache=self.cache))
        return again == to_json(index_project(self.manifest))


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the units that are judged, with a cache or without."""
    names: list[str] = []
    really = Bench.judge

    def judge(bench: Bench, name: str, *more: object) -> object:
        names.append(name)
        return really(bench, name, *more)

    monkeypatch.setattr(Bench, "judge", judge)
    return names


@pytest.fixture
def model(tmp_path: Path) -> Iterator[Model]:
    found = Model(tmp_path / "model", tmp_path / "kept")
    index_project(found.manifest, cache=found.cache)
    yield found


def looked_at_again(model: Model, judged: list[str]) -> set[str]:
    """The units judged by an analysis that knows the last one; it must be as a fresh one."""
    judged.clear()
    index_project(model.manifest, cache=model.cache)
    found = set(judged)
    assert model.is_fresh()
    return found


# --- what is looked at again ---------------------------------------------------------------------


def test_a_body_that_does_the_same_to_others_costs_its_file(model, judged):
    model.change("step.f90", "x = 2*x", "x = 3*x")
    assert looked_at_again(model, judged) == {"step", "step::advance", "step::leaf"}


def test_lines_that_move_cost_their_file(model, judged):
    model.change(
        "step.f90",
        "module step",
        "! a comment\nmodule step",
    )
    assert looked_at_again(model, judged) == {"step", "step::advance", "step::leaf"}


def test_lines_that_are_quoted_elsewhere_cost_those_who_quote_them(model, judged):
    model.change("step.f90", "x = 2*x", "print *, x")
    model.write("far.f90", "subroutine far(z)\n  use step\n  real(wp) z\n  call leaf(z)\nend\n")
    model.change("main.f90", "call leaf", "call far")
    model.sources.append("far.f90")
    assert model.is_fresh()
    model.change("far.f90", "  use step", "\n  use step")
    assert looked_at_again(model, judged) == {"far"}
    model.change("step.f90", "    print", "\n    print")
    assert looked_at_again(model, judged) == {
        "step", "step::advance", "step::leaf", "far", "main",
    }  # fmt: skip


def test_a_local_variable_more_costs_its_file(model, judged):
    model.change("step.f90", "integer :: i\n", "integer :: i, j\n")
    assert looked_at_again(model, judged) == {"step", "step::advance", "step::leaf"}


def test_another_effect_costs_the_callers_too(model, judged):
    model.change("step.f90", "x = 2*x", "x = 2*x + u(1)")
    assert looked_at_again(model, judged) == {"step", "step::advance", "step::leaf", "main"}


def test_a_declaration_costs_all_that_can_see_it(model, judged):
    model.change("grid.f90", "t(9)", "t(0:8)")
    again = looked_at_again(model, judged)
    assert again == {"grid", "step", "step::advance", "step::leaf", "main"}


def test_an_include_file_costs_the_file_it_is_in(model, judged):
    model.write("size.inc", "  real c(size + 1)\n")
    assert looked_at_again(model, judged) == {"other"}


def test_a_file_added_costs_itself(model, judged):
    model.write("new.f90", "subroutine new\nend\n")
    model.sources.append("new.f90")
    assert looked_at_again(model, judged) == {"new"}


# --- what may not be missed ----------------------------------------------------------------------


CHANGES = [
    ("step.f90", "x = 2*x", "write (*, *) x"),
    ("step.f90", "x = 2*x", "stop"),
    ("step.f90", "x = 2*x", "u(1) = x"),
    ("step.f90", "intent(inout) :: x", "intent(inout) :: x(9)"),
    ("step.f90", "intent(inout) :: x", "target :: x"),
    ("step.f90", "subroutine leaf(x)", "recursive subroutine leaf(x)"),
    ("step.f90", "x = 2*x", "call advance(t, u)"),
    ("step.f90", "subroutine leaf", "subroutine bud"),
    ("step.f90", "  use grid\n", "  use grid, t => u\n"),
    ("step.f90", "contains", "  private :: leaf\ncontains"),
    ("step.f90", "contains", "interface many\nmodule procedure leaf\nend interface\ncontains"),
    ("step.f90", "contains", "interface leaf\nmodule procedure advance\nend interface\ncontains"),
    ("step.f90", "contains", "  common /c/ z\n  real z\ncontains"),
    ("grid.f90", "real(wp) :: t(9)", "real(wp), pointer :: t(:)"),
    ("grid.f90", "real(wp) :: t(9)", "real(wp), private :: t(9)"),
    ("grid.f90", "wp = 8", "wp = 4"),
    ("grid.f90", "implicit none\n", ""),
    ("grid.f90", "module grid", "module grill"),
    ("grid.f90", "u(9)\n", "u(9)\n  equivalence (t(1), u(1))\n"),
    ("main.f90", "call advance(t, u)", "call advance(t, t)"),
    ("main.f90", "call advance(t, u)", "call advance(u, u(1:9))"),
    ("main.f90", "end program main", "contains\n  subroutine leaf(y)\n  real(8) y\n  end\nend"),
    ("other.f90", "subroutine other", "subroutine leaf"),
    ("other.f90", "c(i) = 1", "call advance(c, c)"),
    ("other.f90", "c(i) = 1", "entry late(c)"),
    ("other.f90", "end subroutine other", "end\nmodule step\nend"),
    ("other.f90", "subroutine other(c)", "subroutine other(c)\n  common /c/ z"),
]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: f"{change[0]}: {change[2][:30]!r}")
def test_any_change_gives_what_a_fresh_analysis_says_and_so_does_its_undoing(model, change):
    name, old, new = change
    before = (model.root / name).read_text()
    model.change(name, old, new)
    assert model.is_fresh()
    model.write(name, before + "! changed back, but not quite\n")
    assert model.is_fresh()


@pytest.mark.parametrize("gone", ["grid.f90", "step.f90", "main.f90", "other.f90"])
def test_a_file_that_is_gone_or_no_longer_named_is_missed_by_nobody(model, gone):
    (model.root / gone).unlink()
    assert model.is_fresh()
    model.sources.remove(gone)
    assert model.is_fresh()


def test_a_file_renamed_or_in_another_order(model):
    (model.root / "step.f90").rename(model.root / "pace.f90")
    model.sources[1] = "pace.f90"
    assert model.is_fresh()
    model.sources.reverse()
    assert model.is_fresh()


def test_a_second_definition_of_a_name_takes_it_over_by_its_place(model):
    model.write("a.f90", "subroutine other(c)\n  real c(3)\n  c = 0\nend\n")
    model.sources.insert(0, "a.f90")
    assert model.is_fresh()
    model.change("main.f90", "call advance(t, u)", "call other(t)")
    assert model.is_fresh()
    model.sources.append(model.sources.pop(0))
    assert model.is_fresh()


def test_an_operator_for_a_type_of_another_file_changes_how_everything_is_read(model):
    model.write(
        "op.f90",
        "module op\n  interface operator(+)\n    module procedure add\n  end interface\ncontains\n"
        "  function add(a, b)\n    logical, intent(in) :: a, b\n    logical add\n    add = a\n"
        "  end function\nend module\n",
    )
    model.sources.append("op.f90")
    assert model.is_fresh()


def test_a_type_that_is_extended_elsewhere_has_more_procedures_behind_its_names(model):
    model.write(
        "shape.f90",
        "module shape\n  type s\n  contains\n    procedure :: go => slow\n  end type\ncontains\n"
        "  subroutine slow(self)\n    class(s) :: self\n  end subroutine\n"
        "  subroutine all(many)\n    class(s) :: many(9)\n    do i = 1, 9\n"
        "      call many(i)%go()\n    end do\n  end subroutine\nend module\n",
    )
    model.sources.append("shape.f90")
    assert model.is_fresh()
    model.write(
        "square.f90",
        "module square\n  use shape\n  use grid\n  type, extends(s) :: q\n  contains\n"
        "    procedure :: go => fast\n  end type\ncontains\n"
        "  subroutine fast(self)\n    class(q) :: self\n    t = 0\n  end subroutine\nend module\n",
    )
    model.sources.append("square.f90")
    assert model.is_fresh()
    model.change("square.f90", "t = 0", "u = 0\n    print *, t")
    assert model.is_fresh()


def test_a_submodule_is_found_by_its_module(model):
    model.write(
        "deep.f90",
        "module deep\n  interface\n    module subroutine dig(a)\n      real a\n    end subroutine\n"
        "  end interface\nend module\n",
    )
    model.change("main.f90", "  use step\n", "  use step\n  use deep\n")
    model.change("main.f90", "call leaf(t(i))", "call dig(t(i))")
    model.sources.append("deep.f90")
    assert model.is_fresh()
    model.write(
        "deeper.f90",
        "submodule (deep) deeper\ncontains\n  module subroutine dig(a)\n    real a\n    a = 1\n"
        "  end subroutine\nend submodule\n",
    )
    model.sources.append("deeper.f90")
    assert model.is_fresh()
    model.change("deeper.f90", "a = 1", "print *, a")
    assert model.is_fresh()


def test_a_pointer_that_is_associated_in_another_file(model):
    model.change(
        "grid.f90", "t(9), u(9)", "u(9)\n  real(wp), target :: t(9)\n  real(wp), pointer :: p(:)"
    )
    model.write(
        "point.f90",
        "module point\ncontains\n  subroutine shift\n    use grid\n    do i = 1, 8\n"
        "      t(i) = p(i)\n    end do\n  end subroutine\nend module\n",
    )
    model.sources.append("point.f90")
    assert model.is_fresh()
    model.change("main.f90", "t, u\n", "t, u, p\n")
    model.change("main.f90", "  call advance", "  p => t\n  call advance")
    assert model.is_fresh()
    model.change("main.f90", "  p => t", "\n  p => t")  # a line that others quote
    assert model.is_fresh()
    model.change("main.f90", "  p => t", "")
    assert model.is_fresh()


@pytest.mark.parametrize("change", ["removed", "a subroutine now", "added"])
def test_pointers_are_anybodys_where_the_program_is_not_known(model, change):
    model.write(
        "point.f90",
        "module point\n  real, pointer :: p(:), q(:)\ncontains\n  subroutine make\n"
        "    allocate (p(9), q(9))\n  end\n  subroutine shift\n    do i = 1, 8\n"
        "      p(i) = q(i + 1)\n    end do\n  end subroutine\nend module\n",
    )
    model.sources.append("point.f90")
    if change == "added":
        model.sources.remove("main.f90")
    assert model.is_fresh()
    if change == "added":
        model.sources.append("main.f90")
    elif change == "removed":
        model.sources.remove("main.f90")
    else:
        model.write("main.f90", MAIN.replace("program main", "subroutine main"))
    assert model.is_fresh()


def test_calls_that_pass_one_object_twice_are_told_where_it_matters(model):
    model.change("main.f90", "call advance(t, u)", "call advance(t, t)")
    assert model.is_fresh()
    model.change("main.f90", "  call advance", "\n  call advance")
    assert model.is_fresh()


def test_a_directive_that_gives_every_thread_its_own_copy(model):
    model.change("step.f90", "    do i", "    !$omp parallel do\n    do i")
    assert model.is_fresh()
    model.change("grid.f90", "end module", "  !$omp threadprivate(/c/)\nend module")
    assert model.is_fresh()


def test_recursion_that_begins_and_ends(model):
    model.change("step.f90", "a(i) = a(i) + b(i)", "call leaf(a(i))")
    model.change("step.f90", "x = 2*x", "call advance(t, u)")
    assert model.is_fresh()
    model.change("step.f90", "call advance(t, u)", "x = x + 1")
    assert model.is_fresh()


def test_damaged_parts_cost_time_and_nothing_else(model, judged):
    for entry in model.cache.folder.glob("*-parts.entry"):
        entry.write_bytes(entry.read_bytes()[:-3])
    model.change("step.f90", "x = 2*x", "x = 3*x")
    assert len(looked_at_again(model, judged)) == 6


def test_parts_of_another_shape_cost_time_and_nothing_else(model):
    for entry in model.cache.folder.glob("*-parts.entry"):
        model.cache.put(entry.name.removesuffix(".entry"), b"\x93\x01\x02\x03")
    model.change("step.f90", "x = 2*x", "x = 3*x")
    assert model.is_fresh()


def test_statements_can_be_asked_for_after_a_partial_analysis(model):
    model.change("step.f90", "x = 2*x", "x = 3*x")
    index = index_project(model.manifest, cache=model.cache)
    whole = index_project(model.manifest).project
    sizes = {name: len(unit.body) for name, unit in index.project.units.items()}
    assert sizes == {name: len(unit.body) for name, unit in whole.units.items()}


# --- the sample model ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Model:
    folder = tmp_path_factory.mktemp("sample")
    found = Model(folder / "unused", folder / "kept")
    shutil.copytree(SAMPLE, folder / "model", ignore=shutil.ignore_patterns(".acclimate"))
    found.root = folder / "model"
    return found


def warm_is_cold(sample: Model) -> None:
    manifest = load_manifest(sample.root)
    again = to_json(index_project(manifest, cache=sample.cache))
    fresh = to_json(index_project(manifest))
    assert again == fresh


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLE_FILES)
def test_a_small_edit_of_any_file_of_the_sample_model(sample, name):
    """Every line moves, and the middle one of the assignments goes."""
    path = sample.root / name
    text = path.read_bytes()
    lines = text.split(b"\n")
    assigned = [n for n, line in enumerate(lines) if b" = " in line and b"::" not in line]
    middle = assigned[len(assigned) // 2] if assigned else len(lines) // 2
    try:
        path.write_bytes(b"\n".join([b"! moved", *lines[:middle], *lines[middle + 1 :]]))
        warm_is_cold(sample)
    finally:
        path.write_bytes(text)


@pytest.mark.slow
@settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_edits_of_any_lines_of_the_sample_model(sample, data):
    path = sample.root / data.draw(st.sampled_from(SAMPLE_FILES))
    text = path.read_bytes()
    lines = text.split(b"\n")
    line = data.draw(st.integers(0, len(lines) - 1))
    kind = data.draw(st.sampled_from(["remove", "double", "swap", "empty"]))
    own = lines[line : line + 1]
    after = lines[line + 1 :]
    changed = {
        "remove": after,
        "double": own + own + after,
        "swap": after[:1] + own + after[1:],
        "empty": [b"", *own, *after],
    }[kind]
    try:
        path.write_bytes(b"\n".join(lines[:line] + changed))
        warm_is_cold(sample)
    finally:
        path.write_bytes(text)
