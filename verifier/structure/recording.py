"""What a walk has come to know: values, effects, and what calls may have changed."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace

from acclimate.analysis.ir import Apply, Expr, Name, Symbol, Unit
from acclimate.analysis.names.resolution import Intrinsic, Variable
from acclimate.analysis.project import Project
from acclimate.analysis.source import Lines
from acclimate.verifier.structure.effects import Around, Effect, Guard, Kind, Loop
from acclimate.verifier.structure.evaluating import Evaluator, Scope
from acclimate.verifier.structure.evaluations import failing_parts, may_fail
from acclimate.verifier.structure.fingerprints import Reference, Subscript, Value, atom, calls
from acclimate.verifier.structure.spaces import Spaces
from acclimate.verifier.structure.states import ANY, State
from acclimate.verifier.structure.written import base_name, names_in, written_in

_LASTING = frozenset({"save", "target", "pointer", "allocatable", "volatile", "parameter"})


class Recording:
    """Values as they are at one statement, and the effects of all before it."""

    def __init__(self, project: Project, unit: Unit) -> None:
        self.project, self.unit = project, unit
        self.evaluator = Evaluator(project, unit)
        self.spaces = Spaces(self.evaluator)
        self.state = State()
        self.effects: list[Effect] = []
        self.evaluated: set[tuple[int, Around]] = set()
        self.unending: Counter[tuple[object, Around]] = Counter()
        self.loops: list[Loop] = []
        self.guards: list[Guard] = []
        self.elements: list[Value] = []
        self.plain = True
        self.reallocated: list[str] = []
        self.seen: set[str] = set()
        self._calls = any(
            not isinstance(project.resolve(unit, name), Intrinsic | Variable)
            for name in unit.applied
        )
        self._written = {name.split("%", maxsplit=1)[0] for name in written_in(unit.body)}
        self._shared = {n for group in unit.equivalences for n in map(base_name, group)}

    def value(self, expr: Expr) -> Value:
        found = self.evaluator.value(expr, Scope(self.state.known, self.elements))
        self.seen |= found.names
        return found

    def by_version(self, expr: Expr) -> Value:
        version = self.state.version
        scope = Scope(self.state.versioned, self.elements, self._version_of(version))
        return self.evaluator.value(expr, scope)

    def around(self, *exprs: Expr | None) -> int:
        """The loops and guards around here as one number, 0 if no expression may fail."""
        given = [expr for expr in exprs if expr is not None]
        if not any(may_fail(self.project, self.unit, expr) for expr in given):
            return 0
        guards = tuple(sorted((guard.proof, guard.positive) for guard in self.guards))
        return atom("around", tuple(sorted(loop.counter for loop in self.loops)), guards)

    def surroundings(self, *, is_once: bool = False) -> Around:
        """The loops and guards around here; once in an array statement: without its elements."""
        counters = (x.counter for x in self.loops if not (is_once and x.is_element))
        return frozenset([*counters, *((guard.proof, guard.positive) for guard in self.guards)])

    def evaluates(self, *exprs: Expr | None) -> None:
        """Keep what may fail in the expressions, with the loops and guards around here."""
        for expr in (expr for expr in exprs if expr is not None):
            for part in failing_parts(self.project, self.unit, expr):
                is_once = self.project.rank(self.unit, part) == 0
                number = self._failing(part, [] if is_once else self.elements)
                self.evaluated.add((number, self.surroundings(is_once=is_once)))

    def _failing(self, part: Expr, elements: list[Value]) -> int:
        """One number for what may fail, by what is in its variables if any of them is written."""
        scope = Scope(self.state.known, elements)
        value = self.evaluator.value(part, scope)
        telling = [value]
        symbol = self.evaluator.symbol(part)
        if symbol is not None and symbol.is_array and not symbol.attributes & _LASTING:
            telling = []  # an element of each, whatever is in it
        elif isinstance(part, Apply) and self.evaluator.function(part) is None:
            telling = [self.evaluator.value(arg, replace(scope, elements=())) for arg in part.args]
        names = {name.split("%", maxsplit=1)[0] for each in telling for name in each.names}
        if not any(map(self._is_written, names)):
            return value.number
        scope = Scope(self.state.versioned, elements, self._version_of(self.state.version))
        return self.evaluator.value(part, scope).number

    def _is_written(self, name: str) -> bool:
        return name in self._written or (
            self._calls and not self.is_local(self.evaluator.symbol(Name(name)))
        )

    @staticmethod
    def _version_of(version: Mapping[str, int]) -> Callable[[str], object]:
        def of(name: str) -> object:
            whole = name.split("%", maxsplit=1)[0]
            parts = [v for n, v in sorted(version.items()) if n.split("%", maxsplit=1)[0] == whole]
            return (*parts, version.get(ANY)) if parts or ANY in version else None

        return of

    def emit(
        self,
        kind: Kind,
        at: Lines,
        value: Value,
        versioned: Value,
        *,
        target: str = "",
        subscripts: tuple[Subscript, ...] | None = (),
        is_local: bool = False,
        is_array: bool = False,
        acts: bool = False,
    ) -> None:
        self.seen |= {target}
        self.effects.append(
            Effect(
                kind,
                at,
                target,
                subscripts,
                value,
                versioned,
                tuple(self.loops),
                tuple(self.guards),
                len(self.effects),
                is_local,
                is_array,
                acts
                or any(guard.acts for guard in self.guards)
                or any(calls(loop.low) or calls(loop.trips) for loop in self.loops),
            )
        )

    def called(self, expr: Expr, value: Value) -> None:
        """Functions of the model were called there: they may write their arguments too."""
        self.anything_written(value.number)
        for position, name in enumerate(names_in(expr)):
            if name in self.state.known:
                self.handed_out(Name(name), atom("argument", value.number, position))

    def anything_written(self, version: int) -> None:
        """A procedure of the model was called: what others see may be another now."""
        self.state.version[ANY] = atom("call", self.state.version.get(ANY), version)
        for name in {name for value in self.state.known.values() for name in value.names}:
            if not self.is_local(self.evaluator.symbol(Name(name))):
                self.state.written(name, version)

    def handed_out(self, expr: Expr, version: int) -> None:
        """A variable that the statement may have written."""
        name = base_name(expr)
        if not name:
            return
        self.state.written(name, version)
        if name in self.state.known or self.is_local(self.evaluator.symbol(Name(name))):
            reads = frozenset({Reference(name)})
            self.state.known[name] = Value(version, version, reads)
            self.state.versioned[name] = Value(version, version, reads)

    def is_local(self, symbol: Symbol | None) -> bool:
        if symbol is None or symbol.owner is not self.unit or symbol.is_array:
            return False
        if symbol.attributes & _LASTING or symbol.common is not None or symbol.initial is not None:
            return False
        result = self.unit.result or self.unit.name
        if any(symbol.name in inner.mentioned for inner in self.unit.units.values()):
            return False
        if symbol.name in self.unit.args or symbol.name == result or symbol.name in self._shared:
            return False
        return symbol.type != "character" and not (symbol.type or "").startswith("type")
