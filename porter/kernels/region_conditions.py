"""Conditions inside a compute region: the same on all gangs, or told on the host ahead of it."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from acclimate.analysis.dependence.statements import inside, parts
from acclimate.analysis.directives import parse
from acclimate.analysis.ir import (
    Apply,
    Binary,
    Branch,
    Expr,
    If,
    Literal,
    LiteralKind,
    Section,
    Statement,
    Symbol,
    Unary,
)
from acclimate.analysis.source import Edit, Lines
from acclimate.porter.device.device_code import references
from acclimate.porter.loops.temporaries import free_name
from acclimate.porter.names.constants import integer_value
from acclimate.porter.names.scope import Scope
from acclimate.porter.names.traversal import names_in
from acclimate.porter.text.fortran_text import fortran, statement_lines
from acclimate.porter.text.margins import Margins
from acclimate.porter.text.placement import Insertion, Slot

_SAFE = frozenset({"==", "/=", "<", "<=", ">", ">=", ".not.", ".and.", ".or.", "+", "-", "*"})
_LENGTH = re.compile(r"(len=)?(?P<length>\d+)", re.IGNORECASE)
_SCALARS = ("integer", "logical", "real")


@dataclass(frozen=True, slots=True)
class Told:
    """Conditions evaluated on the host: edits, lines ahead of the region, declarations.

    `names`: the logical variables that take their places, by branch.
    """

    names: Mapping[Lines, str] = field(default_factory=dict)
    replaced: tuple[Edit, ...] = ()
    moved: tuple[Insertion, ...] = ()
    declares: tuple[str, ...] = ()


def told(scope: Scope, at: Lines, branches: Sequence[Branch], margins: Margins) -> Told:
    """What has to be done before the branches may stand in a region that begins at `at`.

    Numbers and logicals are compared where they stand. Character data is left to the host: a
    variable takes the place of the condition.

    Raises:
        ValueError: a condition is none that all gangs can evaluate, or that can be told ahead.
    """
    names: dict[str, str] = {}
    told_by: dict[Lines, str] = {}
    replaced: list[Edit] = []
    for branch in branches:
        condition = branch.condition
        if condition is None or _is_plain(scope, condition):
            continue
        if not _is_harmless(scope, condition):
            raise ValueError(f"the condition at {branch.at} cannot be told ahead")
        text = fortran(condition)
        name = names.setdefault(text, free_name(scope, f"acc_case_{branch.at.first}"))
        told_by[branch.at] = name
        replaced.append(_shortened(branch, name, margins))
    if not names:
        return Told()
    margin, form = margins.of(at.file, at.first), margins.form(at.file)
    texts = (statement_lines(f"{name} = {text}", margin, form) for text, name in names.items())
    lines = tuple(line for text in texts for line in text)
    moved = Insertion(at.file, _ahead(scope, at, branches, margins), Slot.LOOP, -2, lines)
    declares = tuple(f"logical :: {name}" for name in names.values())
    return Told(told_by, tuple(replaced), (moved,), declares)


def launching(statements: Iterable[Statement], kernels: Collection[int]) -> Expr | None:
    """The condition under which some kernel among the statements runs; None: surely one does.

    Where branches exclude each other it may be wider. Its parts are those of the branches, so they
    can be evaluated in any case (see `told`).

    Args:
        kernels: kernel statements, by id.
    """
    found: Expr | None = None
    for statement in statements:
        if id(statement) in kernels:
            return None
        for branch in statement.branches if isinstance(statement, If) else ():
            if not any(id(inner) in kernels for inner in inside(branch.body)):
                continue
            ways = [c for c in (branch.condition, launching(branch.body, kernels)) if c is not None]
            if not ways:
                return None
            here = ways[0] if len(ways) == 1 else Binary(".and.", ways[0], ways[1])
            found = here if found is None else Binary(".or.", found, here)
    return found


def _is_plain(scope: Scope, condition: Expr) -> bool:
    """Comparisons of scalar numbers and logicals, which cannot fail."""
    for part in parts(condition):
        if isinstance(part, Literal) and part.kind is LiteralKind.CHARACTER:
            return False
        if isinstance(part, Apply) and not _is_mod(scope, part):
            return False
        if isinstance(part, Binary | Unary) and part.op not in _SAFE:
            return False
    return _are_scalars(scope, condition, _SCALARS)


def _is_harmless(scope: Scope, condition: Expr) -> bool:
    """It may be evaluated whether or not the original would: nothing in it can fail."""
    for part in parts(condition):
        match part:
            case Binary(op, _, _) | Unary(op, _) if op not in _SAFE:
                return False
            case Literal(kind=LiteralKind.CHARACTER) if " " in part.text:
                return False
            case Apply() if not (_is_mod(scope, part) or _is_substring(scope, part)):
                return False
    return _are_scalars(scope, condition, (*_SCALARS, "character"))


def _are_scalars(scope: Scope, condition: Expr, types: Iterable[str]) -> bool:
    return all(
        not found.is_array
        and not found.path
        and not found.symbol.attributes & {"allocatable", "pointer", "optional", "target"}
        and (found.symbol.type or "").startswith(tuple(types))
        for found in references(scope, condition)
    )


def _is_mod(scope: Scope, part: Apply) -> bool:
    """MOD with a constant divisor."""
    return (
        names_in(part.base) == {"mod"}
        and scope.symbol("mod") is None
        and len(part.args) == 2
        and bool(integer_value(scope, part.args[1]))
    )


def _is_substring(scope: Scope, part: Apply) -> bool:
    """Constant positions within the length of a character variable of constant length."""
    found = scope.reference(part)
    if found is None or found.is_array or len(part.args) != 1:
        return False
    section = part.args[0]
    if not isinstance(section, Section) or section.lower is None or section.upper is None:
        return False
    first, last = integer_value(scope, section.lower), integer_value(scope, section.upper)
    return first is not None and last is not None and 1 <= first <= last <= _length(found.symbol)


def _length(symbol: Symbol) -> int:
    """The constant length of a character variable, 0 if it is not known."""
    if symbol.kind is None:
        return 1
    found = _LENGTH.fullmatch(symbol.kind.replace(" ", ""))
    return int(found["length"]) if found else 0


def _shortened(branch: Branch, name: str, margins: Margins) -> Edit:
    """An IF THEN or ELSE IF statement with a variable as its condition."""
    at = branch.at
    lines = margins.lines(at.file)[at.first - 1 : at.last]
    packed = "".join(b"".join(lines).decode("latin-1").lower().split()).replace("&", "")
    words = next((w for w in ("if", "else if") if packed.startswith(w.replace(" ", "") + "(")), "")
    if not words or not packed.endswith(")then") or {"!", ";"} & set(packed):
        raise ValueError(f"{at} is no plain IF statement")
    margin = margins.of(at.file, at.first)
    text = statement_lines(f"{words} ({name}) then", margin, margins.form(at.file))
    return Edit(at.file, at.first, at.last, text)


def _ahead(scope: Scope, at: Lines, branches: Sequence[Branch], margins: Margins) -> int:
    """The line before which conditions may be evaluated: outside of an OpenMP region."""
    opening = None
    for directive in sorted(scope.unit.directives, key=lambda d: d.at):
        if directive.sentinel == "omp" and directive.at.first < at.first:
            words = parse(directive).name.split()
            if words == ["parallel"]:
                opening = directive
            elif words == ["end", "parallel"]:
                opening = None
    if opening is None:
        return at.first
    names = {n for b in branches if b.condition is not None for n in names_in(b.condition)}
    construct = parse(opening)
    if names & set(construct.arguments("private", "firstprivate", "reduction", "copyin")):
        raise ValueError("each thread has its own values in a condition")
    if set(construct.arguments("default")) - {"shared"}:
        raise ValueError("the OpenMP region lists its variables")
    between = margins.lines(at.file)[opening.at.last : at.first - 1]
    if any(line.strip() and not line.lstrip().startswith(b"!") for line in between):
        raise ValueError("statements stand between the OpenMP region's begin and the condition")
    return opening.at.first
