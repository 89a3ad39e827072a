"""The modules of a review: one for each source file, with its hunks and what is known of it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from acclimate.porter.agent.artefacts import SurveyedUnit
from acclimate.porter.agent.blame import unit_at
from acclimate.porter.agent.outcome import Outcome
from acclimate.verifier.evidence import Evidence, Light
from acclimate.verifier.evidence import Outcome as Held
from acclimate.workflows.reporting.model import UnitRow
from acclimate.workflows.reporting.units import Rows
from acclimate.workflows.reviewing.events import Edited
from acclimate.workflows.reviewing.hunks import (
    Hunk,
    applied,
    beside,
    between,
    is_directive,
    of_edits,
)

UNCHANGED = "unchanged"
_FAILS, _NEVER_RUN, _STATEMENT, _STRANGER, _OPEN = 100, 30, 20, 10, 5  # points of risk


@dataclass(frozen=True, slots=True)
class Findings:
    """What an examination says of one source file.

    `lights` are as in `UnitRow`, `UNCHANGED` where nothing was changed.
    """

    units: tuple[UnitRow, ...]
    lights: Mapping[str, str]
    evidence: tuple[Evidence, ...]

    @property
    def share(self) -> float | None:
        """The part of the run time in the file's kernels; None: not measured."""
        shares = [k.share for unit in self.units for k in unit.kernels if k.share is not None]
        return sum(shares) if shares else None


@dataclass(frozen=True, slots=True)
class Module:
    """One source file. `title` names the modules, programs and bare procedures in it.

    `proposed` is what was found of it as the authors left it; `by_hand` names the hunks that a
    reviewer has written; `folded` are hunks that reviewers rejected and then edited over; `score`
    is the portability rank (0 to 1), `share` the part of the run time in its kernels (None: not
    measured), `size` the number of lines added and taken away.
    """

    file: str
    title: str
    proposed: Findings
    hunks: tuple[Hunk, ...]
    by_hand: frozenset[str]
    folded: tuple[Hunk, ...]
    authors: tuple[str, ...]
    score: float
    share: float | None
    size: int
    risk: int
    planned: bool

    @property
    def units(self) -> tuple[UnitRow, ...]:
        return self.proposed.units


