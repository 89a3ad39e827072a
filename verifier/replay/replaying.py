"""Replay calls of procedures on both sides, and say what differs and what was never validated."""

import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from acclimate.analysis.project import read_project
from acclimate.analysis.source import Lines
from acclimate.verifier.building.build import BuildFailure, Built
from acclimate.verifier.capture.file_format import ENTRY, EXIT, Block
from acclimate.verifier.capture.targets import Refused, Target, Targets
from acclimate.verifier.replay.bench import CAPTURE_LIMIT, Bench, Captured
from acclimate.verifier.replay.coverage import (
    Counts,
    Coverage,
    branch_counts,
    coverage,
    load_counts,
    save_counts,
)
from acclimate.verifier.replay.differences import held
from acclimate.verifier.replay.drivers import can_be_driven
from acclimate.verifier.running.emulation import POISONS
from acclimate.verifier.subject import Side, Subject


@dataclass(frozen=True, slots=True)
class Failure:
    """A call after which the port's procedure left something else than the original's."""

    unit: str
    call: int
    rank: str
    poison: int
    message: str


@dataclass(frozen=True, slots=True)
class UnitReplay:
    """What the replay of one procedure has shown.

    `around` are the procedures that were replayed: itself, or those that call it. `why` says why
    none was, or why some calls were left out; `at` is its place in the port, `coverage` that of the
    original's text.
    """

    unit: str
    around: tuple[str, ...]
    at: Lines | None = None
    why: str = ""
    calls: int = 0
    values: int = 0
    failures: tuple[Failure, ...] = ()
    coverage: Coverage | None = None


@dataclass(frozen=True, slots=True)
class _Call:
    """Both sides of one call of the original, and the file they are in."""

    records: Path
    entry: Block
    exit: Block


def replay_units(
    subject: Subject,
    names: Sequence[str],
    tolerance: float = 0.0,
    only_call: int | None = None,
    without: Collection[str] = (),
) -> tuple[UnitReplay, ...]:
    """Replay procedures by name, `only_call` of them if it is given.

    `without` takes variables off the lists that the analysis has made, to see that it is noticed.

    Raises:
        Problem: there is no C compiler, or the model's inputs are missing.
    """
    plan = _Plan(subject, names)
    while True:
        if not plan.targets:
            return tuple(plan.refused(name, "") for name in names)
        bench = Bench(subject, plan.original, plan.targets, plan.in_port, without, plan.untouched)
        found = _replayed(bench, plan, names, tolerance, only_call)
        if not isinstance(found, BuildFailure):
            return found
        if not plan.leaves(found):
            return tuple(plan.refused(name, _does_not_build(found)) for name in names)


def _replayed(
    bench: Bench, plan: "_Plan", names: Sequence[str], tolerance: float, only_call: int | None
) -> tuple[UnitReplay, ...] | BuildFailure:
    captured = bench.captured()
    if isinstance(captured, BuildFailure):
        return captured
    if isinstance(captured, str):
        return tuple(plan.refused(name, captured) for name in names)
    return _Replays(bench, plan, captured, tolerance, only_call).reports(names)


def _does_not_build(failure: BuildFailure) -> str:
    said = f": {failure.errors[0]}" if failure.errors else ""
    return f"it does not build with its calls written down{said}"


