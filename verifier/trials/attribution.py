"""Which part of a port makes its numbers differ: the original with only some of the port's hunks.

Hunks are halved, first by unit and then one by one, and each half is built and run; what differs
by itself is kept. Parts that only differ together, or do not compile apart, stay together.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TypeVar

from acclimate.analysis.source import Edit, Lines, apply_edits
from acclimate.analysis.switches import DECLARATION, FUNCTION_LINES
from acclimate.verifier.building.build import BuildFailure, build
from acclimate.verifier.building.variant import variant_tree
from acclimate.verifier.comparing.comparison import compare
from acclimate.verifier.running.runs import Run
from acclimate.verifier.subject import Length, Side, Subject
from acclimate.verifier.texts.source_equality import ChangedStatement, pair_files
from acclimate.verifier.texts.source_file import SourceFile
from acclimate.verifier.toolchains import Build

_MOST_BUILDS = 40
_FUNCTION = [line.strip() for line in FUNCTION_LINES if line.strip()]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Hunk:
    """A run of lines in which port and original differ: `edit` makes the one of the other."""

    edit: Edit
    port: Lines
    unit: str

    @property
    def is_switch(self) -> bool:
        """It only brings along what directives of other hunks ask, so it goes with all of them."""
        lines = [line.strip() for line in self.edit.text if line.strip()]
        return self.edit.inserts and (set(lines) == {DECLARATION} or lines == _FUNCTION)


def hunks(original: SourceFile, port: SourceFile) -> tuple[Hunk, ...]:
    """All hunks of one file, as edits of the original."""
    before, after = _lines(original), _lines(port)
    units = _units_by_line(port)
    found = []
    for tag, a0, a1, b0, b1 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag != "equal":
            edit = Edit(original.name, a0 + 1, a1, tuple(after[b0:b1]))
            lines = Lines(port.name, b0 + 1, max(b1, b0 + 1))
            found.append(Hunk(edit, lines, units(b0 + 1)))
    return tuple(found)


def _lines(file: SourceFile) -> list[str]:
    """The lines of a file without their ends; behind the last end there is none."""
    text = file.data.decode("latin-1").replace("\r\n", "\n")
    return text.removesuffix("\n").split("\n")


def culprits(subject: Subject, length: Length) -> tuple[Hunk, ...]:
    """The hunks that change the results of a run of this length; empty when none can be named."""
    pairs = pair_files(subject.original_files, subject.port_files)
    every: list[Hunk] = []
    for before, after in pairs:
        if before is None or after is None:
            return ()
        every += hunks(before, after)
    trial = _Trial(subject, length, [hunk for hunk in every if hunk.is_switch])
    by_unit: dict[tuple[str, str], list[Hunk]] = {}
    for hunk in every:
        if hunk.is_switch:
            continue
        by_unit.setdefault((hunk.port.file, hunk.unit), []).append(hunk)
    groups = _narrow(list(by_unit.values()), lambda some: trial.differs(sum(some, [])))
    found: list[Hunk] = []
    for group in groups:
        found += _narrow(group, trial.differs)
    return tuple(found)


def blamed(found: Sequence[Hunk], changes: Sequence[ChangedStatement]) -> list[ChangedStatement]:
    """The changed statements that stand in these hunks."""
    return [change for change in changes if any(_touches(hunk, change) for hunk in found)]


def _touches(hunk: Hunk, change: ChangedStatement) -> bool:
    if hunk.port.file != change.at.file:
        return False
    was = change.original
    if was is not None and hunk.edit.first <= was.first <= hunk.edit.last:
        return True
    return hunk.port.first <= change.at.first <= hunk.port.last


def _narrow(group: list[T], differs: Callable[[list[T]], bool | None]) -> list[T]:
    """The members of a group known to differ that differ by themselves."""
    if len(group) <= 1:
        return group
    middle = len(group) // 2
    found: list[T] = []
    for half in (group[:middle], group[middle:]):
        if differs(half):
            found += _narrow(half, differs)
    return found or group


class _Trial:
    """Builds and runs the original with some hunks of the port; None: it does not build."""

    def __init__(self, subject: Subject, length: Length, always: list[Hunk]) -> None:
        self.subject, self.length, self.always = subject, length, always
        self.reference = subject.baseline(length)
        self.builds = 0

    def differs(self, chosen: list[Hunk]) -> bool | None:
        if self.builds == _MOST_BUILDS:
            return None
        self.builds += 1
        run = self._run(chosen)
        if run is None:
            return None
        masks = self.subject.masks_of(self.length)
        return not run.ok or not compare(self.reference.outputs, run.outputs, masks).identical

    def _run(self, chosen: list[Hunk]) -> Run | None:
        subject = self.subject
        edits: dict[str, list[Edit]] = {}
        for hunk in (*self.always, *chosen):
            edits.setdefault(hunk.edit.file, []).append(hunk.edit)
        files = subject.original_files
        changed = {name: apply_edits(files[name].data, some) for name, some in edits.items()}
        tree = variant_tree(
            subject.manifest(Side.ORIGINAL), changed, subject.work / "variants" / "blame"
        )
        made = build(tree, subject.toolchain, Build.HOST, subject.work)
        if isinstance(made, BuildFailure):
            return None
        key = hashlib.sha256(repr(chosen).encode()).hexdigest()[:12]
        return subject.run(made.executable, f"blame-{key}", self.length)


def _units_by_line(file: SourceFile) -> Callable[[int], str]:
    starts = [(s.at.first, s.unit) for s in file.statements]

    def unit(line: int) -> str:
        return next((name for first, name in starts if first >= line), "")

    return unit
