"""The row of one unit: its state, its kernels, its lights and what was refused in it."""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from acclimate.analysis.source import Edit, Lines
from acclimate.porter.agent.artefacts import Answer, SurveyedUnit
from acclimate.porter.agent.blame import unit_at
from acclimate.porter.agent.outcome import Outcome
from acclimate.porter.rewrite import Refusal
from acclimate.verifier.evidence import Evidence
from acclimate.verifier.figures import Kernel
from acclimate.workflows.reporting.lights import unit_lights
from acclimate.workflows.reporting.model import (
    NEVER_VALIDATED,
    EditCount,
    KernelRow,
    RefusalRow,
    UnitRow,
)

Place = tuple[str, int]  # file and line of the original
_OPENS = re.compile(r"\s*[!cC*]\$acc\s+(?:parallel|kernels|serial)\b(?!\s+loop)", re.IGNORECASE)
_CLOSES = re.compile(
    r"\s*[!cC*]\$acc\s+end\s+(?:parallel|kernels|serial)\b(?!\s+loop)", re.IGNORECASE
)


class Rows:
    """Makes rows from one outcome; evidence and kernels are sorted to their units once."""

    def __init__(self, outcome: Outcome) -> None:
        self._outcome = outcome
        self.line_map = cache(outcome.line_map)
        self._seconds = sum(kernel.seconds for kernel in outcome.examination.kernels)
        self._kernels: dict[Place, list[Kernel]] = defaultdict(list)
        for kernel in outcome.examination.kernels:
            if kernel.file is not None and kernel.line is not None:
                self._kernels[self._place(kernel.file, kernel.line)].append(kernel)
        units: dict[str, list[SurveyedUnit]] = defaultdict(list)
        for one in outcome.survey.units:
            units[one.at.file].append(one)
        self._evidence: dict[str, list[Evidence]] = defaultdict(list)
        for item in outcome.examination.assessment.evidence:
            if item.file is not None and item.line is not None:
                unit = unit_at(units[item.file], *self._place(item.file, item.line))
                self._evidence[unit or ""].append(item)
        self._executed = {
            file: sorted(self.line_map(file).originals(lines))
            for file, lines in outcome.examination.executed_lines.items()
        }
        self._further = {
            file: sorted(self.line_map(file).originals(lines))
            for file, lines in outcome.examination.further_lines.items()
        }
        reached = outcome.examination.reached or ()
        self._reached = {self._place(file, line) for file, line in reached}

    def row(self, unit: SurveyedUnit) -> UnitRow:
        answer = self._outcome.answers.get(unit.name, Answer())
        rewrite = answer.rewrite
        edits = rewrite.edits if rewrite else ()
        regions = tuple(_regions(edits))
        kernels = (
            tuple(self._kernel(loop, regions) for loop in rewrite.offloaded) if rewrite else ()
        )
        executed, further = self._was_executed(unit, kernels)
        overall = self._outcome.examination.assessment.lights
        return UnitRow(
            name=unit.name,
            kind=unit.kind,
            file=unit.at.file,
            line=unit.at.first,
            state=self._state(unit, answer),
            lights=unit_lights(
                self._evidence[unit.name], overall, executed=executed, further=further
            ),
            edits=_count(edits),
            kernels=kernels,
            refusals=tuple(map(_refused, self._refusals(unit, answer))),
            notes=self._notes(unit, edits, kernels, further),
        )

    def _state(self, unit: SurveyedUnit, answer: Answer) -> str:
        if unit.name in self._outcome.turned_back:
            return "turned-back"
        if unit.name in self._outcome.planned.left_out:
            return "left-out"
        rewrite = answer.rewrite
        routine = unit.name in self._outcome.planned.routines
        if rewrite and (rewrite.offloaded or (routine and rewrite.edits)):
            return "ported"
        return "refused" if self._refusals(unit, answer) else "host"

    def _refusals(self, unit: SurveyedUnit, answer: Answer) -> tuple[Refusal, ...]:
        feedback = self._outcome.turned_back.get(unit.name)
        if feedback is not None:
            step = "the unit is the original's again; mend what the evidence names, or report it"
            return tuple(
                Refusal(unit.at, f"attempt {feedback.attempt} failed: {finding}", step)
                for finding in feedback.findings
            )
        if unit.name in self._outcome.planned.left_out:
            return ()
        if answer.rewrite is not None:
            return tuple(dict.fromkeys(answer.rewrite.refusals))
        return self._outcome.planned.refusals.get(unit.name, ())

    def _notes(
        self,
        unit: SurveyedUnit,
        edits: Sequence[Edit],
        kernels: Sequence[KernelRow],
        executed: bool,
    ) -> tuple[str, ...]:
        if not executed:
            return (NEVER_VALIDATED,) if edits else ()
        idle = sum(not kernel.executed for kernel in kernels)
        return (f"{idle} of {len(kernels)} kernels {NEVER_VALIDATED}",) if idle else ()

    def _kernel(self, loop: Lines, regions: Sequence[Lines]) -> KernelRow:
        """The loop at `loop` and what the run measured of it.

        A loop that shares a launch is measured with the region that it stands in: it has run where
        the region was launched and a run came to its DO, and has no time of its own.
        """
        measured = self._kernels.get((loop.file, loop.first), [])
        launches = sum(kernel.launches for kernel in measured)
        if not launches:
            shared = self._launches_around(loop, regions)
            if shared and _came_to(self._executed, loop):
                return KernelRow(loop.first, True, shared, None)
            return KernelRow(loop.first, self._reached_further(loop, regions))
        share = self._outcome.examination.kernel_share
        part = None
        if share is not None and self._seconds > 0:
            part = share * sum(kernel.seconds for kernel in measured) / self._seconds
        return KernelRow(loop.first, True, launches, part)

    def _was_executed(self, unit: SurveyedUnit, kernels: Sequence[KernelRow]) -> tuple[bool, bool]:
        """By the model's own run; by any run."""
        if kernels:
            return any(k.launches for k in kernels), any(k.executed for k in kernels)
        executed = _within(self._executed, unit)
        return executed, executed or _within(self._further, unit)

    def _launches_around(self, loop: Lines, regions: Sequence[Lines]) -> int:
        """How often the compute region was launched that a loop shares with others."""
        places = _around(loop, regions)
        return sum(kernel.launches for place in places for kernel in self._kernels.get(place, ()))

    def _reached_further(self, loop: Lines, regions: Sequence[Lines]) -> bool:
        """Whether a further run launched the loop, alone or with others in a region."""
        if (loop.file, loop.first) in self._reached:
            return True
        shared = not self._reached.isdisjoint(_around(loop, regions))
        return shared and _came_to(self._further, loop)

    def _place(self, file: str, line: int) -> Place:
        return file, self.line_map(file).original(line)