class _Plan:
    """Which procedures are replayed for which."""

    def __init__(self, subject: Subject, names: Sequence[str]) -> None:
        self.original = read_project(subject.manifest(Side.ORIGINAL))
        self.port = read_project(subject.port)
        finder, in_port = Targets(self.original), Targets(self.port)
        self._finder = finder
        self.around: dict[str, tuple[str, ...]] = {}
        self.why: dict[str, str] = {}
        self.in_port: dict[str, Target] = {}
        found: dict[str, Target] = {}
        for name in names:
            hosts, why = finder.around(name)
            usable = []
            for host in hosts:
                theirs = in_port.of(host.name)
                obstacle = _obstacle(host, theirs, in_port)
                if obstacle:
                    why = why or f"{host.name}: {obstacle}"
                    continue
                assert isinstance(theirs, Target)
                self.in_port[host.name] = theirs
                found[host.name] = host
                usable.append(host.name)
            self.around[name] = tuple(usable)
            self.why[name] = "" if usable else why
        self.targets = tuple(found.values())
        self.untouched: set[str] = set()

    def leaves(self, failure: BuildFailure) -> bool:
        """Leave a file that does not build as it is, and all that needs it; is anything left?"""
        if failure.file is None or failure.file in self.untouched:
            return False
        self.untouched.add(failure.file)
        modules = {n for n, u in self.original.units.items() if u.at.file in self.untouched}
        lost = {
            target.name
            for target in self.targets
            if target.unit.at.file in self.untouched
            or any(name.partition("%")[0].rpartition("::")[0] in modules for name in target.listed)
        }
        for name, around in self.around.items():
            self.around[name] = tuple(unit for unit in around if unit not in lost)
            if around and not self.around[name]:
                self.why[name] = _does_not_build(failure)
        self.targets = tuple(target for target in self.targets if target.name not in lost)
        return True

    def refused(self, name: str, why: str) -> UnitReplay:
        """Not replayed, for a reason of its own or for `why`."""
        return UnitReplay(name, self.around[name], self.at(name), self.why[name] or why)

    def is_read(self, name: str) -> bool:
        """Whether anything may read a variable that a call has left; work arrays nothing does."""
        return "::" not in name or self._finder.is_read(name)

    def at(self, name: str) -> Lines | None:
        unit = self.port.units.get(name)
        return unit.at if unit else None


def _obstacle(host: Target, theirs: Target | Refused, in_port: Targets) -> str:
    """Why the port's procedure cannot be given what the original's was given."""
    if isinstance(theirs, Refused):
        return f"in the port {theirs.why}"
    unknown = sorted(theirs.listed.keys() - host.listed.keys())
    if unknown:
        return f"the port's procedure needs `{unknown[0]}`, which the original's has not"
    lost = sorted(name for name in host.listed if "::" in name and not in_port.knows(name))
    if lost:
        return f"the port has no `{lost[0]}`"
    return can_be_driven(host.unit, theirs.unit)


