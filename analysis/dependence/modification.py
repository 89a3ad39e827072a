"""Which places the statements of a construct may change."""

from collections.abc import Iterable, Iterator

from acclimate.analysis.dependence.aliasing import Designator, Places, pointed
from acclimate.analysis.dependence.arguments import bound_arguments
from acclimate.analysis.dependence.associations import Associations
from acclimate.analysis.dependence.intrinsics import SUBROUTINES
from acclimate.analysis.dependence.invocations import Invocations
from acclimate.analysis.dependence.statements import bodies
from acclimate.analysis.dependence.substitution import replaced
from acclimate.analysis.dependence.summary import SummaryOf, is_shared
from acclimate.analysis.ir import (
    Allocate,
    Apply,
    Assignment,
    Deallocate,
    Do,
    Expr,
    Forall,
    InputOutput,
    Keyword,
    Name,
    PointerAssignment,
    Statement,
    Unit,
)
from acclimate.analysis.names.namelists import namelist_members
from acclimate.analysis.names.resolution import Intrinsic, Procedures, Variable


class Modification:
    """Keys that statements of one unit may write, calls included; cached by construct."""

    def __init__(self, places: Places, invocations: Invocations, summary_of: SummaryOf) -> None:
        self.places, self.invocations, self.summary_of = places, invocations, summary_of
        self.associations = Associations(places.unit.body)
        self._known: dict[int, frozenset[str]] = {}
        self._ordered: dict[int, tuple[str, ...]] = {}
        self._single: dict[int, frozenset[str]] = {}

    def of(self, construct: Statement) -> frozenset[str]:
        found = self._known.get(id(construct))
        if found is None:
            found = self.by(construct)
            for body in bodies(construct):
                found |= self.of_all(body)
            self._known[id(construct)] = found
        return found

    def in_order(self, construct: Statement) -> tuple[str, ...]:
        """The same, in an order that is the same from run to run."""
        found = self._ordered.get(id(construct))
        if found is None:
            found = self._ordered[id(construct)] = tuple(sorted(self.of(construct)))
        return found

    def of_all(self, statements: Iterable[Statement]) -> frozenset[str]:
        return frozenset().union(*map(self.of, statements))

    def by(self, statement: Statement) -> frozenset[str]:
        """Keys written by the statement itself, not by those inside it."""
        found = self._single.get(id(statement))
        if found is None:
            found = self._single[id(statement)] = self._find_own(statement)
        return found

    def _find_own(self, statement: Statement) -> frozenset[str]:
        """Keys the statement itself writes."""
        aliases = self.associations.at(statement)
        keys: set[str] = set()
        for target in self._targets(statement):
            designator = self.places.designator(replaced(target, aliases))
            if designator is not None:
                keys.update(_changed(designator))
        if isinstance(statement, InputOutput) and statement.keyword == "read":
            for member in namelist_objects(self.places, statement):
                keys.update(_changed(member))
        for callee, args in self.invocations.of(statement):
            keys.update(self._called(callee, args))
        return frozenset(keys)

    def _targets(self, statement: Statement) -> Iterator[Expr]:
        match statement:
            case Assignment() | PointerAssignment():
                yield statement.target
            case Do():
                if statement.index is not None:
                    yield Name(statement.index)
            case Forall():
                yield from (Name(index.index) for index in statement.indices)
            case InputOutput():
                yield from statement.writes
            case Allocate() | Deallocate():
                for target in statement.objects:
                    yield target.base if isinstance(target, Apply) else target
                yield from (option.value for option in statement.options)
        yield from map(Name, self.invocations.implied_indices(statement))

    def _called(self, callee: Expr, args: tuple[Expr, ...]) -> Iterator[str]:
        """Keys a call (or what looks like one) may write."""
        if self.places.designator(Apply(callee, args) if args else callee) is not None:
            return
        if isinstance(callee, Name) and self._is_constant(callee.id):
            return
        resolution = self.places.project.procedures(self.places.unit, callee, args)
        if isinstance(resolution, Procedures) and resolution.candidates:
            for unit in resolution.candidates:
                yield from self._written_by(unit, callee, args)
                if unit.entries:  # which have arguments of their own
                    yield from self._keys(args)
            return
        if isinstance(resolution, Intrinsic) and resolution.name not in (*SUBROUTINES, "mvbits"):
            return
        yield from self._keys(args)

    def _is_constant(self, name: str) -> bool:
        found = self.places.project.resolve(self.places.unit, name)
        return isinstance(found, Variable) and found.symbol.is_parameter

    def _written_by(self, unit: Unit, callee: Expr, args: tuple[Expr, ...]) -> Iterator[str]:
        yield from self.summary_of(unit).written_through_pointers
        dummies = dict(bound_arguments(unit, callee, args))
        for key in self.summary_of(unit).written:
            name = key.partition("%")[0].rpartition("::")[2]
            if is_shared(key, unit) or name not in unit.args:
                yield key
            elif name in dummies:
                yield from self._keys((dummies[name],))

    def _keys(self, args: Iterable[Expr]) -> Iterator[str]:
        for arg in args:
            value = arg.value if isinstance(arg, Keyword) else arg
            designator = self.places.designator(value)
            if designator is not None:
                yield from _changed(designator)


def _changed(designator: Designator) -> Iterator[str]:
    """The keys that a write to the object changes."""
    yield designator.key
    if designator.is_aliased:
        yield pointed(designator.last.type)


def namelist_objects(places: Places, statement: InputOutput) -> tuple[Designator, ...]:
    """The variables of the group that a statement reads or writes, whatever they are called."""
    if statement.namelist is None:
        return ()
    members = namelist_members(places.project, places.unit, statement.namelist.lower())
    return tuple(map(places.whole, members))
