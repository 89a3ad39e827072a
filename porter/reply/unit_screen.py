"""What must stay true of a unit, whatever an author does to it: two readings of it are compared."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from acclimate.analysis.dependence.statements import inside, own_expressions, parts
from acclimate.analysis.ir import (
    Allocate,
    Apply,
    ArrayConstructor,
    Assignment,
    Associate,
    Call,
    Component,
    Deallocate,
    Do,
    DoKind,
    Expr,
    If,
    InputOutput,
    Jump,
    Literal,
    Name,
    OpaqueStatement,
    PointerAssignment,
    Statement,
    Symbol,
    Unit,
    UnitKind,
    Where,
)
from acclimate.analysis.names.intrinsics import FUNCTIONS, SUBROUTINES
from acclimate.analysis.source import Lines
from acclimate.porter.reply.literals import telling_constants
from acclimate.porter.reply.objection import Objection, Reason

_SYSTEM = frozenset(
    {"system", "execute_command_line", "getenv", "getarg", "exit", "abort", "sleep"}
)
_SYSTEM |= {"get_command", "get_command_argument", "get_environment_variable", "chdir", "unlink"}
_SYSTEM |= {"rename", "fork", "kill", "signal"}
_KEEPING = frozenset({"save", "pointer", "target", "volatile", "asynchronous", "bind", "external"})
_LONG_TABLE = 6
_BARE_REAL = re.compile(r"(?=[\d.]*\.|\d+e)(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)
_POINTING = "pointer assignment"


@dataclass(frozen=True, slots=True)
class Two:
    """One unit before and after; `callable` are the bare names of the model's procedures."""

    before: Unit
    after: Unit
    callable: frozenset[str]

    @property
    def at(self) -> Lines:
        return self.before.at


def blank(unit: Unit) -> Unit:
    """What a procedure that was added is compared with: its own interface, and nothing done."""
    given = {*unit.args, unit.result or unit.name}
    known = {name: symbol for name, symbol in unit.symbols.items() if name in given}
    return replace(unit, body=[], symbols=known)


def unit_objections(two: Two) -> Iterator[Objection]:
    """Everything that speaks against the unit as it would be."""
    for question in (
        _interface,
        _surroundings,
        _declarations,
        _statements,
        _calls,
        _losses,
        _guards,
        _constants,
    ):
        yield from (o if o.at else Objection(o.reason, o.text, two.at) for o in question(two))


def _interface(two: Two) -> Iterator[Objection]:
    was, now = two.before, two.after
    is_module = was.kind is UnitKind.MODULE
    for what, one, other in (
        ("name", was.name, now.name),
        ("kind", was.kind, now.kind),
        ("arguments", was.args, now.args),
        ("result", was.result, now.result),
        ("prefixes", was.prefixes, now.prefixes),
        ("lost procedures", set(), was.units.keys() - now.units.keys()),
        ("new procedures", set(), set() if is_module else now.units.keys() - was.units.keys()),
    ):
        if one != other:
            yield Objection(Reason.INTERFACE, f"the {what} changed: {_list(one)} to {_list(other)}")
    for name in {*was.args, was.result or was.name}:
        if _declared(was.symbols.get(name)) != _declared(now.symbols.get(name)):
            yield Objection(Reason.INTERFACE, f"the declaration of '{name}' changed")


def _list(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | frozenset | set) else str(value)


def _declared(symbol: Symbol | None) -> tuple[object, ...]:
    if symbol is None:
        return ()
    traits = (symbol.type, symbol.kind, symbol.dims, symbol.attributes, symbol.intent)
    return (*traits, symbol.initial, symbol.common)


def _surroundings(two: Two) -> Iterator[Objection]:
    """USE, IMPLICIT, COMMON, EQUIVALENCE, NAMELIST: what connects a unit with others."""
    was, now = two.before, two.after
    used = [(u.module, u.only, u.renames) for u in was.uses]
    if used != [(u.module, u.only, u.renames) for u in now.uses]:
        yield Objection(Reason.USE, "the USE statements changed")
    for what, one, other in (
        ("IMPLICIT", (was.implicit_none, was.implicit), (now.implicit_none, now.implicit)),
        ("EQUIVALENCE", was.equivalences, now.equivalences),
        ("NAMELIST", was.namelists, now.namelists),
        ("interface blocks", sorted(was.interfaces), sorted(now.interfaces)),
    ):
        if one != other:
            yield Objection(Reason.STORAGE, f"the {what} of the unit changed")


