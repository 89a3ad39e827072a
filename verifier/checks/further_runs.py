"""Other runs of the same model: other namelists, inputs, numbers of MPI processes."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from acclimate.verifier.building.build import BuildFailure, Built
from acclimate.verifier.checks import check
from acclimate.verifier.comparing.comparison import Comparison, compare
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.measuring.emulated_run import EmulatedRun, emulate, findings_as_evidence
from acclimate.verifier.measuring.executed_lines import lines_of_runs
from acclimate.verifier.measuring.per_step import per_step, steps_of
from acclimate.verifier.measuring.repeats import compared
from acclimate.verifier.running.emulation import POISONS, Runtime, build_runtime
from acclimate.verifier.running.runs import Run
from acclimate.verifier.subject import Length, Side, Subject
from acclimate.verifier.toolchains import Build, Capability

_NAME = "further_runs"
_SHORT = Length.SHORT  # of a further run: with its changes to the namelists


@check(cost=36)
def further_runs(subject: Subject) -> Iterator[Evidence]:
    """Each of `[[runs]]` with a poisoned device memory: the original's bits, in every process?

    Where there is no original, those of the port in one memory. A run that the original does not
    bring to its end is told and shows nothing. Also notes which kernels and lines these runs reach.

    Raises:
        Problem: the emulation's runtime cannot be built, or the coverage tool is missing.
    """
    if subject.constructs == 0 or not subject.inputs.further_runs:
        return
    made = subject.built(Side.PORT, Build.DISCRETE)
    if isinstance(made, BuildFailure):
        yield _evidence(Light.DATA, Outcome.INCONCLUSIVE, "the port does not build for this check")
        return
    if subject.original is not None:
        subject.built(Side.ORIGINAL, Build.PLAIN)  # once for all runs
    runtime = build_runtime(subject.work)
    shorter = _short_setting(subject)
    good: list[Subject] = []
    for further in subject.inputs.further_runs:
        one = _Further(further.name, subject.on(further), made, runtime, shorter)
        found = list(one.judged())
        subject.overran |= one.subject.overran
        yield from found
        if not any(e.outcome is Outcome.FAILS for e in found) and one.reached:
            good.append(one.subject)
            reached = {*(subject.figures.reached or ()), *one.reached}
            subject.figures = replace(subject.figures, reached=tuple(sorted(reached)))
    if good and Capability.COVERAGE in subject.toolchain.capabilities:
        counted = subject.built(Side.PORT, Build.COVERAGE)
        if isinstance(counted, Built):
            lines = lines_of_runs(subject, good, counted)
            subject.figures = replace(subject.figures, further_lines=lines)


@dataclass
class _Further:
    """One further run; `reached` are the constructs that it launched, () if it shows nothing."""

    name: str
    subject: Subject
    made: Built
    runtime: Runtime
    shorter: float | None  # a setting of [steps] that is known to be a run
    reached: tuple[tuple[str, int], ...] = ()

    def judged(self) -> Iterator[Evidence]:
        """Both poisons; where bits differ, the port in one memory tells data from numerics."""
        reference = self._reference()
        why = "does not build" if reference is None else _useless(reference)
        if reference is None or why:
            text = f"the original {why}: nothing to hold the port to"
            yield self._told(Light.DATA, Outcome.INCONCLUSIVE, text)
            return
        emulated = [self._emulated(poison) for poison in POISONS]
        same = [compare(reference.outputs, each.run.outputs) for each in emulated]
        if not all(each.identical for each in same) and all(each.run.ok for each in emulated):
            shared = self.subject.ran(Side.PORT, Build.HOST, _SHORT)
            if isinstance(shared, BuildFailure) or not shared.ok:
                text = "the port does not build or run in one memory"
                yield self._told(Light.NUMERICS, Outcome.FAILS, text)
                return
            yield from self._numerics(compared(self.subject, reference, shared))
            same = [compared(self.subject, shared, each.run) for each in emulated]
        elif all(each.run.ok for each in emulated):
            text = f"{same[0].compared} values are the original's"
            yield self._told(Light.NUMERICS, Outcome.HOLDS, text, same[0].compared, "values")
        for poison, each, found in zip(POISONS, emulated, same, strict=True):
            yield from self._data(f"{poison:#x}", each, found)
        self.reached = emulated[0].reached

    def _reference(self) -> Run | None:
        side = Side.ORIGINAL if self.subject.original is not None else Side.PORT
        run = self.subject.ran(side, Build.PLAIN if side is Side.ORIGINAL else Build.HOST, _SHORT)
        return None if isinstance(run, BuildFailure) else run

    def _emulated(self, poison: int) -> EmulatedRun:
        name = f"discrete-{poison:#x}"
        made = self.made.executable
        return emulate(self.subject, self.runtime, made, name, poison, length=_SHORT)

    def _numerics(self, found: Comparison) -> Iterator[Evidence]:
        """The port in one memory beside the original."""
        if found.identical:
            text = f"{found.compared} values are the original's"
            yield self._told(Light.NUMERICS, Outcome.HOLDS, text, found.compared, "values")
            return
        noise = self.subject.original is not None and self.subject.noise.excuses(found)
        text = f"in one memory {found.findings[0].message}"
        text += "; no more than optimisation changes in the original" if noise else ""
        outcome = Outcome.HOLDS if noise else Outcome.FAILS
        yield self._told(Light.NUMERICS, outcome, text, found.relative, "1")

    def _data(self, poison: str, emulated: EmulatedRun, found: Comparison) -> Iterator[Evidence]:
        for item in findings_as_evidence(_NAME, emulated.findings):
            yield replace(item, message=f"run '{self.name}': {item.message}")
        memory = f"with device memory poisoned with {poison} bytes"
        if not emulated.run.ok:
            if not any(finding.error for finding in emulated.findings):
                text = f"{memory} the port {emulated.run.ended}"
                yield self._told(Light.DATA, Outcome.FAILS, text)
        elif emulated.launches == 0:
            yield self._told(Light.DATA, Outcome.INCONCLUSIVE, f"{memory} no kernel was launched")
        elif found.identical:
            text = f"{found.compared} values are the same {memory}, {self._cost(emulated)}"
            yield self._told(Light.DATA, Outcome.HOLDS, text, found.compared, "values")
        else:
            text = f"{memory} {found.findings[0].message}"
            yield self._told(Light.DATA, Outcome.FAILS, text, found.relative, "1")

    def _cost(self, emulated: EmulatedRun) -> str:
        """Launches and bytes of the first process, by step too where that is known."""
        first, processes = emulated.summaries[0], len(emulated.summaries)
        moved = f"{first.bytes_to_device} B to the device and {first.bytes_to_host} B back"
        text = f"{first.launches} launches, {moved}"
        if first.poison == POISONS[0]:
            of = self.subject, self.runtime, self.made
            launches, size, basis = per_step(*of, first, _SHORT, self.shorter)
            if launches is not None:
                text += f", by step {launches:g} launches and {size:g} B ({basis})"
        return f"{text}; the first of {processes} processes" if processes > 1 else text

    def _told(
        self,
        light: Light,
        outcome: Outcome,
        message: str,
        figure: float | None = None,
        unit: str = "",
    ) -> Evidence:
        return replace(
            _evidence(light, outcome, f"run '{self.name}': {message}"), figure=figure, unit=unit
        )


def _short_setting(subject: Subject) -> float | None:
    where = subject.inputs.steps
    if where is None or not where.namelist or not subject.has_short_run:
        return None
    return steps_of(subject, where, Length.SHORT)


def _useless(reference: Run) -> str:
    """Why a run cannot be held against another; "" where it can."""
    if not reference.ok:
        return reference.ended
    unreadable = reference.outputs.unreadable
    return f"leaves no outputs to compare ({unreadable[0]})" if unreadable else ""


def _evidence(light: Light, outcome: Outcome, message: str) -> Evidence:
    return Evidence(_NAME, light, outcome, message)
