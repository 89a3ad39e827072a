"""A RETURN in front of work on nothing: no run has to take it.

`if (n < 1) return` changes nothing where the loops behind it have no iterations then. What is
understood is little and common: sizes that are INTENT(IN), loops over them, numbers put into local
scalars, fields without extent filled with one value, and a number put into a dummy, which the
other version has to leave there as well. All else may act, and a run has to show that it does not.
What the original does to elements of fields it may do: it stands for itself.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from acclimate.analysis.dependence.statements import inside, parts
from acclimate.analysis.ir import (
    Apply,
    Assignment,
    Binary,
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
    UnitKind,
)
from acclimate.verifier.structure.size_facts import (
    RELATIONS,
    Facts,
    at_most,
    contradicts,
    linear,
    ways,
)
from acclimate.verifier.structure.written import own_variables

_ONE = Literal(LiteralKind.INTEGER, "1")
_PLAIN = frozenset({"integer", "real", "double precision", "logical"})
_KEPT = frozenset({"dimension", "contiguous"})
_HARMLESS = re.compile(r"(end\s*)?(parallel|loop|data|serial|kernels|atomic)\b")
_NUMBERS = (LiteralKind.INTEGER, LiteralKind.REAL)
_ARITHMETIC = frozenset({"+", "-", "*", "/", "**"})
_TOTAL = frozenset({"+", "-", "*", ".and.", ".or.", *RELATIONS})  # never fail


class _ActsError(Exception):
    """Something that may be seen outside, or that is not understood."""


@dataclass(frozen=True, slots=True)
class Left:
    """What is left behind: constants in dummies, by name."""

    constants: tuple[tuple[str, Literal], ...] = ()


def idle_lines(unit: Unit, other: Unit, original: Unit) -> frozenset[int]:
    """Lines of RETURNs of `unit` in front of nothing, with the IF that guards them.

    `original` is the one of both that is trusted to stay inside its arrays.
    """
    if not (_is_plain(unit) and _is_plain(other) and _same_dummies(unit, other)):
        return frozenset()
    found: set[int] = set()
    for statement in unit.body:
        if not isinstance(statement, If) or not _guards_return(statement):
            continue
        condition = statement.branches[0].condition
        lines = {*range(statement.at.first, statement.end.last + 1)}
        if condition is None or not _stands_alone(statement, lines, unit):
            continue
        both = [
            tuple(left_behind(each, facts, trusted=each is original) for each in (unit, other))
            for facts in ways(condition, wanted=True)
        ]
        if all(ours is not None and ours == theirs for ours, theirs in both):
            found |= lines
    return frozenset(found)


def _guards_return(statement: If) -> bool:
    body = statement.branches[0].body
    return len(statement.branches) == 1 and len(body) == 1 and _is_return(body[0])


def _is_return(statement: Statement) -> bool:
    return isinstance(statement, Jump) and statement.keyword == "return" and not statement.value


def _stands_alone(statement: If, lines: set[int], unit: Unit) -> bool:
    """Whether no other statement shares a line with it."""
    own = (statement, *statement.branches[0].body)
    others = [s.at for s in inside(unit.body) if s not in own]
    others += [s.end for s in inside(unit.body) if isinstance(s, (Do, If)) and s is not statement]
    others += [unit.at, unit.specification_end, unit.end]
    return not any(lines & {*range(at.first, at.last + 1)} for at in others)


def _is_plain(unit: Unit) -> bool:
    """Whether nothing but its statements acts: no storage shared by names, no data directives."""
    symbols = unit.symbols.values()
    return (
        unit.kind is UnitKind.SUBROUTINE
        and not (unit.entries or unit.statement_functions or unit.equivalences)
        and not (unit.units or unit.interfaces or unit.namelists or unit.prefixes - {"pure"})
        and all(_is_known(symbol) for symbol in symbols if symbol.owner is unit)
        and all(d.sentinel == "acc" and _HARMLESS.match(d.text) for d in unit.directives)
        and all(
            isinstance(s, Do) and all(d.sentinel == "acc" for d in s.directives)
            for s in inside(unit.body)
            if isinstance(s, Do)
        )
    )


def _is_known(symbol: Symbol) -> bool:
    """Whether declaring it runs nothing and its extents are sums of plain names."""
    if symbol.is_parameter:
        return True
    ends = [e for d in symbol.dims for e in (d.lower, d.upper) if e is not None]
    return symbol.type in _PLAIN and all(linear(end) is not None for end in ends)


def _same_dummies(unit: Unit, other: Unit) -> bool:
    if unit.args != other.args:
        return False
    pairs = [(unit.symbols.get(name), other.symbols.get(name)) for name in unit.args]
    return all(
        a is not None
        and b is not None
        and (a.type, a.kind, a.intent, a.attributes) == (b.type, b.kind, b.intent, b.attributes)
        and a.attributes <= _KEPT
        and a.is_array == b.is_array
        for a, b in pairs
    )


def left_behind(unit: Unit, facts: Facts, *, trusted: bool = False) -> Left | None:
    """What a procedure leaves where the facts hold, if it does nothing else; None: it may do more.

    One that is `trusted` may use elements of its arrays and divide.
    """
    for name in facts:
        symbol = unit.symbols.get(name)
        if name not in unit.args or symbol is None or symbol.intent != "in":
            return None
        if symbol.type != "integer" or symbol.kind not in (None, "4") or symbol.is_array:
            return None
    walk = _Walk(unit, facts, trusted=trusted)
    try:
        walk.through(unit.body)
    except _ActsError:
        return None
    return Left(tuple(sorted(walk.left.items(), key=lambda item: item[0])))


class _Walk:
    """Every statement that may run where the facts hold."""

    def __init__(self, unit: Unit, facts: Facts, *, trusted: bool) -> None:
        self._unit, self._facts, self._trusted = unit, facts, trusted
        self._own = own_variables(unit)
        self._doubtful = 0  # constructs around that may run or not
        self.left: dict[str, Literal] = {}

    def through(self, body: Sequence[Statement]) -> bool:
        """Whether the procedure is left at its end.

        Raises:
            _ActsError: where something else may be done.
        """
        return any(self._one(statement) for statement in body)

    def _one(self, statement: Statement) -> bool:
        match statement:
            case If():
                return self._branches(statement)
            case Assignment():
                self._assign(statement.target, statement.value)
            case Do():
                self._loop(statement)
            case Jump() if _is_return(statement) and not self._doubtful:
                return True
            case Continue():
                return False
            case _:
                raise _ActsError
        return False

    def _branches(self, statement: If) -> bool:
        doubt = False
        for branch in statement.branches:
            truth = True if branch.condition is None else self._truth(branch.condition)
            if truth is False:
                continue
            if truth and not doubt:
                return self.through(branch.body)
            doubt = True
            self._perhaps(branch.body)
            if truth:
                break
        return False

    def _perhaps(self, body: Sequence[Statement]) -> None:
        self._doubtful += 1
        self.through(body)
        self._doubtful -= 1

    def _truth(self, condition: Expr) -> bool | None:
        self._read(condition)
        for answer in (True, False):
            if all(contradicts(self._facts, facts) for facts in ways(condition, wanted=not answer)):
                return answer
        return None

    def _loop(self, statement: Do) -> None:
        first, last, index = statement.first, statement.last, statement.index
        if statement.kind is not DoKind.COUNTED or first is None or last is None:
            raise _ActsError
        symbol = self._unit.symbols.get(index or "")
        if index not in self._own or symbol is None or symbol.type != "integer":
            raise _ActsError
        self._read(first)
        self._read(last)
        match statement.step:
            case None:
                room = at_most(last, first, self._facts)
            case Literal() as step if (step.value or 0) > 0:
                room = at_most(last, first, self._facts)
            case Unary("-", Literal() as step) if (step.value or 0) > 0:
                room = at_most(first, last, self._facts)
            case _:
                raise _ActsError
        if room is None or room >= 0:
            self._perhaps(statement.body)

    def _assign(self, target: Expr, value: Expr) -> None:
        self._read(value)
        self._expect_no_procedure(target, value)
        name = _whole(target)
        if self._trusted and isinstance(target, Apply) and isinstance(target.base, Name):
            name = target.base.id
            for arg in target.args:
                self._read(arg)
        symbol = self._unit.symbols.get(name or "")
        if name is None or symbol is None or symbol.type not in _PLAIN:
            raise _ActsError
        if symbol.is_array:
            if not (self._is_empty(symbol) or self._trusted and name in self._own):
                raise _ActsError
        elif name in self._own:
            return
        elif name in self._unit.args and isinstance(value, Literal) and not self._doubtful:
            if "_" in value.text:
                raise _ActsError
            self.left[name] = value
        else:
            raise _ActsError

    def _expect_no_procedure(self, target: Expr, value: Expr) -> None:
        """Between numbers, or a constant for a logical: no assignment is defined for those."""
        base = target.base if isinstance(target, Apply) else target
        symbol = self._unit.symbols.get(base.id) if isinstance(base, Name) else None
        if symbol is not None and symbol.type == "logical":
            if not (isinstance(value, Literal) and value.kind is LiteralKind.LOGICAL):
                raise _ActsError
            return
        for part in parts(value):
            named = self._unit.symbols.get(part.id) if isinstance(part, Name) else None
            if named is not None and named.type == "logical":
                raise _ActsError
            if isinstance(part, Literal) and part.kind not in _NUMBERS:
                raise _ActsError
            if isinstance(part, Binary) and part.op not in _ARITHMETIC:
                raise _ActsError

    def _is_empty(self, symbol: Symbol) -> bool:
        if symbol.name not in self._own and symbol.name not in self._unit.args:
            return False
        for dimension in symbol.dims:
            if dimension.upper is None:
                continue
            room = at_most(dimension.upper, dimension.lower or _ONE, self._facts)
            if room is not None and room < 0:
                return True
        return False

    def _read(self, expr: Expr) -> None:
        """Plain variables, numbers, and what is made of them without a call, and without fail."""
        match expr:
            case Literal():
                return
            case Name(name):
                self._read_variable(name, is_array=self._trusted)
            case Unary("+" | "-" | ".not.", operand):
                self._read(operand)
            case Binary(op, left, right) if op in _TOTAL or self._trusted and op in ("/", "**"):
                self._read(left)
                self._read(right)
            case Apply(Name(name), args) if self._trusted:
                self._read_variable(name, is_array=True)
                for arg in args:
                    self._read(arg)
            case _:
                raise _ActsError

    def _read_variable(self, name: str, *, is_array: bool) -> None:
        symbol = self._unit.symbols.get(name)
        if symbol is None or symbol.type not in _PLAIN or symbol.is_array > is_array:
            raise _ActsError
        if name in self._unit.applied and not symbol.is_array:
            raise _ActsError


def _whole(target: Expr) -> str | None:
    """The variable that is assigned as a whole, by its name or by full sections."""
    match target:
        case Name(name):
            return name
        case Apply(Name(name), args) if all(arg == Section(None, None) for arg in args):
            return name
    return None