def _declarations(two: Two) -> Iterator[Objection]:
    was, now = two.before, two.after
    kinds = {(s.type, s.kind) for u in _scopes(was) for s in u.symbols.values()}
    for name, symbol in now.symbols.items():
        old = was.symbols.get(name)
        if old is not None and (old.type, old.kind) != (symbol.type, symbol.kind):
            yield Objection(Reason.PRECISION, f"'{name}' has another type or kind")
        if old is None and symbol.type in ("real", "complex", "double precision"):
            known = {kind for kind in kinds if kind[0] in ("real", "complex", "double precision")}
            if known and (symbol.type, symbol.kind) not in known:
                yield Objection(Reason.PRECISION, f"'{name}' has a kind that the unit does not use")
        gained = (symbol.attributes - (old.attributes if old else frozenset())) & _KEEPING
        if gained or symbol.common != (old.common if old else None):
            kept = ", ".join(sorted(gained)) or "COMMON"
            yield Objection(Reason.STORAGE, f"'{name}' gains {kept}")
        if _is_kept_value(symbol) and not (old and _is_kept_value(old)):
            yield Objection(Reason.STORAGE, f"'{name}' is initialised and so kept for later")
        if old is not None and old.is_parameter and old.initial != symbol.initial:
            yield Objection(Reason.CONSTANT, f"the constant '{name}' has another value")
    for name in was.symbols.keys() - now.symbols.keys():
        if was.symbols[name].common is not None:
            yield Objection(Reason.STORAGE, f"'{name}' left its COMMON block")


def _is_kept_value(symbol: Symbol) -> bool:
    """An initialised variable is SAVEd (F2018 8.4)."""
    return symbol.initial is not None and not symbol.is_parameter


def _scopes(unit: Unit) -> Iterator[Unit]:
    scope: Unit | None = unit
    while scope is not None:
        yield scope
        scope = scope.parent


def _statements(two: Two) -> Iterator[Objection]:
    was, now = (Counter(_notable(u.body)) for u in (two.before, two.after))
    for (reason, what), count in (now - was).items():
        yield Objection(reason, f"{count} more of: {what}")
    gone = was - now
    for (reason, what), count in gone.items():
        replaced = what == _POINTING and _points_within(two.before)
        if reason is not Reason.UNBOUNDED and not replaced:
            yield Objection(Reason.LOST, f"{count} less of: {what}")
    for statement in inside(two.after.body):
        if isinstance(statement, OpaqueStatement) and not _was_there(statement, two.before):
            yield Objection(Reason.SYNTAX, f"'{statement.text[:60]}': {statement.reason}")


def _points_within(unit: Unit) -> bool:
    """Whether its pointers end with it: what they point to may be named instead."""
    targets = [s.target for s in inside(unit.body) if isinstance(s, PointerAssignment)]
    symbols = [unit.symbols.get(t.id) for t in targets if isinstance(t, Name)]
    own = [s for s in symbols if s is not None and s.name not in unit.args and s.common is None]
    return len(own) == len(targets) and not any("save" in s.attributes for s in own)


def _was_there(statement: OpaqueStatement, unit: Unit) -> bool:
    known = (s.text for s in inside(unit.body) if isinstance(s, OpaqueStatement))
    return statement.text in known


def _notable(body: Iterable[Statement]) -> Iterator[tuple[Reason, str]]:
    for statement in inside(body):
        match statement:
            case InputOutput(keyword=keyword):
                yield Reason.INPUT_OUTPUT, keyword
            case Jump(keyword="stop" | "goto" | "entry" | "arithmetic-if" as keyword):
                yield (Reason.STOP if keyword == "stop" else Reason.UNBOUNDED), keyword
            case Do(kind=DoKind.WHILE | DoKind.FOREVER):
                yield Reason.UNBOUNDED, "loop without an iteration count"
            case PointerAssignment():
                yield Reason.STORAGE, _POINTING
            case _:
                continue


def _calls(two: Two) -> Iterator[Objection]:
    was, now = _called(two.before), _called(two.after)
    for name in sorted(now - was):
        if name in _SYSTEM:
            yield Objection(Reason.SYSTEM, f"'{name}' reaches outside the model")
        elif name not in two.callable and name not in FUNCTIONS | SUBROUTINES:
            yield Objection(Reason.CALL, f"'{name}' is no procedure that the model has")
        elif name in SUBROUTINES and name not in FUNCTIONS:
            yield Objection(Reason.CALL, f"the intrinsic '{name}' was not called before")
    lost = {n for n in was - now if n in two.callable | SUBROUTINES}
    if lost and _assignments(two.after).total() <= _assignments(two.before).total():
        yield Objection(Reason.LOST, f"no longer called: {', '.join(sorted(lost))}")


def _called(unit: Unit) -> set[str]:
    """Names called as subroutines, and names with arguments that are no arrays of the unit."""
    declared = {name for scope in _scopes(unit) for name, s in scope.symbols.items() if s.is_array}
    found: set[str] = set()
    for statement in inside(unit.body):
        if isinstance(statement, Call) and isinstance(statement.procedure, Name):
            found.add(statement.procedure.id)
        for expr in own_expressions(statement):
            for part in parts(expr):
                if isinstance(part, Apply) and isinstance(part.base, Name):
                    found.add(part.base.id)
    used = {name for scope in _scopes(unit) for use in scope.uses for name, _ in use.only or ()}
    return found - declared - (used & unit.mentioned & _targets(unit))


