"""Derived-type objects on the device: the object first, its components behind it.

The order is what gfortran 12 and its libgomp need: the object is entered after all its components
have been allocated, so that the device gets their bounds; the components follow in a directive of
their own and are attached; they leave before the object does.

Elements of arrays of objects, and objects in objects, are on the device when their components are
allocated (`containers.py`): `update device` of the object brings the bounds, once nothing is
attached in it yet.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from acclimate.analysis.ir import Statement, UnitKind
from acclimate.analysis.source import Lines
from acclimate.porter.names.scope import Reference, Scope
from acclimate.porter.names.traversal import last_line
from acclimate.porter.residency.allocations import Allocations, Birth, Death
from acclimate.porter.residency.birth_order import BirthOrder
from acclimate.porter.residency.nested_objects import Group, NestedObjects
from acclimate.porter.residency.storage import asked, is_static
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
    order: BirthOrder
    margins: Margins
    bar: Bar


@dataclass
class Objects:
    """Entry and exit of derived-type objects in one procedure."""

    setting: ObjectSetting
    insertions: list[Insertion] = field(default_factory=list)
    _early: dict[str, tuple[int, int]] = field(default_factory=dict)

    def plan(self) -> None:
        """Fill `insertions`; objects that cannot be followed are reported through `bar`."""
        setting = self.setting
        nested = NestedObjects(setting.scope, setting.order.containers, setting.order, setting.bar)
        by_object: dict[str, list[Birth]] = {}
        for birth in setting.allocations.births(setting.scope):
            if setting.order.containers.is_deep(_kind(birth.found)):
                nested.take(birth)
            elif birth.found.path and setting.resident(birth.found.node):
                by_object.setdefault(_object(birth.found), []).append(birth)
        for group in nested.groups():
            self._attach(group)
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
        if not found.path:
            return False
        for name in (found.designator, _object(found)):
            first, last = self._early.get(name, (0, -1))
            if first <= statement.at.first <= last:
                return True
        return False

    def _complaint(self, births: list[Birth]) -> str:
        one = births[0].found
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
        self._early[name] = (start, last_line(last))
        components = sorted({b.found.designator for b in births})
        empty = not any(b.filled for b in births) and _follow_each_other(births)
        kind = "create" if empty else "copyin"
        line = last_line(last) + 1
        self._insert(last.at, line, Slot.AFTER, -4, ("enter data", clause("copyin", [name])))
        self._insert(last.at, line, Slot.AFTER, -3, ("enter data", clause(kind, components)))

    def _attach(self, group: Group) -> None:
        """Components of an object that is on the device already."""
        first, last = group.births[0].place.statement, group.births[-1].place.statement
        line = last_line(last) + 1
        self._insert(last.at, line, Slot.AFTER, -4, ("update", clause("device", [group.name])))
        empty = _follow_each_other(group.births)
        for order, kind in ((-3, "create"), (-2, "copyin")):
            filled = kind == "copyin"
            found = [b.found for b in group.births if (group.filled(b) or not empty) is filled]
            names = sorted({f.designator for f in found})
            if names:
                self._insert(last.at, line, Slot.AFTER, order, ("enter data", clause(kind, names)))
        for birth in group.births:
            self._early[birth.found.designator] = (first.at.first, last_line(last))

    def _exits(self) -> None:
        by_object: dict[str, list[Death]] = {}
        for death in self.setting.allocations.deaths(self.setting.scope):
            if self.setting.order.containers.is_deep(_kind(death.found)):
                self._detach(death)
            elif death.found.path and self.setting.resident(death.found.node):
                by_object.setdefault(_object(death.found), []).append(death)
        for name, deaths in sorted(by_object.items()):
            at = deaths[0].place.statement.at
            components = sorted({d.found.designator for d in deaths})
            words = ("exit data", clause("delete", components))
            self._insert(at, at.first, Slot.BEFORE, 1, words)
            self._insert(at, at.first, Slot.BEFORE, 2, ("exit data", clause("delete", [name])))

    def _detach(self, death: Death) -> None:
        """A component leaves; its object stays."""
        found, short = death.found, death.place.one_line_if
        containers = self.setting.order.containers
        if self.setting.resident(found.node) or containers.enters(found.node):
            at = short.at if short is not None else death.place.statement.at
            guard = f"if({asked(found)}({found.designator}))" if short is not None else ""
            words = ("exit data", clause("delete", [found.designator]), guard)
            self._insert(at, at.first, Slot.BEFORE, 0, words)

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


def _kind(found: Reference) -> str:
    """The type that a component belongs to, "" for a variable."""
    return found.node.rpartition("%")[0]


def _object(found: Reference) -> str:
    return found.designator.rsplit("%", 1)[0]
