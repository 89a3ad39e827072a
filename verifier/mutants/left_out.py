"""Updates left out at run time: one build of the port shows what each of them is there for.

Accesses are logged, so a copy that is read after the other side has replaced it is found where it
is read, also if the numbers come out the same; and every run is held to the whole port's own.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any

from numpy.typing import NDArray

from acclimate.analysis.problems import Problem
from acclimate.analysis.source import apply_edits
from acclimate.verifier.building.build import BuildFailure, Built, Extra, build
from acclimate.verifier.building.variant import variant_tree
from acclimate.verifier.comparing.comparison import compare, unstable
from acclimate.verifier.measuring.emulated_run import EmulatedRun, emulate, place_of
from acclimate.verifier.measuring.iteration_marks import iteration_marks
from acclimate.verifier.mutants.single_updates import Update, single_updates
from acclimate.verifier.running.code_places import Place
from acclimate.verifier.running.emulation import (
    NOTHING_LEFT_OUT,
    POISONS,
    Finding,
    LeftOut,
    Runtime,
    build_runtime,
)
from acclimate.verifier.subject import Length, Subject
from acclimate.verifier.toolchains import Build

_SLOWER = 100.0  # times [run] time_limit, for a build with accesses logged
# A run without an update is stopped at so many times what the whole port needs: it may never end.
_PATIENCE = 10.0
_LEAST = 10.0  # s


class Role(StrEnum):
    """What an update has done in the runs of the whole port."""

    NONE = "none"  # no run makes it
    IDLE = "idle"  # both copies hold the same bytes whenever it is made
    BRINGS = "brings"  # other bytes


@dataclass(frozen=True, slots=True)
class Copies:
    """What the runs of the whole port have seen of one update, all ranks and poisons together.

    `changed` counts the copies that found other bytes on the side they went to. `calls` are the
    places in the code, several where the compiler made copies of a procedure.
    """

    count: int = 0
    changed: int = 0
    calls: frozenset[int] = frozenset()

    @property
    def role(self) -> Role:
        if self.count == 0:
            return Role.NONE
        return Role.BRINGS if self.changed else Role.IDLE


@dataclass(frozen=True, slots=True)
class Without:
    """A run without some updates: the first stale read, and whether anything else told it apart."""

    findings: tuple[Finding, ...]
    difference: str  # "" where it ended as the whole port did, with the same bits


@dataclass(frozen=True)
class LoggedPort:
    """The port built once, with its whole runs, one for each poison.

    `subject` is where further runs go.
    """

    subject: Subject
    runtime: Runtime
    made: Built
    places: Mapping[tuple[str, int], Update]
    whole: Mapping[int, EmulatedRun]

    @cached_property
    def copies(self) -> Mapping[Update, Copies]:
        """Of every update of the port."""
        found = dict.fromkeys(self.places.values(), Copies())
        for summary in (s for run in self.whole.values() for s in run.summaries):
            for moved in summary.transfers:
                update = self._update(moved.at) if moved.reason == "update" else None
                if update is None or moved.call is None:
                    continue
                so_far = found[update]
                found[update] = Copies(
                    so_far.count + moved.count + moved.small_count,
                    so_far.changed + moved.changed,
                    so_far.calls | {moved.call},
                )
        return found

    @cached_property
    def _slower(self) -> float:
        wall = max(run.run.finished.wall for run in self.whole.values())
        return max(_LEAST, _PATIENCE * wall) / self.subject.inputs.run.time_limit

    @cached_property
    def _unstable(self) -> Mapping[str, NDArray[Any]]:
        """Elements that differ between the whole runs: clocks and the like."""
        first, again = (run.run.outputs for run in self.whole.values())
        return unstable(first, again)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is held against the whole port, which should be nothing."""
        found = (f for run in self.whole.values() for f in run.findings if f.error)
        return tuple(self._original_places(found))

    def without(self, updates: Iterable[Update], poison: int, spoiled: bool = False) -> Without:
        """Run once more with these updates left out.

        Raises:
            Problem: the run left nothing out, so it shows nothing.
        """
        calls = frozenset(call for update in updates for call in self.copies[update].calls)
        left_out = LeftOut(calls, spoiled)
        run = _emulated(self.subject, self.runtime, self.made, poison, left_out, self._slower)
        has_told = run.summaries or run.run.ok  # one that ended well reports, or shows nothing
        if has_told and not any(summary.left_out for summary in run.summaries):
            raise Problem("a run that should leave updates out has made all of them")
        errors = tuple(f for f in self._original_places(run.findings) if f.error)
        return Without(errors, self._difference(run, poison))

    def brings_unused(self, updates: Iterable[Update]) -> bool:
        """Whether all is the same with poison in place of all that these updates bring."""
        chosen = tuple(updates)
        return not any(self.without(chosen, p, spoiled=True).difference for p in POISONS)

    def _difference(self, run: EmulatedRun, poison: int) -> str:
        whole = self.whole[poison].run
        if not run.run.ok:
            return f"the port {run.run.ended}"
        found = compare(whole.outputs, run.run.outputs, self._unstable)
        return "" if found.identical else found.findings[0].message

    def _update(self, at: Place | None) -> Update | None:
        file, line = place_of(at)
        return self.places.get((file, line)) if file and line else None

    def _original_places(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """With the lines of the port in place of those of single updates."""

        def place(at: Place | None) -> Place | None:
            update = self._update(at)
            return replace(at, line=update.at.first) if at and update else at

        for each in findings:
            yield replace(
                each,
                at=place(each.at),
                writer=place(each.writer),
                mapped_at=place(each.mapped_at),
            )


def logged_port(subject: Subject) -> LoggedPort:
    """Build the port with single updates and its accesses logged, and run it with both poisons.

    Raises:
        Problem: it does not build, or not run to its end.
    """
    runtime = build_runtime(subject.work)
    marks = iteration_marks(subject.port_files, subject.governed)
    single = single_updates(subject.port_files.values())
    changed = {
        name: apply_edits(
            subject.port_files[name].data,
            (*marks.edits.get(name, ()), *single.edits.get(name, ())),
        )
        for name in {*marks.edits, *single.edits}
    }
    tree = variant_tree(subject.port, changed, subject.work / "variants" / "single-updates")
    extra = Extra(link_flags=runtime.link_flags)
    made = build(tree, subject.toolchain, Build.ACCESS, subject.work, extra)
    if isinstance(made, BuildFailure):
        raise Problem(
            f"the port with single updates does not build: {made.errors[0].text}",
            hint="acclimate verify tells whether the port builds as it is",
        )
    whole = {p: _emulated(subject, runtime, made, p) for p in POISONS}
    for each in whole.values():
        if not each.run.ok:
            raise Problem(f"with its accesses logged the port {each.run.ended}")
    return LoggedPort(subject, runtime, made, single.places, whole)


def _emulated(
    subject: Subject,
    runtime: Runtime,
    made: Built,
    poison: int,
    left_out: LeftOut = NOTHING_LEFT_OUT,
    slower: float = _SLOWER,
) -> EmulatedRun:
    return emulate(
        subject,
        runtime,
        made.executable,
        f"single-updates-{poison:#x}",
        poison,
        length=Length.SHORT,
        slower=slower,
        left_out=left_out,
    )
