"""What a compute construct uses of each copy, and leaves behind."""

from collections.abc import Iterable, Mapping

from acclimate.analysis.directives import Construct
from acclimate.analysis.ir import Statement
from acclimate.analysis.switches import is_switch_alone
from acclimate.verifier.copies.data_directives import data_kind, named
from acclimate.verifier.copies.frames import Frame
from acclimate.verifier.copies.kernels import Access, KernelAccesses
from acclimate.verifier.copies.reports import Reports
from acclimate.verifier.copies.state import Copy, Guard, Place, State, Write

_UNKNOWN = ("no_create", "deviceptr", "attach")
_GIVING_NOTHING_BACK = ("copyin", "create")


def launch(
    frame: Frame,
    constructs: tuple[Construct, tuple[Construct, ...]],
    statements: list[Statement],
    state: State,
    guard: Guard,
    reports: Reports,
) -> None:
    """One launch of a kernel: `constructs` are its directive and the LOOP directives in it."""
    construct, inner = constructs
    clauses = _clauses(frame, construct)
    everything = any(c.name == "default" and c.args == ("present",) for c in construct.clauses)
    conditional = any(c.name in ("if", "self") for c in construct.clauses)
    conditional &= not is_switch_alone(construct)  # all units are on where nobody says otherwise
    for place, made in _by_place(KernelAccesses(frame, construct, inner).of(statements)).items():
        kind = clauses.get(place, "")
        mapped = state.is_mapped(place)
        if kind == "present" or everything and not kind and made[0].is_array:
            sure = [access for access in made if access.surely]
            if mapped is False and sure and not conditional:
                reports.absent(place, sure[0].at)
            mapped = True
        if not (made[0].is_array or kind or mapped):
            continue  # each launch has a scalar's value of its own
        if conditional or mapped is None or kind in _UNKNOWN:
            state.doubt(Copy.DEVICE, place)
            state.doubt(Copy.HOST, place)
        elif mapped:
            _resident(place, made, state, guard, reports)
        elif kind in _GIVING_NOTHING_BACK:
            _leave(place, made, state, guard)
    if statements and not conditional:
        _reduce(frame, constructs, Write(statements[0].at, guard, ()), clauses, state)


def _reduce(
    frame: Frame,
    constructs: tuple[Construct, tuple[Construct, ...]],
    result: Write,
    clauses: Mapping[Place, str],
    state: State,
) -> None:
    """Results of reductions come to the host by COPY alone, which is what they have by default."""
    for construct in (constructs[0], *constructs[1]):
        for place, whole in named(frame, construct, "reduction"):
            mapped = state.is_mapped(place)
            if mapped is None or not whole:
                state.doubt(Copy.HOST, place)
            elif mapped or clauses.get(place) in _GIVING_NOTHING_BACK:
                state.doubt(Copy.DEVICE, place)
                state.leave_behind(Copy.HOST, place, result)


def _resident(
    place: Place, made: list[Access], state: State, guard: Guard, reports: Reports
) -> None:
    if not any(access.is_write for access in made):
        for access in made:
            for write in state.missed(Copy.DEVICE, place) if access.surely else ():
                reports.kernel_reads(place, access.at, guard, access.region, write)
        return
    state.doubt(Copy.DEVICE, place)
    _leave(place, made, state, guard)


def _leave(place: Place, made: list[Access], state: State, guard: Guard) -> None:
    """The host's copy lacks what the kernel has written; if it has, under a condition."""
    for access in made:
        if access.is_write and access.exact and not access.is_read:
            state.leave_behind(Copy.HOST, place, Write(access.at, guard, access.region))


def _clauses(frame: Frame, construct: Construct) -> dict[Place, str]:
    found: dict[Place, str] = {}
    for clause in construct.clauses:
        if kind := data_kind(clause):
            mine = named(frame, Construct("", (clause,)), clause.name)
            found.update((place, kind) for place, _ in mine)
    return found


def _by_place(accesses: Iterable[Access]) -> dict[Place, list[Access]]:
    found: dict[Place, list[Access]] = {}
    for access in accesses:
        found.setdefault(access.place, []).append(access)
    return found
