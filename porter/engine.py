"""The rule engine: plan a port, propose the change of one unit, assemble the ported files.

Everything is a pure function of the index and of what is excluded: text in, text out.
"""

from collections.abc import Mapping

from acclimate.analysis import registry
from acclimate.analysis.dependence.collection import without_collecting
from acclimate.analysis.index import ProjectIndex
from acclimate.analysis.source import Edit, apply_edits
from acclimate.porter import rules
from acclimate.porter.invariant.legality import BrokenInvariant, violations
from acclimate.porter.plan import PortPlan
from acclimate.porter.planning.planner import Planner
from acclimate.porter.rewrite import Feedback, Refusal, Rewrite
from acclimate.porter.rule import registered

AUTHOR = "rules"


def plan(
    index: ProjectIndex, exclude: frozenset[str] = frozenset(), *, switches: bool = False
) -> PortPlan:
    """Plan the whole port.

    Args:
        exclude: qualified names of units, or "file:line" of loops, that stay on the host.
        switches: the kernels of each unit can be turned off when the port runs.

    Raises:
        Problem: a kernel that the model has already uses data that cannot stay on the device.
    """
    registry.load_all(rules)
    with without_collecting():
        return Planner(index, registered(), exclude, switches).plan()


def propose(
    port: PortPlan, unit: str, index: ProjectIndex, feedback: Feedback | None = None
) -> Rewrite | Refusal:
    """The change of one unit; rules have one proposal only, so feedback ends in a refusal.

    Raises:
        KeyError: the plan knows no such unit.
    """
    planned = port.unit(unit)
    if planned is None:
        raise KeyError(unit)
    at = index.project.units[unit].at
    if feedback is not None and unit not in port.excluded:
        failed = "; ".join(feedback.findings) or "the port of this unit failed"
        return Refusal(at, failed, "rules have no other proposal: exclude the unit and plan again")
    if not planned.edits:
        return Refusal(at, "nothing to change in this unit", "")
    return Rewrite(unit, AUTHOR, planned.edits, planned.refusals, planned.offloaded)


def assemble(
    port: PortPlan, rewrites: Mapping[str, Rewrite], index: ProjectIndex
) -> dict[str, bytes]:
    """The changed files of a port.

    Raises:
        ValueError: a planned unit has no rewrite (residency would be incomplete: plan again
            without it), or a byte outside the edited lines would change.
        BrokenInvariant: the port, read again, breaks the invariant of residency.
    """
    missing = sorted(set(port.changed_units) - set(rewrites))
    if missing:
        raise ValueError(f"no rewrite of {', '.join(missing)}; exclude these units and plan again")
    by_file: dict[str, list[Edit]] = {}
    names = [*port.changed_units, *sorted(set(rewrites) - set(port.changed_units))]
    for name in names:
        for edit in rewrites[name].edits:
            by_file.setdefault(edit.file, []).append(edit)
    texts = index.project.texts
    ported = {file: apply_edits(texts[file], edits) for file, edits in sorted(by_file.items())}
    for file, data in ported.items():
        check_identity(texts[file], data, by_file[file])
    with without_collecting():
        broken = violations(index, ported)
    if broken:
        raise BrokenInvariant(broken)
    return ported


def check_identity(original: bytes, ported: bytes, edits: list[Edit]) -> None:
    """Every byte of the original outside the edited lines stands in the port, in order.

    Raises:
        ValueError: naming the first original line that does not.
    """
    replaced = {n for e in edits if not e.inserts for n in range(e.first, e.last + 1)}
    place = 0
    for number, line in enumerate(original.split(b"\n"), start=1):
        if number in replaced or not line:
            continue
        found = ported.find(line, place)
        while found > 0 and ported[found - 1 : found] != b"\n":  # inside a new line
            found = ported.find(line, found + 1)
        if found < 0:
            raise ValueError(f"{edits[0].file}:{number} would change outside an edit")
        place = found + len(line)