def _targets(unit: Unit) -> set[str]:
    return {_base(s.target) for s in inside(unit.body) if isinstance(s, Assignment)}


def _base(expr: Expr) -> str:
    while isinstance(expr, Apply | Component):
        expr = expr.base
    return expr.id if isinstance(expr, Name) else ""


def _assignments(unit: Unit) -> Counter[str]:
    return Counter(name for name, _ in _assigned(unit))


def _losses(two: Two) -> Iterator[Objection]:
    """Assignments to what outlives the unit: fewer of them need new ones in their place."""
    was, now = _assignments(two.before), _assignments(two.after)
    texts = set(_assigned(two.before))
    fresh = {target for target, value in _assigned(two.after) if (target, value) not in texts}
    locals_ = two.before.symbols.keys() - set(two.before.args) - {two.before.result}
    for name in sorted(was.keys() - locals_):
        if not now[name]:
            yield Objection(Reason.LOST, f"'{name}' is no longer assigned")
        elif now[name] < was[name] and name not in fresh:
            yield Objection(
                Reason.LOST, f"{was[name] - now[name]} assignments to '{name}' are gone"
            )
    one, other = (sum(1 for _ in inside(u.body)) for u in (two.before, two.after))
    if other * 10 < one * 6:
        yield Objection(Reason.LOST, f"{other} statements are left of {one}")
    for kind, what in ((Allocate, "ALLOCATE"), (Deallocate, "DEALLOCATE")):
        before, after = (
            sum(isinstance(s, kind) for s in inside(u.body)) for u in (two.before, two.after)
        )
        if after < before:
            yield Objection(Reason.LOST, f"{before - after} {what} statements are gone")


def _assigned(unit: Unit) -> Iterator[tuple[str, Expr]]:
    """Variables with what they are given; names of ASSOCIATE are the variables they stand for."""
    meant = {
        name: _base(selector)
        for statement in inside(unit.body)
        if isinstance(statement, Associate)
        for name, selector in statement.associations
        if name not in unit.symbols
    }
    for statement in inside(unit.body):
        if isinstance(statement, Assignment):
            name = _base(statement.target)
            yield meant.get(name) or name, statement.value


def _guards(two: Two) -> Iterator[Objection]:
    """Conditions may be rewritten, not dropped: each one gone needs a new one or a MERGE."""
    was, now = (Counter(_conditions(u.body)) for u in (two.before, two.after))
    gone, new = was - now, now - was
    merges = _applied(two.after, "merge") - _applied(two.before, "merge")
    if gone and new.total() + merges < 1:
        yield Objection(Reason.LOST, f"{gone.total()} conditions are gone")


def _applied(unit: Unit, name: str) -> int:
    return sum(
        isinstance(part, Apply) and part.base == Name(name)
        for statement in inside(unit.body)
        for expr in own_expressions(statement)
        for part in parts(expr)
    )


def _conditions(body: Iterable[Statement]) -> Iterator[Expr]:
    for statement in inside(body):
        if isinstance(statement, If | Where):
            yield from (b.condition for b in statement.branches if b.condition is not None)


def _constants(two: Two) -> Iterator[Objection]:
    was, now = (list(_expressions(u)) for u in (two.before, two.after))
    new = telling_constants(now) - telling_constants(was)
    if new:
        yield Objection(
            Reason.CONSTANT, f"numbers the original does not have: {', '.join(sorted(new))}"
        )
    kinded = any(isinstance(e, Literal) and "_" in e.text for e in was)
    bare = _bare_reals(now) - _bare_reals(was)
    if kinded and bare:
        yield Objection(Reason.PRECISION, f"literals without a kind: {', '.join(sorted(bare))}")
    tables = [e for e in now if isinstance(e, ArrayConstructor) and len(e.items) > _LONG_TABLE]
    if any(table not in was for table in tables):
        yield Objection(Reason.CONSTANT, "a table of values that the original does not have")


def _bare_reals(expressions: Iterable[Expr]) -> set[str]:
    """Real literals of default kind: neither `_wp` nor an exponent letter D."""
    texts = {e.text for e in expressions if isinstance(e, Literal)}
    return {text for text in texts if _BARE_REAL.fullmatch(text)}


def _expressions(unit: Unit) -> Iterator[Expr]:
    for statement in inside(unit.body):
        for expr in own_expressions(statement):
            yield from parts(expr)
    for symbol in unit.symbols.values():
        if symbol.initial is not None:
            yield from parts(symbol.initial)
