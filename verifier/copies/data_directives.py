"""What data directives do to the copies of what they name."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from acclimate.analysis.directives import Clause, Construct
from acclimate.analysis.source import Lines
from acclimate.analysis.switches import while_off
from acclimate.verifier.copies.frames import Frame, expression
from acclimate.verifier.copies.reports import Reports
from acclimate.verifier.copies.state import Copy, Guard, Place, State

DECLARED = ("create", "copyin", "copy", "copyout", "device_resident", "present", "link")
_MAPPING = ("copy", "copyin", "copyout", "create")
_HOLDING = (*_MAPPING, "present", "no_create", "deviceptr", "attach")
_ON_CONDITION = ("if", "if_present")


def data_kind(clause: Clause) -> str:
    """The data clause by its plain name, `copyin` for `pcopyin`; empty for any other clause."""
    if clause.name in _HOLDING:
        return clause.name
    plain = clause.name.removeprefix("present_or_").removeprefix("p")
    return plain if plain in _MAPPING else ""


def named(frame: Frame, construct: Construct, *clauses: str) -> Iterator[tuple[Place, bool]]:
    """Variables in these clauses; whether they are named as a whole."""
    for text in construct.arguments(*clauses):
        expr = expression(text)
        found = frame.reference(expr) if expr is not None else None
        if found is not None:
            yield found.place, found.exact and not found.subscripts


@dataclass(frozen=True, slots=True)
class _Held:
    """A variable in a structured data region, and whether it was mapped before."""

    place: Place
    kind: str
    before: bool | None


@dataclass
class DataDirectives:
    """The data directives of one block, with the structured regions that are open in it."""

    frame: Frame
    guard: Guard
    reports: Reports
    open: list[list[_Held]] = field(default_factory=list)

    def execute(self, construct: Construct, at: Lines, state: State) -> None:
        if while_off(construct) is not None:
            return  # all units are on where nobody says otherwise
        match construct.name:
            case "update":
                self._update(construct, at, state)
            case "data":
                self.open.append(self._begin(construct, state))
            case "enter data":
                self._begin(construct, state)
            case "end data" if self.open:
                for held in self.open.pop():
                    _end(held, state)
            case "exit data":
                for place, _ in named(self.frame, construct, "copyout", "delete", "detach"):
                    state.mapped[place] = None
                    _doubt(place, state)
            case "host_data":
                for place, _ in named(self.frame, construct, "use_device"):
                    _doubt(place, state)
            case "end host_data" | "end data":
                state.doubt_all()

    def _update(self, construct: Construct, at: Lines, state: State) -> None:
        conditional = any(clause.name in _ON_CONDITION for clause in construct.clauses)
        for copy, other, words in (
            (Copy.DEVICE, Copy.HOST, ("device",)),
            (Copy.HOST, Copy.DEVICE, ("self", "host")),
        ):
            for place, whole in named(self.frame, construct, *words):
                if conditional:
                    _doubt(place, state)
                    continue
                if state.is_mapped(place) is False:
                    self.reports.absent(place, at)
                for write in state.missed(other, place) if whole else ():
                    self.reports.overwrites(place, at, self.guard, copy, write)
                state.doubt(other, place)
                state.bring(copy, place)

    def _begin(self, construct: Construct, state: State) -> list[_Held]:
        conditional = any(clause.name in _ON_CONDITION for clause in construct.clauses)
        begun = []
        for clause in construct.clauses:
            kind = data_kind(clause)
            for place, whole in named(self.frame, Construct("", (clause,)), clause.name):
                if not kind:
                    continue
                before = state.is_mapped(place)
                begun.append(_Held(place, kind, before))
                if conditional or not whole or before is None or kind not in _MAPPING:
                    state.doubt(Copy.DEVICE, place)
                    state.mapped[place] = True if before else None
                elif not before:
                    state.mapped[place] = True
                    if kind in ("copy", "copyin"):
                        state.bring(Copy.DEVICE, place)
        return begun


def _end(held: _Held, state: State) -> None:
    """A structured data region ends; only what it has mapped itself is given back."""
    place = held.place
    state.mapped[place] = held.before
    if held.before is False and held.kind in ("copy", "copyout"):
        state.bring(Copy.HOST, place)
        state.doubt(Copy.DEVICE, place)
    elif held.before is None:
        _doubt(place, state)


def _doubt(place: Place, state: State) -> None:
    state.doubt(Copy.HOST, place)
    state.doubt(Copy.DEVICE, place)
