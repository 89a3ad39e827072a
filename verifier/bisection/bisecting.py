"""Bisect a port: mixtures of original and port, each built and held to the original's numbers."""

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from acclimate.verifier.bisection.journal import Entry, Journal, OutOfBudget
from acclimate.verifier.bisection.pieces import Piece, Pieces, take_apart
from acclimate.verifier.bisection.search import Answer, culprits
from acclimate.verifier.building.build import BuildFailure, build
from acclimate.verifier.gate.bench import Bench
from acclimate.verifier.gate.gating import Gated, Reference, gate
from acclimate.verifier.gate.judging import Finding
from acclimate.verifier.gate.tolerances import Mode, Tolerances
from acclimate.verifier.toolchains import Build
from acclimate.verifier.trials.attribution import Hunk, blamed


@dataclass(frozen=True, slots=True)
class Budget:
    """The most trials, and the most seconds of this run; None: no limit."""

    trials: int | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Culprit:
    """Units that differ by themselves; more than one where they only do so together.

    `file` and `line` are the first changed line in the port, `original_line` that of the original;
    `change` says what was changed there and `told` what the numbers show.
    """

    units: tuple[str, ...]
    file: str
    line: int
    original_line: int
    change: str
    told: str


@dataclass(frozen=True, slots=True)
class Bisected:
    """`suspects` counts the units that differ, `trials` all mixtures tried, `earlier` those before.

    `unfinished`: the budget was used up, the same command goes on.
    """

    culprits: tuple[Culprit, ...]
    suspects: int
    trials: int
    earlier: int
    unfinished: bool = False


def bisect(
    bench: Bench,
    original: Bench,
    reference: Reference,
    tolerances: Tolerances,
    mode: Mode,
    budget: Budget,
) -> Bisected:
    """Name the units of the port that make it differ from the reference.

    `bench` is the port's, `original` that of the original, whose numbers `reference` holds.

    Raises:
        Problem: a run reached a limit, or the trees cannot be taken apart.
    """
    apart = take_apart(original.manifest, bench.manifest)
    key = _key(apart, reference, tolerances, mode)
    search = _Search(bench, apart, reference, tolerances, mode, budget, key)
    names = [piece.name for piece in apart.pieces]
    found: list[Culprit] = []
    unfinished = False
    try:
        groups = culprits(names, search.trial)
        found = [search.culprit(group) for group in groups]
    except OutOfBudget:
        unfinished = True
    journal = search.journal
    return Bisected(tuple(found), len(names), len(journal), journal.known, unfinished)


def _key(apart: Pieces, reference: Reference, tolerances: Tolerances, mode: Mode) -> str:
    digest = hashlib.sha256(f"{mode} {tolerances} {reference.baseline.identity}".encode())
    for piece in apart.pieces:
        digest.update(repr(piece.hunks).encode())
    return digest.hexdigest()[:16]


class _Search:
    def __init__(
        self,
        bench: Bench,
        apart: Pieces,
        reference: Reference,
        tolerances: Tolerances,
        mode: Mode,
        budget: Budget,
        key: str,
    ) -> None:
        self.bench, self.apart, self.reference = bench, apart, reference
        self.tolerances, self.mode, self.budget = tolerances, mode, budget
        self.journal = Journal(bench.work / "bisect" / key / "journal.jsonl")
        self.began = time.monotonic()

    def trial(self, units: frozenset[str]) -> Answer:
        """Whether the original with these units of the port differs."""
        return self._ask(units, [h for p in self.apart.pieces if p.name in units for h in p.hunks])

    def culprit(self, units: tuple[str, ...]) -> Culprit:
        """Where in some units the numbers are changed: by halves of their hunks, if need be."""
        pieces = [self.apart.by_name(name) for name in units]
        told = self.journal.told(frozenset(units))
        hunk, change = self._line(pieces)
        return Culprit(
            units, hunk.port.file, hunk.port.first, hunk.edit.first, change, told
        )  # fmt: skip

    def _line(self, pieces: Sequence[Piece]) -> tuple[Hunk, str]:
        every = [hunk for piece in pieces for hunk in piece.hunks]
        statements = [change for piece in pieces for change in piece.changed]
        telling = [hunk for hunk in every if blamed([hunk], statements)] or every
        if len(telling) > 1:
            names = {f"{h.edit.file}:{h.edit.first}": h for h in telling}
            found = culprits(
                list(names), lambda some: self._ask(some, [names[name] for name in sorted(some)])
            )
            telling = [names[name] for group in found for name in group] or telling
        first = telling[0]
        changes = blamed([first], statements)
        if not changes:
            return first, "a directive"
        port, was = changes[0].at, changes[0].original
        edit = replace(first.edit, first=was.first, last=was.last) if was else first.edit
        return replace(first, port=port, edit=edit), changes[0].message

    def _ask(self, names: frozenset[str], chosen: list[Hunk]) -> Answer:
        seconds = self.budget.seconds
        if seconds is not None and time.monotonic() - self.began > seconds:
            raise OutOfBudget
        return self.journal.ask(names, lambda: self._try(names, chosen), self.budget.trials)

    def _try(self, names: frozenset[str], chosen: list[Hunk]) -> Entry:
        bench = self.bench
        bench.say(f"trial {len(self.journal) + 1}: {len(names)} of the port's parts")
        mixed = self.apart.with_hunks(chosen, bench.work / "bisect" / "mixture")
        if isinstance(build(mixed, bench.toolchain, Build.HOST, bench.work), BuildFailure):
            return Entry(Answer.UNRESOLVED, "it does not build")
        found = gate(bench.with_manifest(mixed), self.reference, self.tolerances, self.mode)
        if found.verdict is Finding.FAILS:
            return Entry(Answer.BAD, _told(found))
        return Entry(Answer.GOOD, "")


def _told(found: Gated) -> str:
    first = found.failures[0]
    step = f" at step {first.step}" if first.step is not None else ""
    place = f" {first.place}" if first.place else ""
    return f"{first.variable}{step}{place}: {first.message}".lstrip(": ")


def scratch_reference(folder: Path) -> Path:
    """Where a baseline goes that is made of the original for one bisection only."""
    return folder / "bisect" / "baseline"
