"""When resident data enters and leaves the device: at its allocation, or with its procedure."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from acclimate.analysis.dependence.statements import inside, parts
from acclimate.analysis.ir import Apply, If, Jump, Statement, Symbol, Unit, UnitKind
from acclimate.analysis.source import Lines
from acclimate.porter.names.conditionals import Conditionals
from acclimate.porter.names.scope import Reference, Scope
from acclimate.porter.names.traversal import last_line
from acclimate.porter.residency.allocations import Allocations, Birth, Death, Standing, standing
from acclimate.porter.residency.simple_statements import jump_targets
from acclimate.porter.text.directives_text import clause, directive
from acclimate.porter.text.fortran_text import fortran
from acclimate.porter.text.margins import Margins
from acclimate.porter.text.placement import Insertion, Slot

Bar = Callable[[str, Lines, str], None]
Event = TypeVar("Event", Birth, Death)


@dataclass(frozen=True, eq=False)
class StorageSetting:
    """What the storage plan of one procedure needs to know."""

    scope: Scope
    on_device: Callable[[str], bool]  # resident arrays, and objects that hold resident data
    allocations: Allocations
    margins: Margins
    conditionals: Conditionals
    bar: Bar


class Storage:
    """Enter and exit directives of one procedure, derived-type objects left aside."""

    def __init__(self, setting: StorageSetting) -> None:
        self._set = setting
        self._scope = setting.scope
        self._unit = setting.scope.unit
        self.insertions: list[Insertion] = []

    def plan(self) -> None:
        """Fill `insertions`; storage that cannot be followed is reported through `bar`."""
        births = [b for b in self._set.allocations.births(self._scope) if self._is_plain(b.found)]
        for run in runs(births):
            self._enter(run)
        self._exits()
        self._locals()

    def _is_plain(self, found: Reference) -> bool:
        return not found.path and self._set.on_device(found.node)

    # --- allocatable and pointer variables -------------------------------------------------------

    def _enter(self, run: list[Birth]) -> None:
        last = run[-1].place
        condition = [b.found.designator for b in run] if last.one_line_if else []
        line = last_line(last.one_line_if or last.statement) + 1
        for order, filled in enumerate((False, True)):
            found = [b.found for b in run if (b.filled or _holds_objects(b.found)) is filled]
            test = {f.designator: asked(f) for f in found}
            names = sorted(test)
            name = "copyin" if filled else "create"
            for group in [[n] for n in names] if condition else [names] if names else []:
                guard = f"if({test[group[0]]}({group[0]}))" if condition else ""
                words = ("enter data", clause(name, group), guard)
                self._insert(last.statement.at, line, Slot.AFTER, order - 2, words)

    def _exits(self) -> None:
        for run in runs([d for d in self._deaths() if not d.place.one_line_if]):
            at = run[0].place.statement.at
            names = sorted({death.found.designator for death in run})
            self._insert(at, at.first, Slot.BEFORE, 1, ("exit data", clause("delete", names)))
        for death in self._deaths():
            if death.place.one_line_if:
                at, name = death.place.one_line_if.at, death.found.designator
                words = ("exit data", clause("delete", [name]), f"if({asked(death.found)}({name}))")
                self._insert(at, at.first, Slot.BEFORE, 1, words)

    def _deaths(self) -> list[Death]:
        return [
            death
            for death in self._set.allocations.deaths(self._scope)
            if self._is_plain(death.found) or self._is_allocated_for_caller(death.found)
        ]

    def _is_allocated_for_caller(self, found: Reference) -> bool:
        return not found.path and found.root.name in self._unit.args

    # --- variables that live as long as their procedure, or as the program -----------------------

    def _locals(self) -> None:
        unit = self._unit
        saved, temporary, allocatable = [], [], []
        for name, symbol in sorted(unit.symbols.items()):
            node = self._scope.node(symbol)
            if symbol.owner is not unit or name in unit.args or not self._set.on_device(node):
                continue
            if symbol.is_parameter:
                continue
            if symbol.common is not None and unit.kind is not UnitKind.PROGRAM:
                continue  # on the device since the program began
            if symbol.attributes & {"allocatable", "pointer"}:
                if not is_static(unit, symbol) and "allocatable" in symbol.attributes:
                    allocatable.append(name)
            elif is_static(unit, symbol):
                saved.append(name)
            else:
                temporary.append(name)
        self._at_entry("copyin", saved)
        self._at_entry("create", temporary)
        self._at_exits(temporary, allocatable)

    def _at_entry(self, kind: str, names: list[str]) -> None:
        if not names or not self._unit.body:
            return
        first = self._unit.body[0]
        if any(isinstance(s, Jump) and s.keyword == "entry" for s in inside(self._unit.body)):
            self._bar_locals(names, first.at, "the procedure has more than one ENTRY")
            return
        if first.label in jump_targets(self._unit.body):
            self._bar_locals(names, first.at, "the procedure jumps back to its first statement")
            return
        line = self._set.conditionals.before(first.at, self._unit)
        if line is None:
            self._bar_locals(names, first.at, "the procedure begins under a condition")
            return
        self._insert(first.at, line, Slot.ENTRY, 0, ("enter data", clause(kind, names)))

    def _at_exits(self, temporary: list[str], allocatable: list[str]) -> None:
        if not temporary and not allocatable:
            return
        body = self._unit.body
        targets = jump_targets(body)
        for place in standing(body):
            if isinstance(place.statement, Jump) and place.statement.keyword == "return":
                if place.statement.label in targets:
                    reason = "the RETURN is jumped to"
                    self._bar_locals(temporary + allocatable, place.statement.at, reason)
                self._leave(place, temporary, allocatable)
        last = body[-1] if body else None
        if last is not None and not (isinstance(last, Jump) and last.keyword == "return"):
            gone = {d.found.designator for d in self._deaths() if d.place.block is body}
            kept = [name for name in allocatable if name not in gone]
            line = self._set.conditionals.behind(last.at, last_line(last) + 1, self._unit)
            self._delete(last.at, line, temporary, kept, "")

    def _leave(self, place: Standing, temporary: list[str], allocatable: list[str]) -> None:
        short = place.one_line_if
        guard = _condition(short) if short is not None else ""
        at = short.at if short is not None else place.statement.at
        if short is not None and not guard:
            self._bar_locals(temporary + allocatable, at, "the condition of a RETURN is a call")
            return
        self._delete(at, at.first, temporary, allocatable, guard)

    def _delete(
        self, at: Lines, line: int, temporary: list[str], allocatable: list[str], guard: str
    ) -> None:
        if temporary:
            words = ("exit data", clause("delete", temporary), f"if({guard})" if guard else "")
            self._insert(at, line, Slot.EXIT, 0, words)
        for order, name in enumerate(allocatable, start=1):
            test = f"allocated({name}) .and. ({guard})" if guard else f"allocated({name})"
            words = ("exit data", clause("delete", [name]), f"if({test})")
            self._insert(at, line, Slot.EXIT, order, words)

    def _bar_locals(self, names: Iterable[str], at: Lines, reason: str) -> None:
        for name in names:
            node = self._scope.node(self._unit.symbols[name])
            self._set.bar(node, at, f"'{name}': {reason}")

    def _insert(self, at: Lines, line: int, slot: Slot, order: int, words: tuple[str, ...]) -> None:
        margin, form = self._set.margins.of(at.file, at.first), self._set.margins.form(at.file)
        text = directive(words, margin, form)
        self.insertions.append(Insertion(at.file, line, slot, order, text))


def asked(found: Reference) -> str:
    """The intrinsic function that tells whether a variable or component has storage."""
    return "associated" if "pointer" in found.symbol.attributes else "allocated"


def _holds_objects(found: Reference) -> bool:
    """Its elements have values from their declaration, descriptors at least."""
    return (found.symbol.type or "").startswith("type(")


def is_static(unit: Unit, symbol: Symbol) -> bool:
    """The variable outlives the procedure: SAVE, initialised, or of the main program."""
    return (
        unit.kind in (UnitKind.PROGRAM, UnitKind.MODULE)
        or "save" in symbol.attributes
        or symbol.initial is not None
    )


def runs(births: Sequence[Event]) -> list[list[Event]]:
    """Births (or deaths) in adjacent statements of one block, together."""
    by_statement: dict[int, list[Event]] = {}
    blocks: dict[int, list[Statement]] = {}
    for birth in births:
        by_statement.setdefault(id(birth.place.statement), []).append(birth)
        blocks.setdefault(id(birth.place.block), birth.place.block)
    found: list[list[Event]] = []
    for block in blocks.values():
        run: list[Event] = []
        for statement in block:
            new = by_statement.get(id(statement), [])
            if not new and run:
                found.append(run)
                run = []
            run = run + new
        if run:
            found.append(run)
    return found


def _condition(statement: If) -> str:
    """The condition of a one-line IF as text; empty when it calls something."""
    condition = statement.branches[0].condition
    if condition is None:
        return ""
    if any(isinstance(part, Apply) for part in parts(condition)):
        return ""
    return fortran(condition)
