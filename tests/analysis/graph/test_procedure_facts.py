"""What procedures are made of: work by trip counts, doubts, calls in loops, shared variables."""

import pytest

from acclimate.analysis.graph.procedure_facts import DEEP_TRIPS, SERIAL_TRIPS, TRIPS
from acclimate.analysis.index import index_project
from acclimate.analysis.tree.manifest import Manifest


def facts_of(tmp_path, text, name="s", files=None):
    for file, source in {"a.f90": text, **(files or {})}.items():
        (tmp_path / file).write_text(source)
    sources = tuple(sorted(file.name for file in tmp_path.iterdir()))
    index = index_project(Manifest(root=tmp_path, name="t", sources=sources))
    return next(facts for facts in index.procedures if facts.unit == name)


def sub(body, declarations="real :: a(20, 10), b(5), c(n)"):
    return f"subroutine s(n)\ninteger :: n\n{declarations}\n{body}end subroutine\n"


@pytest.mark.parametrize(
    ("body", "work"),
    [
        ("x = 1\n", 1),
        ("do i = 1, 7\ny = y * 2\nend do\n", 1 + 7),
        ("do i = 10, 1, -3\ny = y * 2\nend do\n", 1 + 4),
        ("do i = 5, 4\ny = y * 2\nend do\n", 1),
        ("do i = 1, n\nc(i) = 2\nend do\n", 1 + TRIPS),
        ("do i = 2, n\nc(i) = c(i - 1)\nend do\n", 1 + SERIAL_TRIPS),
        ("do while (y < 9)\ny = y * 2\nend do\n", 1 + SERIAL_TRIPS),
        (
            "do i = 1, 2\n" * 3 + "do j = 1, n\nc(j) = 1\nend do\n" + "end do\n" * 3,
            1 + 2 + 4 + 8 + 8 * DEEP_TRIPS,
        ),
        ("do j = 1, 10\ndo i = 1, 20\na(i, j) = 0\nend do\nend do\n", 1 + 10 + 200),
        ("a = 0\n", 200),
        ("a(:, 3) = 0\n", 20),
        ("a(2:5, 3) = 0\n", 4),
        ("a(1:n, 3) = 0\n", TRIPS),
        ("if (n > 1) then\nx = 1\nelse\nx = 2\nend if\n", 3),
    ],
)
def test_work_is_the_product_of_the_trip_counts(tmp_path, body, work):
    assert facts_of(tmp_path, sub(body)).work == work


def test_trip_counts_come_from_named_constants_of_other_modules(tmp_path):
    grid = "module grid\ninteger, parameter :: nx = 3 * 4\nend module\n"
    source = "subroutine s()\nuse grid\nreal :: a(nx)\ndo i = 1, nx\na(i) = 0\nend do\na = 1\nend\n"
    assert facts_of(tmp_path, source, files={"b.f90": grid}).work == 1 + 12 + 12


SERIAL = "do i = 2, 5\nb(i) = b(i - 1)\nend do\n"
PARALLEL = "do i = 1, 5\nb(i) = i\nend do\n"


@pytest.mark.parametrize(
    ("body", "open_work", "device_work"),
    [
        (SERIAL, 0, 0),
        (PARALLEL, 6, 0),
        (SERIAL + PARALLEL, 6, 0),
        ("!$omp parallel do\n" + PARALLEL, 6, 0),
        ("!$acc parallel loop\n" + PARALLEL, 0, 6),
        ("!$omp target teams distribute parallel do\n" + PARALLEL, 0, 6),
        ("!$acc kernels\nx = 1\n" + PARALLEL + "!$acc end kernels\n" + PARALLEL, 6, 6),
        ("!$acc data copy(b)\n" + PARALLEL + "!$acc end data\n", 6, 0),
        ("!$acc routine seq\n" + PARALLEL, 0, 6),
        ("b = 1\n", 5, 0),
    ],
)
def test_what_is_open_and_what_is_on_a_device(tmp_path, body, open_work, device_work):
    facts = facts_of(tmp_path, sub(body))
    assert (facts.open_work, facts.device_work) == (open_work, device_work)


def test_doubts_are_counted(tmp_path):
    body = (
        "q => t\nif (n > 3) goto 10\nprint *, n\nx = = 1\ncall outside(n)\n10 continue\n"
        "write (*, *) n\n"
    )
    facts = facts_of(tmp_path, sub(body, "real, pointer :: q\nreal, target :: t"))
    assert (facts.jumps, facts.io, facts.opaque, facts.externals) == (1, 2, 1, 1)
    assert facts.aliases == 2


def test_calls_are_weighed_by_the_loops_around_them(tmp_path):
    source = (
        "module m\ncontains\nsubroutine s(a)\nreal :: a(8)\ncall t(a(1))\ndo i = 1, 8\n"
        "call t(a(i))\nend do\nend subroutine\nsubroutine t(x)\nreal :: x\nx = 1\n"
        "end subroutine\nend module\n"
    )
    (call,) = facts_of(tmp_path, source, "m::s").calls
    assert (call.callee, call.times, call.open_times) == ("m::t", 9, 8)


def test_what_is_named_without_a_call_is_referred_to(tmp_path):
    source = (
        "module m\ncontains\nsubroutine s()\ncall apply(f)\nend subroutine\n"
        "subroutine apply(g)\nexternal g\ncall g()\nend subroutine\nsubroutine f()\n"
        "end subroutine\nend module\n"
    )
    assert facts_of(tmp_path, source, "m::s").refers == ("m::f",)


def test_a_procedure_bound_to_a_type_or_an_operator_is_bound(tmp_path):
    source = (
        "module m\ntype t\ncontains\nprocedure :: go\nend type\ninterface operator(.x.)\n"
        "module procedure cross\nend interface\ncontains\nsubroutine go(this)\n"
        "class(t) :: this\nend subroutine\nreal function cross(a, b)\nreal, intent(in) :: a, b\n"
        "cross = a * b\nend function\nsubroutine free()\nend subroutine\nend module\n"
    )
    found = {name: facts_of(tmp_path, source, f"m::{name}").bound for name in ("go", "cross")}
    assert found == {"go": True, "cross": True}
    assert not facts_of(tmp_path, source, "m::free").bound