def _around(loop: Lines, regions: Sequence[Lines]) -> set[Place]:
    """Where the compute regions begin that a loop stands in."""
    around = [r for r in regions if r.file == loop.file and r.first <= loop.first <= r.last]
    return {(region.file, region.first) for region in around}


def _came_to(executed: Mapping[str, list[int]], at: Lines) -> bool:
    """Whether a run executed the statement that begins at a line of the original."""
    lines = executed.get(at.file, [])
    found = bisect_left(lines, at.first)
    return found < len(lines) and lines[found] == at.first


def _within(executed: Mapping[str, list[int]], unit: SurveyedUnit) -> bool:
    """Whether a run executed a statement inside of a unit."""
    lines = executed.get(unit.at.file, [])
    first = bisect_right(lines, unit.at.last)
    return first < len(lines) and lines[first] < unit.end.first


def _regions(edits: Sequence[Edit]) -> Iterator[Lines]:
    """Lines of the original inside of each compute construct whose loops share a launch."""
    opened: list[Edit] = []
    for edit in sorted(edits, key=lambda edit: (edit.file, edit.first)):
        if any(_OPENS.match(line) for line in edit.text):
            opened.append(edit)
        if opened and any(_CLOSES.match(line) for line in edit.text):
            first = opened.pop()
            if first.file == edit.file:
                yield Lines(edit.file, first.first, edit.first - 1)


def _count(edits: Sequence[Edit]) -> EditCount:
    lines = sum(len(edit.text) + max(0, edit.last - edit.first + 1) for edit in edits)
    return EditCount(len(edits), lines)


def _refused(refusal: Refusal) -> RefusalRow:
    return RefusalRow(refusal.at.file, refusal.at.first, refusal.reason, refusal.next_step)
