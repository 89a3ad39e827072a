"""What is known of a unit, in words for a model: text in Markdown lists."""

from collections.abc import Iterable, Iterator

from acclimate.analysis.facts import LoopFacts, Verdict
from acclimate.analysis.index import ProjectIndex
from acclimate.analysis.ir import Unit
from acclimate.analysis.names.resolution import Variable
from acclimate.analysis.source import Lines
from acclimate.porter.author.task import Task
from acclimate.porter.plan import LoopDecision, PortPlan

_MANY = 40


def refusals_text(refused: Iterable[LoopDecision], index: ProjectIndex) -> str:
    """One item a refused loop: the reason, the two references that clash, a next step."""
    facts = {loop.at: loop for loop in index.loops}
    lines = []
    for decision in refused:
        refusal = decision.refusal
        why = refusal.reason if refusal else "no rule applies"
        lines.append(f"- line {decision.at.first}: {why}")
        loop = facts.get(decision.at)
        lines += [f"  - {text}" for text in _obstacles(loop, why) if loop]
        if refusal and refusal.next_step:
            lines.append(f"  - possible: {refusal.next_step}")
    return "\n".join(lines) or "- nothing is refused, but nothing may be taken for granted either"


def _obstacles(loop: LoopFacts | None, told: str) -> Iterator[str]:
    for obstacle in loop.obstacles if loop else ():
        if obstacle.detail not in told:
            yield f"also: {obstacle.detail}"
        for witness in obstacle.witnesses[:2]:
            away = f", {witness.distance} iterations apart" if witness.distance is not None else ""
            yield (
                f"{witness.kind} dependence on `{witness.variable}`: line {witness.source.first}"
                f" and line {witness.sink.first}{away}"
            )


def loops_text(task: Task, index: ProjectIndex) -> str:
    """One item a loop of the unit that is not refused."""
    refused = {decision.at for decision in task.refused}
    return "\n".join(
        f"- line {loop.at.first}: loop over `{loop.index}` is {loop.verdict}" + _needs(loop)
        for loop in index.loops
        if loop.unit == task.unit and loop.at not in refused and loop.kind == "do"
    )


def _needs(loop: LoopFacts) -> str:
    reductions = [f"{r.op}:{r.var}" for r in loop.reduction]
    parts = [f"reduction {', '.join(reductions)}"] if reductions else []
    parts += [f"read after it: {', '.join(loop.last_values)}"] if loop.last_values else []
    return f" ({'; '.join(parts)})" if parts else ""


def data_text(unit: Unit, plan: PortPlan, index: ProjectIndex) -> str:
    """The declarations, as they stand, of what the unit uses and does not declare."""
    shown: dict[Lines, list[str]] = {}
    for name in sorted(unit.mentioned):
        found = index.project.resolve(unit, name)
        if isinstance(found, Variable) and found.symbol.owner is not unit:
            shown.setdefault(found.symbol.at, []).append(name)
    resident = {member for kept in plan.residency for member in kept.members}
    lines = []
    for at in list(shown)[:_MANY]:
        text = " ".join(_lines(index, at)).strip()
        device = any(m.rpartition("::")[2] in shown[at] for m in resident)
        lines.append(f"- {at}: `{text}`" + (" (lives on the device)" if device else ""))
    return "\n".join(lines)


def _lines(index: ProjectIndex, at: Lines) -> list[str]:
    text = index.project.texts.get(at.file, b"").decode("latin-1").split("\n")
    return [line.strip() for line in text[at.first - 1 : at.last]]


def callers_text(task: Task, index: ProjectIndex) -> str:
    """Call sites of the unit, and the procedures it calls."""
    into = [c for c in index.calls if c.callee == task.unit][:_MANY]
    out = sorted({c.callee for c in index.calls if c.caller == task.unit})
    lines = [f"- called from `{c.caller}`, {c.at}: `{' '.join(_lines(index, c.at))}`" for c in into]
    return "\n".join(lines + [f"- calls `{name}`" for name in out])


def source_text(index: ProjectIndex, at: Lines) -> str:
    """Lines behind their numbers: no line of the source stands at the beginning of a line."""
    text = index.project.texts[at.file].decode("latin-1").split("\n")
    width = len(str(at.last))
    return "\n".join(
        f"{number:>{width}}| {text[number - 1].rstrip()}" for number in range(at.first, at.last + 1)
    )


def tags(task: Task, index: ProjectIndex) -> frozenset[str]:
    """The facts that cards are chosen by: reasons, verdicts and constructs of the unit's loops."""
    found: set[str] = set()
    refused = {decision.at for decision in task.refused}
    for loop in index.loops:
        if loop.unit == task.unit and (loop.at in refused or not refused):
            found |= {obstacle.reason for obstacle in loop.obstacles}
            found |= {loop.verdict.value, *(["reduction"] if loop.reduction else [])}
            found |= {"last-value"} if loop.last_values else set()
            found |= {"calls"} if loop.calls else set()
            found |= {"array-statement"} if loop.kind == "array" else set()
            found |= {"io", "stop"} if loop.verdict is Verdict.HOST else set()
    return frozenset(found)
