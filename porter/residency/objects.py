"""Derived-type objects on the device: the object first, its components behind it.

The order is what gfortran 12 and its libgomp need: the object is entered after all its components
have been allocated, so that the device gets their bounds; the components follow in a directive of
their own and are attached; they leave before the object does.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from acclimate.analysis.ir import Statement, UnitKind
from acclimate.analysis.source import Lines
from acclimate.porter.names.scope import Reference, Scope
from acclimate.porter.names.traversal import last_line
from acclimate.porter.residency.allocations import Allocations, Birth, Death
from acclimate.porter.residency.storage import is_static
from acclimate.porter.text.directives_text import clause, directive
from acclimate.porter.text.margins import Margins
from acclimate.porter.text.placement import Insertion, Slot

Bar = Callable[[str, Lines, str], None]


@dataclass(frozen=True, eq=False)
class ObjectSetting:
    """What the plan for the objects of one procedure needs to know."""

    scope: Scope
    resident: Callable[[str], bool]
    siblings: Callable[[str], frozenset[str]]  # resident array components of the same type
    allocations: Allocations
    margins: Margins
    bar: Bar


@dataclass
class Objects:
    """Entry and exit of derived-type objects in one procedure."""

    setting: ObjectSetting
    insertions: list[Insertion] = field(default_factory=list)
    _early: dict[str, tuple[int, int, list[Statement]]] = field(default_factory=dict)

    def plan(self) -> None:
        """Fill `insertions`; objects that cannot be followed are reported through `bar`."""
        by_object: dict[str, list[Birth]] = {}
        for birth in self.setting.allocations.births(self.setting.scope):
            if birth.found.path and self.setting.resident(birth.found.node):
                by_object.setdefault(_object(birth.found), []).append(birth)
        for name, births in sorted(by_object.items()):
            complaint = self._complaint(births)
            if complaint:
                for birth in births:
                    self.setting.bar(birth.found.node, birth.place.statement.at, complaint)
            else:
                self._enter(name, births)
        self._exits()

    def before_entry(self, statement: Statement, found: Reference) -> bool:
        """The object has not been entered yet when this statement runs."""
        if not found.path or _object(found) not in self._early:
            return False
        first, last, _ = self._early[_object(found)]
        return first <= statement.at.first <= last

    def _complaint(self, births: list[Birth]) -> str:
        one = births[0].found
        if len(one.path) > 1 or one.varying:
            return f"'{one.designator}' is a component of a nested object or of an array element"
        if any(b.place.block is not births[0].place.block for b in births):
            return f"the components of '{_object(one)}' are allocated in different branches"
        if any(b.place.one_line_if for b in births):
            return f"a component of '{_object(one)}' is allocated under a condition"
        missing = self.setting.siblings(one.node) - {b.found.node for b in births}
        if missing:
            name = sorted(missing)[0].rsplit("%", 1)[1]
            return f"component '{name}' of '{_object(one)}' is allocated elsewhere"
        unit, root = self.setting.scope.unit, one.root
        is_local = root.owner is unit and root.name not in unit.args
        if is_local and unit.kind is not UnitKind.PROGRAM and not is_static(unit, root):
            return f"'{root.name}' is local to '{unit.name}'"
        return ""

    def _enter(self, name: str, births: list[Birth]) -> None:
        last = births[-1].place.statement
        first = births[0].place.statement
        unit = self.setting.scope.unit
        leaves = any(
            death.found.path and _object(death.found) == name
            for death in self.setting.allocations.deaths(self.setting.scope)
        )
        start = (
            unit.at.first if births[0].place.block is unit.body and not leaves else first.at.first
        )
        self._early[name] = (start, last_line(last), births[0].place.block)
        components = sorted({b.found.designator for b in births})
        empty = not any(b.filled for b in births) and _follow_each_other(births)
        kind = "create" if empty else "copyin"
        line = last_line(last) + 1
        self._insert(last.at, line, Slot.AFTER, -4, ("enter data", clause("copyin", [name])))
        self._insert(last.at, line, Slot.AFTER, -3, ("enter data", clause(kind, components)))

    def _exits(self) -> None:
        by_object: dict[str, list[Death]] = {}
        for death in self.setting.allocations.deaths(self.setting.scope):
            if death.found.path and self.setting.resident(death.found.node):
                by_object.setdefault(_object(death.found), []).append(death)
        for name, deaths in sorted(by_object.items()):
            at = deaths[0].place.statement.at
            components = sorted({d.found.designator for d in deaths})
            words = ("exit data", clause("delete", components))
            self._insert(at, at.first, Slot.BEFORE, 1, words)
            self._insert(at, at.first, Slot.BEFORE, 2, ("exit data", clause("delete", [name])))

    def _insert(self, at: Lines, line: int, slot: Slot, order: int, words: Iterable[str]) -> None:
        margins = self.setting.margins
        text = directive(tuple(words), margins.of(at.file, at.first), margins.form(at.file))
        self.insertions.append(Insertion(at.file, line, slot, order, text))


def _follow_each_other(births: list[Birth]) -> bool:
    """Whether nothing stands between the allocations that may give a component a value."""
    allocating = {id(birth.place.statement) for birth in births}
    block = births[0].place.block
    places = [n for n, statement in enumerate(block) if id(statement) in allocating]
    return len(places) == places[-1] - places[0] + 1


def _object(found: Reference) -> str:
    return found.designator.rsplit("%", 1)[0]