class Modules:
    """Makes the modules of one outcome, most of them once."""

    def __init__(self, outcome: Outcome) -> None:
        self._outcome = outcome
        self._rows = Rows(outcome)
        self._units: dict[str, list[SurveyedUnit]] = defaultdict(list)
        for unit in outcome.survey.units:
            self._units[unit.at.file].append(unit)
        self._evidence: dict[str, list[Evidence]] = defaultdict(list)
        for item in outcome.examination.assessment.evidence:
            if item.file is not None:
                self._evidence[item.file].append(item)
        self._made: dict[tuple[str, ...], tuple[Hunk, ...]] = {}

    @property
    def files(self) -> tuple[str, ...]:
        """Every source file with a unit or a change."""
        return tuple(sorted({*self._units, *self._outcome.tree.changed}))

    def findings(self, file: str, *, changed: bool) -> Findings:
        """What this outcome's examination says of a file, which is `changed` in it or not."""
        rows = tuple(map(self._rows.row, self._units.get(file, [])))
        evidence = tuple(self._evidence.get(file, ()))
        return Findings(rows, _lights(rows, changed=changed), evidence)

    def module(self, file: str, edits: Sequence[Edited]) -> Module:
        """A file's module; `edits` are reviewers' texts of it, of which the last one counts."""
        units = self._units.get(file, [])
        hunks = self.hunks(file, edits)
        found = self.findings(file, changed=bool(hunks))
        authors = self._authors(units)
        scores = self._outcome.survey.scores
        return Module(
            file=file,
            title=_title(units) or file,
            proposed=found,
            hunks=hunks,
            by_hand=self._by_hand(file, hunks) if edits else frozenset(),
            folded=self._folded(file, edits, hunks),
            authors=authors,
            score=sum(scores.get(unit.name, 0.0) for unit in units),
            share=found.share,
            size=sum(len(hunk.old) + len(hunk.new) for hunk in hunks),
            risk=_risk(found, hunks, authors),
            planned=any(unit.name in self._outcome.planned.units for unit in units),
        )

    def hunks(self, file: str, edits: Sequence[Edited]) -> tuple[Hunk, ...]:
        """The hunks of a file: the authors', or those of a reviewer's text.

        Of a text, hunks that stood rejected when it was made stay beside it.
        """
        key = (file, *(edited.name for edited in edits))
        if key not in self._made:
            self._made[key] = self._edited(file, edits) if edits else self._written(file)
        return self._made[key]

    def _written(self, file: str) -> tuple[Hunk, ...]:
        original, key = self._outcome.original(file), self._outcome.tree.changed.get(file)
        edits = self._outcome.edits.get(file, ()) if key is not None else ()
        found = of_edits(file, original, edits)
        if not found or self._are_all(original, found, key):
            return found
        wanted = self._outcome.ported(file)
        return between(file, original, wanted, lambda line: self._unit_at(file, line))

    def _edited(self, file: str, edits: Sequence[Edited]) -> tuple[Hunk, ...]:
        before, last = self.hunks(file, edits[:-1]), edits[-1]
        original, text = self._outcome.original(file), self._outcome.store.get_bytes(last.text)
        known = [hunk for hunk in before if hunk.name not in last.left]
        fresh = between(file, original, text, lambda line: self._unit_at(file, line), known)
        return beside(original, fresh, (hunk for hunk in before if hunk.name in last.left))

    def _by_hand(self, file: str, hunks: Iterable[Hunk]) -> frozenset[str]:
        written = {hunk.name for hunk in self.hunks(file, ())}
        return frozenset(hunk.name for hunk in hunks) - written

    def _folded(
        self, file: str, edits: Sequence[Edited], hunks: Sequence[Hunk]
    ) -> tuple[Hunk, ...]:
        """Hunks that were left out of a text, and that no place was left for."""
        left = {
            hunk.name: hunk
            for count, edited in enumerate(edits)
            for hunk in self.hunks(file, edits[:count])
            if hunk.name in edited.left
        }
        return tuple(hunk for hunk in left.values() if hunk not in hunks)

    @staticmethod
    def _are_all(original: bytes, hunks: tuple[Hunk, ...], key: str | None) -> bool:
        """Whether these hunks make the port's file, which is named by its sha256."""
        try:
            return sha256(applied(original, hunks)).hexdigest() == key
        except ValueError:  # an edit in the middle of another
            return False

    def _unit_at(self, file: str, line: int) -> str:
        units = self._units.get(file, ())
        return unit_at(units, file, line) or unit_at(units, file, line - 1) or ""

    def _authors(self, units: Iterable[SurveyedUnit]) -> tuple[str, ...]:
        answers = (self._outcome.answers.get(unit.name) for unit in units)
        return tuple(sorted({a.rewrite.author for a in answers if a and a.rewrite}))


def _title(units: Iterable[SurveyedUnit]) -> str:
    """The outermost units of a file."""
    return ", ".join(unit.name for unit in units if "::" not in unit.name)


def _lights(rows: Iterable[UnitRow], *, changed: bool) -> dict[str, str]:
    """The worst of the changed units; units without edits say nothing."""
    judged = [row for row in rows if row.edits.count]
    if not changed or not judged:
        return dict.fromkeys((light.value for light in Light), UNCHANGED)
    order = (Held.FAILS.value, Held.INCONCLUSIVE.value, Held.HOLDS.value)
    return {
        light.value: min((row.lights[light.value] for row in judged), key=order.index)
        for light in Light
    }


def _risk(found: Findings, hunks: Iterable[Hunk], authors: Iterable[str]) -> int:
    """Points for what a reviewer should look at first: failures, what never ran, statements."""
    rows, lights = found.units, found.lights
    statements = sum(not (is_directive(hunk.old) and is_directive(hunk.new)) for hunk in hunks)
    never = sum(not kernel.executed for row in rows for kernel in row.kernels)
    turned_back = sum(row.state == "turned-back" for row in rows)
    failing = sum(item.outcome is Held.FAILS for item in found.evidence) + turned_back
    asked = [lights[light.value] for light in (Light.DATA, Light.RACES, Light.NUMERICS)]
    return (
        _FAILS * failing
        + _NEVER_RUN * never
        + _STATEMENT * statements
        + _STRANGER * sum(author != "rules" for author in authors)
        + _OPEN * asked.count(Held.INCONCLUSIVE.value)
    )
