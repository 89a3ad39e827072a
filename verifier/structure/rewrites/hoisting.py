"""Conditions that a port evaluates before and keeps in a logical variable of its own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from acclimate.analysis.dependence.statements import inside, own_expressions, parts
from acclimate.analysis.ir import (
    Apply,
    Assignment,
    Binary,
    Call,
    Continue,
    Do,
    DoKind,
    Expr,
    If,
    Jump,
    Literal,
    LiteralKind,
    Name,
    Section,
    Statement,
    Symbol,
    Unary,
    Unit,
)
from acclimate.analysis.names.resolution import Intrinsic, Variable
from acclimate.analysis.project import Project
from acclimate.verifier.structure.rewrites.aliases import Aliases
from acclimate.verifier.structure.rewrites.liveness import base_of, is_own, is_structured, names_of
from acclimate.verifier.structure.rewrites.references import NotUnderstood, Reader

_COMPARED = frozenset({"integer", "character", "logical"})


@dataclass(frozen=True, slots=True)
class Kept:
    """A condition and the assignment that keeps it; `behind` are the statements it is kept for."""

    name: str
    definition: Assignment
    behind: Sequence[Statement]


def kept_conditions(project: Project, old: Unit, new: Unit, aliases: Aliases) -> dict[str, Kept]:
    """Logical variables that only the port has and that stand for the condition they are set to.

    Set once, used behind that in the same list of statements and only as a condition of IF, while
    nothing that the condition reads is written: then it is the condition, evaluated early. It
    cannot fail where the original does not evaluate it, being made of comparisons of integers,
    logicals and characters.
    """
    if not is_structured(new) or new.units:
        return {}
    found = {}
    for siblings, n, statement in _assignments(new.body):
        name = base_of(statement.target)
        if not isinstance(statement.target, Name) or not _is_fresh(old, new, name):
            continue
        kept = Kept(name, statement, siblings[n + 1 :])
        if _is_only_a_condition(new, kept) and _stays(project, new, kept, aliases):
            found[name] = kept
    return found


def unfolded(condition: Expr, kept: dict[str, Kept]) -> Expr:
    """A condition with the kept ones written out."""
    if isinstance(condition, Name) and condition.id in kept:
        return kept[condition.id].definition.value
    return condition


def _assignments(
    body: Sequence[Statement],
) -> Iterator[tuple[Sequence[Statement], int, Assignment]]:
    for n, statement in enumerate(body):
        match statement:
            case Assignment():
                yield body, n, statement
            case Do():
                yield from _assignments(statement.body)
            case If():
                for branch in statement.branches:
                    yield from _assignments(branch.body)


def _is_fresh(old: Unit, new: Unit, name: str) -> bool:
    symbol = new.symbols.get(name)
    if symbol is None or (symbol.type, symbol.kind) != ("logical", None):
        return False
    return is_own(new, name) and name not in old.mentioned and name not in old.symbols


def _is_only_a_condition(unit: Unit, kept: Kept) -> bool:
    """Whether all other statements that name it are IFs behind it, with it as a condition."""
    behind = {id(statement) for statement in inside(kept.behind)}
    for statement in inside(unit.body):
        if statement is kept.definition:
            continue
        for expr in own_expressions(statement):
            if kept.name in names_of(expr):
                is_condition = isinstance(statement, If) and expr == Name(kept.name)
                if not is_condition or id(statement) not in behind:
                    return False
        if isinstance(statement, Do) and statement.index == kept.name:
            return False
    return True


def _stays(project: Project, unit: Unit, kept: Kept, aliases: Aliases) -> bool:
    value = kept.definition.value
    try:
        list(Reader(project, unit).value(value))
    except NotUnderstood:
        return False
    if not _cannot_fail(project, unit, value):
        return False
    used = [n for n, s in enumerate(kept.behind) if _names(s, kept.name)]
    until = kept.behind[: used[-1] + 1] if used else ()
    read = {*names_of(value)}
    written = {*_written(project, unit, until, read)}
    return not written & (read | {""}) and aliases.pair(read | written, written) is None


def _names(statement: Statement, name: str) -> bool:
    return any(name in names_of(e) for s in inside([statement]) for e in own_expressions(s))


def _written(
    project: Project, unit: Unit, body: Sequence[Statement], read: set[str]
) -> Iterator[str]:
    """Variables that statements may write; "" where that is not known."""
    for statement in inside(body):
        for expr in own_expressions(statement):
            for part in parts(expr):
                if isinstance(part, Apply) and not _is_harmless(project, unit, part):
                    yield ""
        match statement:
            case Assignment():
                yield base_of(statement.target)
            case Do(kind=DoKind.COUNTED):
                yield statement.index or ""
            case Call():
                yield from (base_of(a) for a in statement.args if base_of(a))
                yield from ("" for name in read if not _is_unreachable(project, unit, name))
            case If() | Continue() | Jump():
                continue
            case _:
                yield ""


def _is_harmless(project: Project, unit: Unit, part: Apply) -> bool:
    meaning = project.resolve(unit, part.base.id) if isinstance(part.base, Name) else None
    return isinstance(meaning, Variable | Intrinsic)


def _is_unreachable(project: Project, unit: Unit, name: str) -> bool:
    """Whether a procedure that is called and not handed the variable cannot write it."""
    meaning = project.resolve(unit, name)
    if not isinstance(meaning, Variable):
        return False
    symbol = meaning.symbol
    return symbol.is_parameter or is_own(unit, name)


def _cannot_fail(project: Project, unit: Unit, expr: Expr) -> bool:
    match expr:
        case Literal():
            return expr.kind in (LiteralKind.INTEGER, LiteralKind.CHARACTER, LiteralKind.LOGICAL)
        case Unary():
            return _cannot_fail(project, unit, expr.operand)
        case Binary(op="/" | "**" | "//"):
            return False
        case Binary():
            return all(_cannot_fail(project, unit, e) for e in (expr.left, expr.right))
        case Name():
            symbol = _symbol(project, unit, expr.id)
            return symbol is not None and _is_there(symbol) and symbol.type in _COMPARED
        case Apply(base=Name(id="mod"), args=(value, Literal() as by)):
            return bool(by.value) and _cannot_fail(project, unit, value)
        case Apply(base=Name(id=name), args=(Section(stride=None) as section,)):
            symbol = _symbol(project, unit, name)
            return symbol is not None and _is_there(symbol) and _is_within(symbol, section)
    return False


def _symbol(project: Project, unit: Unit, name: str) -> Symbol | None:
    meaning = project.resolve(unit, name)
    return meaning.symbol if isinstance(meaning, Variable) else None


def _is_there(symbol: Symbol) -> bool:
    return not symbol.is_array and not symbol.attributes & {"optional", "allocatable", "pointer"}


def _is_within(symbol: Symbol, section: Section) -> bool:
    """Whether a substring lies within the declared length of a character variable."""
    length = (symbol.kind or "").removeprefix("len=")
    lower, upper = section.lower, section.upper
    if symbol.type != "character" or not length.isdigit():
        return False
    if not isinstance(lower, Literal) or not isinstance(upper, Literal):
        return False
    if lower.value is None or upper.value is None:
        return False
    return lower.value >= 1 and upper.value <= int(length)