class _Replays:
    def __init__(
        self,
        bench: Bench,
        plan: _Plan,
        captured: Captured,
        tolerance: float,
        only_call: int | None,
    ) -> None:
        self.bench, self.plan = bench, plan
        self.tolerance, self.only_call = tolerance, only_call
        blocks = captured.blocks()
        self.calls = _paired(blocks)
        self.cut = {block.unit for each in blocks.values() for block in each if not block.whole}
        self.why: dict[str, str] = {}
        self.values: dict[str, int] = {}
        self.failures: dict[str, list[Failure]] = {}

    def reports(self, names: Sequence[str]) -> tuple[UnitReplay, ...] | BuildFailure:
        original = self.bench.replaying(Side.ORIGINAL)
        if isinstance(original, BuildFailure):
            return original
        port = self.bench.replaying(Side.PORT)
        if isinstance(port, BuildFailure):
            return port
        for target in self.plan.targets:
            proved = self._proved(original, target.name)
            self.calls[target.name] = proved
            self._judge(port, target.name, proved)
        counts = self._counts()
        return tuple(self._report(name, counts) for name in names)

    def _proved(self, made: Built, unit: str) -> tuple[_Call, ...]:
        """The calls of a procedure, if the original repeats every one of them bit for bit.

        One that it does not repeat shows that its list is not whole, and the others prove nothing.
        """
        chosen = tuple(
            call
            for call in self.calls.get(unit, ())
            if self.only_call is None or call.entry.call == self.only_call
        )
        if not chosen:
            too_large = f"its calls are larger than the limit of {CAPTURE_LIMIT} B for all together"
            seen = "no call of it was seen in the run"
            self.why[unit] = too_large if unit in self.cut else seen
        for poison in POISONS:
            exits, ended = self._exits(made, chosen, poison)
            for call in chosen:
                exit_ = exits.get((call.records, call.entry.call))
                number = call.entry.call
                if exit_ is None:
                    self.why[unit] = f"the original {ended} in the replay of call {number}"
                    return ()
                differences = held(call.exit, exit_).differences
                if differences:
                    self.why[unit] = (
                        f"the original does not repeat its own call {number}: it uses something"
                        " that is not on its list, or leaves something undefined:"
                        f" {differences[0].message}"
                    )
                    return ()
        return chosen

    def _judge(self, made: Built, unit: str, calls: Sequence[_Call]) -> None:
        if not calls:
            return
        for poison in POISONS:
            exits, ended = self._exits(made, calls, poison)
            for call in calls:
                exit_ = exits.get((call.records, call.entry.call))
                if exit_ is None:
                    self._fail(unit, call, poison, f"the port {ended}")
                    break  # those behind it were never begun
                found = held(call.exit, exit_, self.tolerance)
                live = [d for d in found.differences if self.plan.is_read(d.name)]
                if live:
                    self._fail(unit, call, poison, live[0].message)
                elif poison == POISONS[0]:
                    self.values[unit] = self.values.get(unit, 0) + found.values

    def _fail(self, unit: str, call: _Call, poison: int, message: str) -> None:
        rank = call.records.name.removeprefix("rank-")
        failure = Failure(unit, call.entry.call, rank, poison, message)
        known = self.failures.setdefault(unit, [])
        if all(other.call != failure.call or other.rank != rank for other in known):
            known.append(failure)

    def _exits(
        self, made: Built, calls: Sequence[_Call], poison: int
    ) -> tuple[dict[tuple[Path, int], Block], str]:
        """Exits by file and number of the call, and how the last program ended."""
        found: dict[tuple[Path, int], Block] = {}
        ended = "ended well"
        for records in dict.fromkeys(call.records for call in calls):
            mine = [call.entry for call in calls if call.records == records]
            replayed = self.bench.replay(made, records, mine, poison)
            if not replayed.finished.ok:
                complaint = replayed.finished.complaint
                ended = replayed.finished.outcome + (f": {complaint}" if complaint else "")
            found |= {(records, call): block for (_, call), block in replayed.exits.items()}
        return found, ended

    def _counts(self) -> Counts:
        """Executed lines and branches of the original in all replayed calls together."""
        calls = [f"{c.records}:{c.entry.position}" for each in self.calls.values() for c in each]
        kept = self.bench.folder / f"counts-{sha256(' '.join(calls).encode()).hexdigest()[:16]}"
        if kept.is_file():
            return load_counts(kept)
        counts = self._counted()
        save_counts(counts, kept)
        return counts

    def _counted(self) -> Counts:
        made = self.bench.watched_replay()
        if isinstance(made, BuildFailure):
            return {}
        prefix = self.bench.folder / "coverage"
        if prefix.exists():
            shutil.rmtree(prefix)
        prefix.mkdir()
        environment = {"GCOV_PREFIX": str(prefix), "GCOV_PREFIX_STRIP": "0"}
        for calls in self.calls.values():
            for records in dict.fromkeys(call.records for call in calls):
                mine = [call.entry for call in calls if call.records == records]
                self.bench.replay(made, records, mine, environment=environment)
        return branch_counts(self.bench.subject.toolchain, made, prefix)

    def _report(self, name: str, counts: Counts) -> UnitReplay:
        around = self.plan.around[name]
        why = self.plan.why[name] or next((self.why[u] for u in around if u in self.why), "")
        failures = tuple(f for u in around for f in self.failures.get(u, ()))
        return UnitReplay(
            name,
            around,
            self.plan.at(name),
            why,
            sum(len(self.calls.get(u, ())) for u in around),
            sum(self.values.get(u, 0) for u in around),
            failures,
            coverage(counts, name, self.plan.original.units[name]) if around else None,
        )


def _paired(captured: Mapping[Path, tuple[Block, ...]]) -> dict[str, tuple[_Call, ...]]:
    """Whole entries with their whole exits, by procedure."""
    found: dict[str, list[_Call]] = {}
    for file, blocks in captured.items():
        exits: Mapping[tuple[str, int], Block] = {
            (b.unit, b.call): b for b in blocks if b.side == EXIT and b.whole
        }
        for entry in _entries(blocks):
            leaving = exits.get((entry.unit, entry.call))
            if leaving is not None:
                found.setdefault(entry.unit, []).append(_Call(file, entry, leaving))
    return {unit: tuple(calls) for unit, calls in found.items()}


def _entries(blocks: Sequence[Block]) -> Iterator[Block]:
    return (block for block in blocks if block.side == ENTRY and block.whole)
