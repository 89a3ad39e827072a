"""Summaries of procedures, callees first; recursive groups by fix-point."""

import re
import sys
from collections.abc import Callable, Iterable, Iterator

from acclimate.analysis.dependence.affine import Values
from acclimate.analysis.dependence.aliasing import Places, Storage
from acclimate.analysis.dependence.condensing import condensed
from acclimate.analysis.dependence.conditions import holds
from acclimate.analysis.dependence.context import Context
from acclimate.analysis.dependence.cycles import cycles
from acclimate.analysis.dependence.effects import anywhere, condensed_accesses
from acclimate.analysis.dependence.effort import Effort, TooLarge
from acclimate.analysis.dependence.escapes import escapes, program_escapes
from acclimate.analysis.dependence.grounding import Grounding, grounding
from acclimate.analysis.dependence.interest import Interest
from acclimate.analysis.dependence.invocations import Invocations
from acclimate.analysis.dependence.iteration import Iteration
from acclimate.analysis.dependence.lifetimes import is_saved
from acclimate.analysis.dependence.pointing import Pointing, associations
from acclimate.analysis.dependence.records import LOCAL_TRAITS, Access, Flag, Trait
from acclimate.analysis.dependence.recursion import bounded, bounded_key
from acclimate.analysis.dependence.regions import Definition, Extent
from acclimate.analysis.dependence.state import State, everywhere
from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.dependence.summary import Summary, is_shared, outlives
from acclimate.analysis.directives import threadprivate
from acclimate.analysis.facts import Touch
from acclimate.analysis.ir import Jump, Name, Statement, Symbol, Unit, UnitKind
from acclimate.analysis.project import Project

_PROCEDURES = (UnitKind.SUBROUTINE, UnitKind.FUNCTION)
_NAME = re.compile(r"[a-z]\w*", re.IGNORECASE)


Groups = dict[int, tuple[Unit, ...]]
"""The units of each call cycle, by the id of every one of them."""
Given = Callable[[Unit], Summary | None]


