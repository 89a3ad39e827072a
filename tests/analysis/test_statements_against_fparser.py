"""The reader against fparser: an outline of every statement from both, by unrelated code.

Equal outlines mean that nesting, order, operators, precedence, subscripts and arguments were read
alike. The view is the same for both; tests of the view are elsewhere.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

import pytest
from fparser.two.utils import FortranSyntaxError

from acclimate.analysis import ir
from acclimate.analysis.project import read_project
from acclimate.analysis.reader.scanning import scan_units
from acclimate.analysis.tree.manifest import Manifest, load_manifest
from acclimate.analysis.view.normalising import view_of
from acclimate.analysis.view.view import ViewStatement

CASES = Path(__file__).parent / "cases"
SAMPLE = Path(__file__).parents[2] / "sample_model"
UNREADABLE_BY_FPARSER = {"48_coarray.f90"}

_SPELLING = {".eq.": "==", ".ne.": "/=", ".lt.": "<", ".le.": "<=", ".gt.": ">", ".ge.": ">="}

# --- from the IR ---------------------------------------------------------------------------------


def ir_outline(units: Iterable[ir.Unit]) -> list[str]:
    found: list[str] = []
    for unit in units:
        procedure = unit.kind in (ir.UnitKind.SUBROUTINE, ir.UnitKind.FUNCTION)
        found.append(f"unit {unit.name}({','.join(unit.args) if procedure else ''})")
        found += [_use(use) for use in unit.uses]
        _block(unit.body, found)
        found += ir_outline(unit.units.values())
    return found


def _use(use: ir.Use) -> str:
    pairs = use.renames if use.only is None else use.only
    names = sorted(local if local == name else f"{local}=>{name}" for local, name in pairs)
    return f"use {use.module} {'all' if use.only is None else 'only'} {','.join(names)}".rstrip()


def _block(body: list[ir.Statement], out: list[str]) -> None:
    for statement in body:
        _statement(statement, out)


def _statement(s: ir.Statement, out: list[str]) -> None:
    match s:
        case ir.Assignment():
            out.append(f"{_e(s.target)} = {_e(s.value)}")
        case ir.PointerAssignment():
            out.append(f"{_e(s.target)} => {_e(s.value)}")
        case ir.Call():
            args = (("*" + _e(a.value)) if _is_star(a) else _e(a) for a in s.args)
            out.append(f"call {_e(s.procedure)}({','.join(args)})")
        case ir.Do(kind=ir.DoKind.COUNTED):
            step = "" if s.step is None else "," + _e(s.step)
            out.append(f"do {s.index}={_e(s.first)},{_e(s.last)}{step}")
            _block(s.body, out)
            out.append("end do")
        case ir.Do(kind=ir.DoKind.WHILE):
            out.append(f"do while {_e(s.condition)}")
            _block(s.body, out)
            out.append("end do")
        case ir.Do(kind=ir.DoKind.FOREVER):
            out.append("do")
            _block(s.body, out)
            out.append("end do")
        case ir.If(is_construct=False):
            out.append(f"if {_e(s.branches[0].condition)}")
            _block(s.branches[0].body, out)
        case ir.If() | ir.Where(is_construct=True):
            word = "if" if isinstance(s, ir.If) else "where"
            for number, branch in enumerate(s.branches):
                head = word if number == 0 else "else"
                out.append(f"{head} {_e(branch.condition) if branch.condition else ''}".strip())
                _block(branch.body, out)
            out.append(f"end {word}")
        case ir.Where():
            out.append(f"where {_e(s.branches[0].condition)}")
            _block(s.branches[0].body, out)
        case ir.Jump(keyword="goto", value=None):
            out.append(f"goto {s.targets[0]}")
        case ir.Jump(keyword="exit" | "cycle"):
            out.append(f"{s.keyword} {s.construct or ''}".strip())
        case ir.Jump(keyword="return" | "stop"):
            out.append(s.keyword)
        case ir.Jump(keyword="goto"):
            out.append(f"goto {','.join(s.targets)} {_e(s.value)}")
        case ir.Jump(keyword="arithmetic-if"):
            out.append(f"if {_e(s.value)} {','.join(s.targets)}")
        case ir.Jump(keyword="entry"):
            out.append(f"entry {_e(s.value)}")
        case ir.InputOutput():
            out.append(s.keyword)
        case ir.Deallocate():
            out.append(f"{'nullify' if s.nullify else 'deallocate'} {','.join(map(_e, s.objects))}")
        case ir.Associate():
            pairs = (f"{name}=>{_e(value)}" for name, value in s.associations)
            out.append(f"associate {','.join(pairs)}")
            _block(s.body, out)
            out.append("end associate")
        case ir.Forall():
            triplets = (
                f"{i.index}={':'.join(_e(b) for b in (i.first, i.last, i.step) if b is not None)}"
                for i in s.indices
            )
            mask = f",{_e(s.mask)}" if s.mask is not None else ""
            out.append(f"forall {','.join(triplets)}{mask}")
            _block(s.body, out)
            out.append("end forall")
        case ir.Allocate():
            out.append("allocate " + ",".join(_e(o) for o in s.objects))
        case ir.OpaqueStatement():
            out.append("opaque")
        case _:
            pass


def _is_star(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Keyword) and expr.name == "*"


def _e(expr: ir.Expr | None) -> str:
    match expr:
        case ir.Name(id):
            return id
        case ir.Literal():
            return expr.text
        case ir.Apply(base, args):
            return f"{_e(base)}({','.join(map(_e, args))})"
        case ir.Component(base, name):
            return f"{_e(base)}%{name}"
        case ir.Unary(op, operand):
            return f"({op}{_e(operand)})"
        case ir.Binary(op, left, right):
            return f"({_e(left)}{op}{_e(right)})"
        case ir.Section(lower, upper, stride):
            parts = [_e(lower) if lower else "", _e(upper) if upper else ""]
            return ":".join(parts + ([_e(stride)] if stride else []))
        case ir.Keyword(name, value):
            return f"{name}={_e(value)}"
        case ir.ArrayConstructor(items, spec):
            of_type = spec.partition("(")[0] + "::" if spec else ""
            return f"[{of_type}{','.join(map(_e, items))}]"
        case ir.ImpliedDo(items, index, first, last, step):
            tail = f",{_e(step)}" if step else ""
            return f"({','.join(map(_e, items))},{index}={_e(first)},{_e(last)}{tail})"
        case ir.Star():
            return "*"
        case _:
            return "?"


# --- the comparison ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Differences:
    """`units` were compared; `unread` are those fparser cannot read, with its words."""

    units: int
    differing: tuple[str, ...]
    unread: tuple[str, ...]


def compare(fparser_outline, manifest: Manifest, files: Iterable[str]) -> Differences:
    """Both readers over each outermost program unit of these files."""
    project = read_project(manifest)
    differing: list[str] = []
    unread: list[str] = []
    compared = 0
    for file in files:
        statements = view_of(manifest, file, project.texts[file]).statements
        spans = scan_units(statements)
        for span, unit in zip(spans, project.file_units(file), strict=True):
            text = "".join(f"{_line(s)}\n" for s in statements[span.first : span.last + 1])
            try:
                theirs = _without_statement_functions(fparser_outline(text), unit)
            except (FortranSyntaxError, RecursionError) as error:
                unread.append(f"{unit.at} {unit.name}: {' '.join(str(error).split())[:100]}")
                continue
            compared += 1
            ours = ir_outline([unit])
            if theirs != ours:
                lines = unified_diff(theirs, ours, "fparser", str(unit.at), lineterm="", n=1)
                differing.append("\n".join(list(lines)[:40]))
    return Differences(compared, tuple(differing), tuple(unread))


def _without_statement_functions(theirs: list[str], unit: ir.Unit) -> list[str]:
    functions = _statement_functions(unit)
    return [t for t in theirs if " = " not in t or t.split("(")[0] not in functions]


def _statement_functions(unit: ir.Unit) -> set[str]:
    found = set(unit.statement_functions)
    for inner in unit.units.values():
        found |= _statement_functions(inner)
    return found


def _line(statement: ViewStatement) -> str:
    if statement.label and statement.text.lower().startswith("format"):
        return f"{statement.label} continue"
    return f"{statement.label or ''} {statement.text}"


# --- the tests -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("do i = 1, n\nx(i) = 0\nend do\n", "do i = 1, n-1\nx(i) = 0\nend do\n"),
        ("use m, only: a => b\nx(1) = a\n", "use m, only: b => a\nx(1) = a\n"),
        ("call f(x)\n", "call g(x)\n"),
        ("if (l) x = 1\n", "if (l) then\nx = 1\nend if\n"),
        ("x = 1\ncontains\nsubroutine a\nend subroutine\n", "x = 1\n"),
    ],
)
def test_two_outlines_differ_when_the_sources_do(fparser_outline, tmp_path, first, second):
    outlines = []
    for name, body in (("a", first), ("b", second)):
        (tmp_path / f"{name}.f90").write_text(f"subroutine s(x, n)\n{body}end subroutine\n")
        manifest = load_manifest(tmp_path / f"{name}.f90")
        assert compare(fparser_outline, manifest, manifest.sources) == Differences(1, (), ())
        outlines.append(ir_outline(read_project(manifest).file_units(f"{name}.f90")))
    assert outlines[0] != outlines[1]


@pytest.mark.parametrize(
    "case", sorted(p.name for p in CASES.iterdir() if p.suffix.lower() in (".f", ".f90"))
)
def test_cases_are_read_alike(fparser_outline, case):
    found = compare(fparser_outline, load_manifest(CASES / case), [case])
    assert found.differing == ()
    assert bool(found.unread) == (case in UNREADABLE_BY_FPARSER)
    assert found.units + len(found.unread) > 0


def test_sample_model_is_read_alike(fparser_outline):
    manifest = load_manifest(SAMPLE)
    found = compare(fparser_outline, manifest, manifest.sources)
    assert (found.differing, found.unread) == ((), ())
    assert found.units >= len(manifest.sources)


@pytest.mark.slow
def test_a_whole_model_is_read_alike(fparser_outline):
    """`ACCLIMATE_MODEL=path` names the model, `ACCLIMATE_MODEL_SHARE=n` takes every n-th file."""
    path = os.environ.get("ACCLIMATE_MODEL")
    if path is None:
        pytest.skip("inconclusive: needs a model named by ACCLIMATE_MODEL")
    manifest = load_manifest(Path(path))
    files = manifest.sources[:: int(os.environ.get("ACCLIMATE_MODEL_SHARE", "1"))]
    found = compare(fparser_outline, manifest, files)
    print(f"{len(files)} files, {found.units} units read by both")
    print(f"{len(found.unread)} units unread by fparser:", *found.unread, sep="\n")
    assert found.units > 0
    assert not found.differing, "\n".join(found.differing)


def test_precedence_is_read_alike(fparser_outline, tmp_path):
    (tmp_path / "p.f90").write_text(
        """subroutine s(a, b, c, d, l, m, n, t)
x = -a**b**c + b * c / d - a
x = a - b - c / d / e * f
l = .not. a < b .and. m .or. n .eqv. l .neqv. m
x = 2.d0 * (a + b) ** (-2) - (-1)
t = 'a' // "b" // t == 'c'
l = 1.eq.2.or.3..lt.x.and.m
x = sum(a(1:n:2, :), dim=1) + t%u(3)%v(2:) + [(real(i), i = 1, 9, 2)]
x = [integer ::] + [Real(8) :: 1, 2] + [double precision :: x]
select case (n)
case (:1, 3, 5:7)
  x = 1
case default
  x = 2
case (9:)
  x = 3
end select
where (a > 0)
  a = 1
elsewhere (b > 0)
  a = 2
elsewhere
  a = 3
end where
do while (x > 1)
  if (x > 2) exit
end do
end subroutine
"""
    )
    manifest = load_manifest(tmp_path / "p.f90")
    assert compare(fparser_outline, manifest, ["p.f90"]) == Differences(1, (), ())
