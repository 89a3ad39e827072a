"""Which units a model is asked about, and which loops of them."""

from collections import defaultdict
from collections.abc import Iterator, Set
from dataclasses import dataclass

from acclimate.analysis.facts import LoopFacts
from acclimate.analysis.index import ProjectIndex
from acclimate.analysis.source import Lines
from acclimate.porter.plan import LoopDecision, LoopState, PortPlan
from acclimate.porter.reply.proposal import Ground


@dataclass(frozen=True, slots=True)
class Task:
    """One unit; `refused` are the loops that the rules refuse, all of them in it."""

    unit: str
    at: Lines  # from its first statement to its END
    refused: tuple[LoopDecision, ...]


def tasks(
    plan: PortPlan, index: ProjectIndex, leave: Set[str], *, everything: bool
) -> tuple[Task, ...]:
    """The units with refused loops, in dependency order; with `everything` all that have loops.

    Loops around calls of procedures with loops of their own stay on the host, and loops with a
    `skip` hint are left alone.
    """
    refused: dict[str, list[LoopDecision]] = defaultdict(list)
    facts = {loop.at: loop for loop in index.loops}
    with_loops = {loop.unit for loop in index.loops}
    for decision in plan.loops:
        loop = facts.get(decision.at)
        if decision.state is LoopState.REFUSED and loop and not _drives(loop, with_loops):
            refused[decision.unit].append(decision)
    chosen = with_loops if everything else refused.keys()
    ordered = [u.unit for u in plan.units] + sorted(chosen - {u.unit for u in plan.units})
    return tuple(
        Task(name, _span(index, name), tuple(refused[name]))
        for name in dict.fromkeys(ordered)
        if name in chosen and name not in leave and name in index.project.units
    )


def _drives(loop: LoopFacts, with_loops: Set[str]) -> bool:
    return loop.is_skipped or bool(with_loops & set(loop.calls))


def _span(index: ProjectIndex, unit: str) -> Lines:
    found = index.project.units[unit]
    return Lines(found.at.file, found.at.first, found.end.last)


def ground(index: ProjectIndex, unit: str, may_edit: Lines) -> Ground:
    """What a reply about these lines of a unit may touch; its declarations always."""
    found = index.project.units[unit]
    head = Lines(found.at.file, found.at.first, found.specification_end.last)
    names = frozenset(u.name for u in index.project.units.values())
    text = index.project.texts[may_edit.file]
    return Ground(index.manifest, text, unit, may_edit, names, head)


def pieces(task: Task, index: ProjectIndex) -> Iterator[tuple[Lines, tuple[LoopDecision, ...]]]:
    """The outermost loops around what was refused, with the refused loops in each."""
    loops = [loop for loop in index.loops if loop.unit == task.unit]
    taken = 0
    for loop in sorted(loops, key=lambda loop: loop.at):
        if loop.at.first <= taken:
            continue
        inside = tuple(d for d in task.refused if loop.at.first <= d.at.first <= loop.end.last)
        if inside:
            taken = loop.end.last
            yield Lines(loop.at.file, loop.at.first, loop.end.last), inside