class Summaries:
    """What each procedure of a project does, computed on demand.

    `given` is asked first: it may have the summary of a procedure whose statements are not here.
    `asked` holds every unit whose summary somebody wanted, by id; it may be cleared.
    """

    def __init__(
        self,
        project: Project,
        groups: Groups | None = None,
        given: Given = lambda unit: None,
        pointing: Pointing | None = None,
    ) -> None:
        self.project = project
        self.storage = Storage(project)
        self.threadprivate = threadprivate(
            directive for unit in project.units.values() for directive in unit.directives
        )
        self.asked: dict[int, Unit] = {}
        self._known: dict[int, Summary] = {}
        self._calls: dict[int, list[Unit]] = {}
        self._invocations: dict[int, Invocations] = {}
        self._groundings: dict[int, Grounding] = {}  # until they are taken
        self._given = given
        self._groups = self._recursive_groups() if groups is None else groups
        self.pointing = pointing or self._pointing()

    def _pointing(self) -> Pointing:
        units = list(self.project.units.values())
        return Pointing(
            (found for u in units for found in associations(self.project, self.storage, u)),
            program_escapes(
                map(self.escapes, units), any(unit.kind is UnitKind.PROGRAM for unit in units)
            ),
        )

    def escapes(self, unit: Unit) -> tuple[str, ...]:
        """What the unit's statements let pointers reach."""
        return escapes(self.project, self.storage, self.invocations_of(unit), unit)

    def of(self, unit: Unit) -> Summary:
        self.asked[id(unit)] = unit
        found = self._known.get(id(unit))
        if found is None:
            for called in self._callees_first(unit):
                self._summarise(called)
            found = self._known[id(unit)]
        return found

    def _summarise(self, unit: Unit) -> None:
        if id(unit) in self._known:
            return
        found = self._given(unit)
        group = self._groups.get(id(unit))
        if found is not None:
            self._known[id(unit)] = found
        elif group is None:
            self._known[id(unit)] = condensed(self._walked(unit))
        else:
            self._settle(group)

    def _callees_first(self, unit: Unit) -> list[Unit]:
        """The unit and all it reaches without a summary yet; no recursion down the call chain."""
        order: list[Unit] = []
        seen = {id(unit)}
        work = [(unit, self._called_by(unit))]
        while work:
            current, remaining = work[-1]
            following = next(remaining, None)
            if following is None:
                order.append(current)
                work.pop()
            elif id(following) not in seen and id(following) not in self._known:
                seen.add(id(following))
                work.append((following, self._called_by(following)))
        return order

    def _called_by(self, unit: Unit) -> Iterator[Unit]:
        """What a unit calls, or any unit of its call cycle.

        Nothing where the groups were given: who knows them asks for callees first.
        """
        for member in self._groups.get(id(unit), (unit,)):
            yield from self._calls.get(id(member), ())

    def _recursive_groups(self) -> Groups:
        units: dict[int, Unit] = {}
        calls: dict[int, list[int]] = {}
        for unit in self.project.units.values():
            callees = self._calls[id(unit)] = self.callees(unit)
            units.update((id(u), u) for u in (unit, *callees))
            calls[id(unit)] = [id(callee) for callee in callees]
        groups: Groups = {}
        for members in cycles(calls):
            groups.update(as_group([units[m] for m in members]))
        return groups

    def callees(self, unit: Unit) -> list[Unit]:
        """The procedures of the project that the statements of a unit may call."""
        return self.called_in(unit, unit.body)

    def called_in(self, unit: Unit, statements: Iterable[Statement]) -> list[Unit]:
        """Those that some statements of the unit, or statements inside them, may call."""
        return self.invocations_of(unit).callees(statements)

    def invocations_of(self, unit: Unit) -> Invocations:
        """What in the unit's statements may be the reference of a procedure."""
        found = self._invocations.get(id(unit))
        if found is None:
            found = Invocations(self.project, unit, self.storage.overloaded)
            self._invocations[id(unit)] = found
        return found

    def _settle(self, group: tuple[Unit, ...]) -> None:
        for unit in group:
            flag = Flag(Trait.RECURSION, unit.at, f"`{unit.name}` calls itself")
            self._known[id(unit)] = Summary(unit, flags=(flag,))
        while True:
            changed = False
            for unit in group:
                before = self._known[id(unit)]
                after = _widened(self._walked(unit), before)
                changed |= _extent(after) != _extent(before)
                self._known[id(unit)] = after
            if not changed:
                break
        for unit in group:
            self._known[id(unit)] = condensed(self._known[id(unit)])

    def take_grounding(self, unit: Unit) -> Grounding:
        """What the summary of the unit was made with; its owner is who asks."""
        found = self._groundings.pop(id(unit), None)
        if found is None:
            return self._grounding(unit)
        self.asked.update(found.asked)
        return found

    def _grounding(self, unit: Unit) -> Grounding:
        places = Places(self.project, unit, self.storage)
        return grounding(places, self.invocations_of(unit), self.of)

    def _walked(self, unit: Unit) -> Summary:
        """What the unit does; of one that is too large, what it may do, with all reads exposed."""
        try:
            return self._summarised(unit, Effort())
        except TooLarge:
            return self._summarised(unit, Effort(sys.maxsize), blind=True)

    def _summarised(self, unit: Unit, effort: Effort, *, blind: bool = False) -> Summary:
        ground = self._grounding(unit)
        if id(unit) not in self._groups:  # there it rests on summaries that are not final
            self._groundings[id(unit)] = ground
        context = Context(
            self.project,
            unit,
            self.storage,
            ground.expressions,
            ground.structuring,
            ground.modified,
            ground.reallocation.of_all(unit.body),
            ground.bounds,
            Interest.CALLERS,
            effort,
            blind,
        )
        iteration = Iteration(context, self.of, ground.modification.in_order, None)
        self._note_hidden(unit, iteration)
        iteration.walk(unit.body)
        return _summary(unit, context, iteration.exits())

    def _note_hidden(self, unit: Unit, iteration: Iteration) -> None:
        """What a call does before and after the body: INTENT(OUT) resets, FINAL procedures."""
        for statement in inside(unit.body):
            if isinstance(statement, Jump) and statement.keyword == "entry":
                detail = f"`{unit.name}` has another ENTRY"
                iteration.context.record.flag(Trait.OPAQUE, statement.at, detail)
        self._note_specifications(unit, iteration)
        types = self.storage.types
        for symbol in unit.symbols.values():
            if symbol.name in unit.args and types.is_reset(symbol):
                iteration.references.store(Name(symbol.name), unit.at, sure=False)
            ends = symbol.intent == "out" or (symbol.name not in unit.args and not is_saved(symbol))
            if ends and "pointer" not in symbol.attributes and types.calls_on_end(symbol.type):
                iteration.context.record.flag(
                    Trait.DISPATCH, symbol.at, f"a FINAL procedure is called for `{symbol.name}`"
                )

    def _note_specifications(self, unit: Unit, iteration: Iteration) -> None:
        """Bounds and lengths are evaluated at every call (Fortran 2018, 10.1.11)."""
        for symbol in unit.symbols.values():
            for dimension in symbol.dims:
                for bound in (dimension.lower, dimension.upper):
                    iteration.references.read(bound, symbol.at)
            if (symbol.type or "").startswith("character"):
                for name in _NAME.findall(symbol.kind or ""):
                    if iteration.evaluator.designator(Name(name)) is not None:
                        iteration.references.read(Name(name), symbol.at)


def as_group(members: Iterable[Unit]) -> Groups:
    """Units that call each other in a circle, as `Summaries` wants them."""
    group = tuple(sorted(members, key=lambda unit: (unit.at, unit.name)))
    return {id(unit): group for unit in group}


