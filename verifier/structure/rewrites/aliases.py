"""Which variables of a procedure may be one, because a caller hands it one of them twice."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations

from acclimate.analysis.dependence.statements import inside, own_expressions, parts
from acclimate.analysis.ir import Apply, Call, Component, Expr, Keyword, Name, Symbol, Unit
from acclimate.analysis.names.resolution import Variable
from acclimate.analysis.project import Project
from acclimate.verifier.structure.rewrites.liveness import base_of
from acclimate.verifier.structure.rewrites.planes import Handed, are_planes_apart

Pair = tuple[str, str]


@dataclass
class Aliases:
    """Dummy arguments of one unit, and what else it sees, that calls may make one variable.

    Names of procedures are enough to take a call for one of this unit; a call through a dummy
    procedure, a pointer or a binding counts for every unit that may be behind it.
    """

    project: Project
    unit: Unit
    _found: dict[int, set[Pair]] = field(default_factory=dict)

    def pair(self, names: Collection[str], written: Collection[str]) -> Pair | None:
        """Two of the names that may be one variable, one of them written."""
        for one, other in sorted(self._pairs() | {*self._of_host()}):
            if {one, other} <= {*names} and {one, other} & {*written}:
                return one, other
        return self._common(names, written)

    def _of_host(self) -> Iterator[Pair]:
        """Arguments of the procedures that this one is contained in, where it sees them."""
        host = self.unit.parent
        if host is None or not host.args:
            return
        outer = Aliases(self.project, host)
        for one, other in outer._pairs() | {*outer._of_host()}:
            symbols = [self._symbol(host, name) for name in (one, other)]
            if all(
                self._symbol(self.unit, n) is s for n, s in zip((one, other), symbols, strict=True)
            ):
                yield one, other

    def _common(self, names: Collection[str], written: Collection[str]) -> Pair | None:
        """Variables in COMMON that are declared in more than one place."""
        meanings = {name: self.project.resolve(self.unit, name) for name in sorted(names)}
        symbols = {n: m.symbol for n, m in meanings.items() if isinstance(m, Variable)}
        shared = [(n, s) for n, s in symbols.items() if s.common is not None]
        for (one, a), (other, b) in combinations(shared, 2):
            if a.owner is not b.owner and {one, other} & {*written}:
                return one, other
        return None

    def _pairs(self) -> set[Pair]:
        if not self._found:
            units = self._ancestors()
            self._found = {id(unit): set() for unit in units}
            before = -1
            while (count := sum(map(len, self._found.values()))) != before:
                before = count
                for unit in units:
                    self._found[id(unit)] |= {*self._handed(unit)}
        return self._found[id(self.unit)]

    def _ancestors(self) -> list[Unit]:
        """The unit and all that may call it, directly or not."""
        found, waiting = [self.unit], [self.unit]
        while waiting:
            names = self._names(waiting.pop())
            for caller in self.project.units.values():
                if caller.applied & names and not any(caller is each for each in found):
                    found.append(caller)
                    waiting.append(caller)
        return found

    def _names(self, unit: Unit) -> set[str]:
        """By what names a unit is called."""
        found = {unit.name, *unit.entries}
        for other in self.project.units.values():
            for name, specifics in other.generics.items():
                found |= {name} if unit.name in specifics else set()
            for derived in other.types.values():
                found |= {n for n, specific in derived.bindings.items() if specific in found}
                found |= {n for n, of in derived.generic_bindings.items() if {*of} & found}
            for use in other.uses:
                found |= {a for a, b in (*(use.only or ()), *use.renames) if b == unit.name}
        return found

    def _handed(self, unit: Unit) -> Iterator[Pair]:
        names = self._names(unit)
        by_symbol = {
            id(symbol): name
            for name in unit.mentioned - {*unit.args}
            if (symbol := self._symbol(unit, name)) is not None
        }
        for caller in self.project.units.values():
            if not caller.applied & names or id(caller) not in self._found:
                continue
            for callee, args in _calls(caller):
                if _last_name(callee) in names:
                    given = _positions(unit, callee, args)
                    yield from self._of_call(caller, unit, given, by_symbol)

    def _of_call(
        self,
        caller: Unit,
        unit: Unit,
        given: list[tuple[str, Expr]],
        by_symbol: Mapping[int, str],
    ) -> Iterator[Pair]:
        """Of a call: dummies that get one variable, and those that get what the unit sees."""
        for (one, a), (other, b) in combinations(given, 2):
            if self._may_be_one(caller, a, b) and not self._are_apart(
                caller, unit, dict(given), one, other
            ):
                yield _sorted(one, other)
        for dummy, actual in given:
            base = base_of(actual)
            twins = {name for pair in self._found[id(caller)] if base in pair for name in pair}
            for name in {base, *twins} - {""}:
                seen = by_symbol.get(id(self._symbol(caller, name)))
                if seen is not None:
                    yield _sorted(dummy, seen)

    def _may_be_one(self, caller: Unit, a: Expr, b: Expr) -> bool:
        one, other = base_of(a), base_of(b)
        if not one or not other:
            return False
        if one == other:
            return _overlap(a, b)
        if _sorted(one, other) in self._found[id(caller)]:
            return True
        first, second = self._symbol(caller, one), self._symbol(caller, other)
        if first is None or second is None:
            return False
        key = self.project.storage_key
        same = key(caller, first) == key(caller, second)
        return same and bool((first.owner or caller).equivalences)

    def _are_apart(
        self, caller: Unit, unit: Unit, given: dict[str, Expr], one: str, other: str
    ) -> bool:
        a, b = given[one], given[other]
        array = self._symbol(caller, base_of(a))
        dummies = unit.symbols.get(one), unit.symbols.get(other)
        if array is None or dummies[0] is None or dummies[1] is None or base_of(a) != base_of(b):
            return False
        return are_planes_apart(caller, array, given, Handed(dummies[0], a), Handed(dummies[1], b))

    def _symbol(self, unit: Unit, name: str) -> Symbol | None:
        meaning = self.project.resolve(unit, name) if name else None
        return meaning.symbol if isinstance(meaning, Variable) else None


def _sorted(one: str, other: str) -> Pair:
    return (one, other) if one < other else (other, one)


def _calls(unit: Unit) -> Iterator[tuple[Expr, tuple[Expr, ...]]]:
    for statement in inside(unit.body):
        if isinstance(statement, Call):
            yield statement.procedure, statement.args
        for expr in own_expressions(statement):
            for part in parts(expr):
                if isinstance(part, Apply):
                    yield part.base, part.args


def _last_name(callee: Expr) -> str:
    if isinstance(callee, Component):
        return callee.name
    return callee.id if isinstance(callee, Name) else ""


def _positions(unit: Unit, callee: Expr, args: tuple[Expr, ...]) -> list[tuple[str, Expr]]:
    """Dummy and actual arguments; of what is bound to a type, the object it is called on too."""
    given: list[tuple[str, Expr]] = []
    dummies = list(unit.args)
    if isinstance(callee, Component) and len(args) < len(dummies):
        given.append((dummies.pop(0), callee.base))
    for position, arg in enumerate(args):
        if isinstance(arg, Keyword):
            given.append((arg.name, arg.value))
        elif position < len(dummies):
            given.append((dummies[position], arg))
    return given


def _overlap(a: Expr, b: Expr) -> bool:
    """Whether two parts of one variable may share something: all but parts by other names."""
    one, other = _path(a), _path(b)
    return all(x == y for x, y in zip(one, other, strict=False))


def _path(expr: Expr) -> list[str]:
    found: list[str] = []
    while isinstance(expr, Apply | Component):
        if isinstance(expr, Component):
            found.insert(0, expr.name)
        expr = expr.base
    return found
