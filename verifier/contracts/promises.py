"""Contracts handed in: `4 <= nz`, `1 <= idx <= n`, `injective(idx)`, taken apart and applied.

Whoever knows a model may say what its source does not. A proof that rests on a promise says so,
and a run has to confirm the promise before the proof counts.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from acclimate.analysis.problems import Problem
from acclimate.verifier.contracts.formulas import applications
from acclimate.verifier.contracts.kernels import Kernel
from acclimate.verifier.contracts.places import Array, Frame, Place, Scalar
from acclimate.verifier.contracts.terms import Term, minus, negative, number, plus, times

_SIGNS = {"Lt": "<", "LtE": "<=", "Gt": ">", "GtE": ">=", "Eq": "="}
_OF = "__of__"  # between a module and its variable, while Python's parser reads a contract
_HINT = "write for example '4 <= nz', '1 <= idx <= n' or 'injective(idx)'"


@dataclass(frozen=True, slots=True)
class Promise:
    """One contract as it was written; `names` are the variables in it."""

    text: str
    tree: ast.expr

    @property
    def names(self) -> frozenset[str]:
        names = {n.id.lower() for n in ast.walk(self.tree) if isinstance(n, ast.Name)}
        return frozenset(name.replace(_OF, "::") for name in names - {"injective"})

    @property
    def comparisons(self) -> tuple[str, ...]:
        """A chain `1 <= idx <= n` as the comparisons it stands for, in Fortran."""
        tree = self.tree
        if not isinstance(tree, ast.Compare):
            return ()
        sides = [_bare(ast.unparse(side)) for side in (tree.left, *tree.comparators)]
        signs = ["==" if isinstance(op, ast.Eq) else _SIGNS[type(op).__name__] for op in tree.ops]
        return tuple(
            f"{left} {sign} {right}"
            for left, sign, right in zip(sides[:-1], signs, sides[1:], strict=True)
        )

    @property
    def injective(self) -> str | None:
        """The table that is said to hold no value twice."""
        tree = self.tree
        if isinstance(tree, ast.Call) and isinstance(tree.args[0], ast.Name):
            return tree.args[0].id.lower()
        return None


def _bare(text: str) -> str:
    """A side of a comparison with the names that the module itself uses."""
    return re.sub(rf"\w+?{_OF}", "", text)


def promise(text: str) -> Promise:
    """
    Raises:
        Problem: the text is no comparison of sums and products, and no `injective(name)`.
    """
    try:
        tree = ast.parse(text.strip().replace("::", _OF), mode="eval").body
    except SyntaxError:
        tree = None
    if tree is None or not _is_contract(tree):
        raise Problem(f"'{text}' is no contract", hint=_HINT)
    return Promise(text.strip(), tree)


def _is_contract(tree: ast.expr) -> bool:
    match tree:
        case ast.Call(func=ast.Name(id="injective"), args=[ast.Name()], keywords=[]):
            return True
        case ast.Compare():
            signs = all(type(op).__name__ in _SIGNS for op in tree.ops)
            return signs and all(map(_is_sum, (tree.left, *tree.comparators)))
    return False


def _is_sum(tree: ast.expr) -> bool:
    match tree:
        case ast.Name() | ast.Constant(value=int()):
            return True
        case ast.UnaryOp(op=ast.USub()):
            return _is_sum(tree.operand)
        case ast.BinOp(op=ast.Add() | ast.Sub() | ast.Mult()):
            return _is_sum(tree.left) and _is_sum(tree.right)
    return False


def applied(kernel: Kernel, promises: Sequence[Promise]) -> list[tuple[Promise, list[str]]]:
    """The promises about variables that the kernel's procedure sees, as formulas."""
    found = ((each, list(_formulas(kernel, each))) for each in promises)
    return [(each, formulas) for each, formulas in found if formulas]


def _formulas(kernel: Kernel, said: Promise) -> Iterator[str]:
    places = {name: _place(kernel, name) for name in said.names}
    if any(place is None for place in places.values()):
        return
    tables = {name: place for name, place in places.items() if isinstance(place, Array)}
    table = said.injective
    if table is not None:
        yield from _injective(kernel, tables.get(table))
        return
    assert isinstance(said.tree, ast.Compare)
    if len(tables) > 1:
        return
    values: list[dict[str, Term]] = [{}]
    for name, array in tables.items():
        values = [{name: Term(v)} for _, v in applications(kernel, array.key, "xy")]
    for each in values:
        yield from _compared(kernel, said.tree, each)


def _injective(kernel: Kernel, table: Array | None) -> Iterator[str]:
    used = [] if table is None else applications(kernel, table.key, "xy")
    for n, (argument, value) in enumerate(used):
        for other_argument, other in used[n + 1 :]:
            yield f"(=> (= {value} {other}) (= {argument} {other_argument}))"


def _compared(kernel: Kernel, tree: ast.Compare, values: dict[str, Term]) -> Iterator[str]:
    sides = [_sum(kernel, side, values) for side in (tree.left, *tree.comparators)]
    for sign, left, right in zip(tree.ops, sides[:-1], sides[1:], strict=True):
        if left is not None and right is not None:
            yield f"({_SIGNS[type(sign).__name__]} {left.text} {right.text})"


def _sum(kernel: Kernel, tree: ast.expr, values: dict[str, Term]) -> Term | None:
    match tree:
        case ast.Constant(value=int() as constant):
            return number(constant)
        case ast.Name():
            return _named(kernel, tree.id.lower().replace(_OF, "::"), values)
        case ast.UnaryOp():
            inner = _sum(kernel, tree.operand, values)
            return None if inner is None else negative(inner)
        case ast.BinOp():
            left = _sum(kernel, tree.left, values)
            right = _sum(kernel, tree.right, values)
            if left is None or right is None:
                return None
            if isinstance(tree.op, ast.Mult):
                return times(kernel.symbols, left, right)
            return plus(left, right) if isinstance(tree.op, ast.Add) else minus(left, right)
    return None


def _place(kernel: Kernel, name: str) -> Place | None:
    """The variable of a bare name where the kernel stands, or of `module::name`."""
    module, _, variable = name.rpartition("::")
    unit = kernel.naming.project.units.get(module) if module else kernel.unit
    return None if unit is None else kernel.naming.place(Frame(unit, ""), variable)


def _named(kernel: Kernel, name: str, values: dict[str, Term]) -> Term | None:
    if name in values:
        return values[name]
    place = _place(kernel, name)
    if isinstance(place, Scalar) and place.type == "integer":
        return kernel.naming.constant(place)
    return getattr(place, "term", None)