def _summary(unit: Unit, context: Context, exits: list[State]) -> Summary:
    record = context.record
    jumps = any(flag.trait is Trait.JUMP for flag in record.flags)
    kept: dict[tuple[str, bool], list[Access]] = {}
    for access in record.accesses:
        if not outlives(access.key, access.symbol, unit):
            continue
        if access.write or access.exposed or jumps:
            effect = _as_effect(access, unit, context.values, jumps=jumps)
            kept.setdefault((effect.key, effect.write), []).append(effect)
    accesses = [a for found in kept.values() for a in condensed_accesses(found, context.values)]
    definitions: tuple[tuple[str, Definition], ...] = ()
    if exits and not jumps:
        definitions = tuple(
            (key, definition)
            for key, known in everywhere(exits, ()).items()
            if key in record.symbols and outlives(key, record.symbols[key], unit)
            for definition in known
            if not _mentions_inner_index(definition, context.values)
        )
    kept_flags = tuple(
        flag for flag in record.flags if flag.trait not in (*LOCAL_TRAITS, Trait.JUMP)
    )
    return Summary(
        unit,
        context.values,
        tuple(accesses),
        definitions,
        kept_flags,
        tuple(record.calls),
        tuple(record.overlaps),
        _touches(record.accesses, unit),
        tuple(
            _as_effect(asked, unit, context.values, jumps=False)
            for key, asked in record.asked.items()
            if outlives(key, asked.symbol, unit)
        ),
        _allocated(unit, context),
    )


def _allocated(unit: Unit, context: Context) -> frozenset[str]:
    """What a call may allocate anew of what outlives it, INTENT(OUT) included."""
    symbols = [unit.symbols[name] for name in unit.args if name in unit.symbols]
    reset = [s.name for s in symbols if context.storage.types.is_reset(s)]
    found = map(context.expressions.places.designator, map(Name, reset))
    keys = {*context.reallocated, *(designator.key for designator in found if designator)}
    return frozenset(key for key in keys if _is_kept(key, unit))


def _is_kept(key: str, unit: Unit) -> bool:
    symbol = unit.symbols.get(key.partition("%")[0].rpartition("::")[2])
    return is_shared(key, unit) or (symbol is not None and outlives(key, symbol, unit))


def _touches(accesses: list[Access], unit: Unit) -> tuple[tuple[Touch, Symbol], ...]:
    """References of the unit itself to what others can see: those of its host count too."""
    first: dict[tuple[str, bool], tuple[Touch, Symbol]] = {}
    for access in accesses:
        if access.whole_procedure or (access.key, access.write) in first:
            continue
        if unit.units or is_shared(access.key, unit):
            name = access.symbol.name + "".join(access.key.partition("%")[1:])
            touch = Touch(access.key, name, access.write, access.at, access.symbol.at)
            first[access.key, access.write] = touch, access.symbol
    return tuple(first[place] for place in sorted(first))


def _mentions_inner_index(definition: Definition, values: Values) -> bool:
    sides = [side for side in definition.region if side is not None]
    return any(values.within(form) for side in sides for form in (side.low, side.high))


def _as_effect(access: Access, unit: Unit, values: Values, *, jumps: bool) -> Access:
    shared = is_shared(access.key, unit) or access.symbol.name not in unit.args
    subscripts = access.subscripts
    conditions = access.conditions
    if jumps:
        subscripts = tuple(Extent.UNKNOWN for _ in subscripts)
        conditions = (holds(values.opaque(())),)
    return Access(
        access.key,
        subscripts,
        access.write,
        access.at,
        conditions,
        access.symbol,
        access.declared,
        through_pointer=access.through_pointer,
        is_target=access.is_target,
        pointer_rank=access.pointer_rank,
        part=access.part,
        kind=access.kind,
        call=access.call,
        whole_procedure=shared,
    )


def _widened(after: Summary, before: Summary) -> Summary:
    """Whole objects instead of regions, joined with what was known before."""
    accesses: dict[tuple[str, bool], Access] = {}
    for access in map(bounded, (*before.accesses, *after.accesses)):
        accesses.setdefault((access.key, access.write), anywhere(access, after.values))
    questions = map(bounded, (*before.asked, *after.asked))
    flags = tuple(dict.fromkeys((*before.flags, *after.flags)))
    traits: dict[Trait, Flag] = {}
    for flag in flags:
        traits.setdefault(flag.trait, flag)
    return Summary(
        after.unit,
        after.values,
        tuple(accesses.values()),
        (),
        tuple(traits.values()),
        tuple(sorted({*before.calls, *after.calls})),
        after.overlaps,
        after.touches,
        tuple({asked.key: asked for asked in questions}.values()),
        frozenset(map(bounded_key, before.allocated | after.allocated)),
    )


def _extent(summary: Summary) -> tuple[object, ...]:
    return (
        frozenset(asked.key for asked in summary.asked),
        summary.allocated,
        frozenset((a.key, a.write) for a in summary.accesses),
        frozenset(flag.trait for flag in summary.flags),
        summary.calls,
    )


def is_procedure(unit: Unit) -> bool:
    return unit.kind in _PROCEDURES
