"""How often procedures are called in a run, and which ones no run can reach."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from acclimate.analysis.dependence.cycles import cycles
from acclimate.analysis.facts import CallWeight, ProcedureFacts

_MOST_CALLS = 1e30


@dataclass(frozen=True, slots=True)
class Frequency:
    """Calls of a procedure in one run, by static trip counts."""

    calls: float
    open_calls: float  # of them inside loops that may run in parallel and are on no device yet


def live_procedures(procedures: Iterable[ProcedureFacts]) -> frozenset[str]:
    """What a run may execute, externals included; other procedures are dead code.

    Whatever a live procedure names counts, called or handed on, and what is bound to a type or an
    operator. Without a program, what nobody calls is where a run begins.
    """
    facts = {one.unit: one for one in procedures}
    waiting = [*_starts(tuple(facts.values())), *(n for n, one in facts.items() if one.bound)]
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            if name in facts:
                waiting += (call.callee for call in facts[name].calls)
                waiting += facts[name].refers
    return frozenset(found)


def frequencies(procedures: Iterable[ProcedureFacts]) -> dict[str, Frequency]:
    """Calls of every procedure in a run; those inside a recursive group are left out."""
    facts = {one.unit: one for one in procedures}
    outward = _calls_between_groups(facts)
    total = dict.fromkeys(facts, 0.0) | dict.fromkeys(_starts(tuple(facts.values())), 1.0)
    opened = dict.fromkeys(facts, 0.0)
    for name in _callers_first(outward):
        inside = opened[name] / total[name] if total[name] else 0.0
        for call in outward[name]:
            times = min(_MOST_CALLS, total[name] * call.times)
            part = call.open_times / call.times if call.times else 0.0
            total[call.callee] += times
            opened[call.callee] += times * (inside + (1 - inside) * part)
    return {name: Frequency(total[name], opened[name]) for name in facts}


def _calls_between_groups(facts: Mapping[str, ProcedureFacts]) -> dict[str, list[CallWeight]]:
    successors = {
        name: [call.callee for call in one.calls if call.callee in facts]
        for name, one in facts.items()
    }
    group_of = {name: number for number, group in enumerate(cycles(successors)) for name in group}
    return {
        name: [
            call
            for call in one.calls
            if call.callee in facts
            and (name not in group_of or group_of[name] != group_of.get(call.callee))
        ]
        for name, one in facts.items()
    }


def _callers_first(calls: Mapping[str, Sequence[CallWeight]]) -> list[str]:
    """A topological order of a graph without cycles."""
    order: list[str] = []
    seen: set[str] = set()
    for start in sorted(calls):
        waiting = [(start, False)]
        while waiting:
            name, done = waiting.pop()
            if done:
                order.append(name)
            elif name not in seen:
                seen.add(name)
                waiting.append((name, True))
                waiting += ((call.callee, False) for call in calls[name])
    return order[::-1]


def _starts(facts: Sequence[ProcedureFacts]) -> tuple[str, ...]:
    """Programs; without any, the procedures that nothing else names."""
    programs = tuple(one.unit for one in facts if one.kind == "program")
    if programs:
        return programs
    named = {call.callee for one in facts for call in one.calls if call.callee != one.unit}
    named |= {name for one in facts for name in one.refers}
    return tuple(one.unit for one in facts if one.unit not in named)
