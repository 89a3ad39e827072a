"""What damage to a source costs: its statement, its unit, never a file."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from acclimate.analysis import ir
from acclimate.analysis.project import Project
from acclimate.analysis.reader.reading import read
from acclimate.analysis.source import Lines
from acclimate.analysis.tree.manifest import Manifest
from acclimate.analysis.view.normalising import view_of

CASES = Path(__file__).parents[1] / "cases"


def unit_of(project: Project, name: str = "s") -> ir.Unit:
    return project.units[name]


def statements(body: list[ir.Statement]) -> Iterator[ir.Statement]:
    for statement in body:
        yield statement
        yield from statements(getattr(statement, "body", []))
        for branch in getattr(statement, "branches", ()):
            if isinstance(branch, ir.Branch):
                yield from statements(branch.body)


def test_an_unreadable_statement_is_opaque_where_it_stands(project_of):
    text = "subroutine s\nx = 1\nif (x > 0) then\n  y = = 2\n  z = 3\nend if\nend subroutine\n"
    project = project_of({"s.f90": text})
    branch = unit_of(project).body[1]
    assert isinstance(branch, ir.If)
    bad, good = branch.branches[0].body
    assert isinstance(bad, ir.OpaqueStatement) and isinstance(good, ir.Assignment)
    assert (bad.at, bad.text) == (Lines("s.f90", 4, 4), "y = = 2")
    assert [(str(p.at), p.reason) for p in project.problems] == [
        ("s.f90:4", "syntax not understood")
    ]


def test_an_unreadable_declaration_is_reported_and_no_statement(project_of):
    text = "subroutine s\nreal :: a(3\ninteger :: n\nn = 1\nend subroutine\n"
    project = project_of({"s.f90": text})
    assert [type(s) for s in unit_of(project).body] == [ir.Assignment]
    assert unit_of(project).symbols["n"].type == "integer"
    assert [str(p.at) for p in project.problems] == ["s.f90:2"]


@pytest.mark.parametrize(
    "damaged",
    [
        "if (a >) then\nx = 1\nend if\n",
        "do i = 1 n\nx = 1\nend do\n",
        "do i = 1, 3\nx = 1\n",
        "x = 1\nend if\n",
        "if (a) then\nx = 1\n",
    ],
    ids=["if head", "do head", "no end do", "end if alone", "no end if"],
)
def test_a_damaged_structure_makes_its_unit_opaque_and_no_other(project_of, damaged):
    text = (
        "module m\nreal :: g\ncontains\n"
        f"subroutine bad\n{damaged}end subroutine\n"
        "subroutine good\ng = 1\nend subroutine\nend module\n"
    )
    project = project_of({"m.f90": text})
    assert [type(s) for s in unit_of(project, "m::bad").body] == [ir.OpaqueStatement]
    assert [type(s) for s in unit_of(project, "m::good").body] == [ir.Assignment]
    assert "g" in unit_of(project, "m").symbols
    assert any("'bad'" in p.reason for p in project.problems)


def test_a_file_cut_short_keeps_what_stands_before_the_cut(project_of):
    text = "module m\nreal :: g\ncontains\nsubroutine a\ng = 1\nend subroutine\nsubroutine b\ng = 2"
    project = project_of({"m.f90": text})
    assert set(project.units) == {"m", "m::a", "m::b"}
    assert len(unit_of(project, "m::a").body) == 1


NESTED = 10_000


@pytest.mark.parametrize(
    "body",
    [
        "x = " + "(" * NESTED + "a" + ")" * NESTED,
        "x = " + "(" * NESTED,
        "x = " + "f(" * NESTED + "a" + ")" * NESTED,
        "x = " + "a+" * NESTED + "a",
        "x = " + "a**" * NESTED + "a",
        "x = " + "a%" * NESTED + "a",
        "if (a) then\n" * NESTED + "x = 1\n" + "end if\n" * NESTED,
        "do i = 1, 2\n" * NESTED + "x = 1\n",
        "interface\n" * NESTED,
        "subroutine s\ncontains\n" * 1000,
        "x = 'a" + "&" * 1_000_000,
        "\0" * 100_000,
    ],
    ids=["parentheses", "open", "calls", "sum", "powers", "components", "ifs", "dos", "interfaces",
         "units", "ampersands", "nul"],
)  # fmt: skip
def test_extreme_sources_are_reported_and_never_crash(project_of, body):
    project = project_of({"s.f90": f"subroutine s\n{body}\nend subroutine\n"})
    assert project.problems
    for unit in project.units.values():
        for statement in statements(unit.body):
            assert _depth(getattr(statement, "value", None)) < 500


def _depth(expr: object) -> int:
    deepest, pending = 0, [(expr, 1)]
    while pending:
        current, depth = pending.pop()
        deepest = max(deepest, depth)
        for field in getattr(current, "__slots__", ()):
            value = getattr(current, field)
            pending += [(v, depth + 1) for v in (value if isinstance(value, tuple) else (value,))]
    return deepest


def _damaged(random_: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    kind = random_.randrange(5)
    if kind == 0:
        return data[: random_.randrange(len(data))]
    if kind == 1:
        random_.shuffle(lines)
    elif kind == 2:
        for _ in range(random_.randrange(1, 6)):
            lines.pop(random_.randrange(len(lines)))
    elif kind == 3:
        for _ in range(random_.randrange(1, 6)):
            lines.insert(random_.randrange(len(lines)), random_.choice(lines))
    else:
        flipped = bytearray(data)
        for _ in range(random_.randrange(1, 20)):
            flipped[random_.randrange(len(flipped))] = random_.randrange(256)
        return bytes(flipped)
    return b"\n".join(lines)


@pytest.mark.parametrize("seed", range(150))
def test_damaged_sources_are_read_as_far_as_they_go(seed):
    random_ = random.Random(seed)
    path = random_.choice(sorted(p for p in CASES.iterdir() if p.suffix.lower() in (".f", ".f90")))
    data = _damaged(random_, path.read_bytes())
    manifest = Manifest(root=CASES, name="t", sources=(path.name,))
    found = read(view_of(manifest, path.name, data))
    project = Project(manifest, {path.name: data}, {path.name: found})
    lines = data.count(b"\n") + 1
    for unit in project.units.values():
        for name in unit.mentioned:
            project.resolve(unit, name)
        for statement in statements(unit.body):
            if statement.at.file == path.name:
                assert 1 <= statement.at.first <= statement.at.last <= lines
