"""The port with a device memory of its own, poisoned: is every value moved to where it is used?"""

from collections.abc import Iterator
from dataclasses import replace

from acclimate.verifier.building.build import BuildFailure, Built
from acclimate.verifier.checks import check
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.figures import Figures, Kernel, Transfer
from acclimate.verifier.measuring.emulated_run import (
    EmulatedRun,
    emulate,
    findings_as_evidence,
    place_of,
)
from acclimate.verifier.measuring.per_step import per_step
from acclimate.verifier.measuring.repeats import anew_each_time, compared, in_doubt, is_doubtful
from acclimate.verifier.running.emulation import POISONS, Runtime, build_runtime
from acclimate.verifier.running.runs import Run
from acclimate.verifier.subject import Length, Side, Subject
from acclimate.verifier.toolchains import Build

_LONG = 60.0  # s; a longer run is not repeated for its figures


@check(cost=31)
def discrete_memory(subject: Subject) -> Iterator[Evidence]:
    """Bit identity with the one-memory run under two poisons: NaN, and a large finite value.

    `max` and `min` swallow NaN, hence the second. Also measures what the port moves and launches.

    Raises:
        Problem: the emulation's runtime cannot be built.
    """
    if subject.constructs == 0:
        return
    made = subject.built(Side.PORT, Build.DISCRETE)
    if isinstance(made, BuildFailure):
        yield _evidence(Outcome.INCONCLUSIVE, "the port does not build for this check")
        return
    runtime = build_runtime(subject.work)
    for number, poison in enumerate(POISONS):
        # Figures come from the model's own run where that is short enough to be repeated.
        length = _length(subject) if number == 0 else Length.SHORT
        failed = False
        for each in dict.fromkeys((length, Length.SHORT)):
            shared = subject.ran(Side.PORT, Build.HOST, each)
            if isinstance(shared, BuildFailure) or not shared.ok:
                text = "the port does not build or run in one memory"
                yield _evidence(Outcome.INCONCLUSIVE, text)
                return
            name = f"discrete-{poison:#x}" if each is length else f"discrete-{poison:#x}-short"
            emulated = emulate(subject, runtime, made.executable, name, poison, length=each)
            if number == 0 and each is length:
                subject.figures = _figures(subject, runtime, made, emulated, length)
            found = list(_judge(subject, shared, emulated, poison, each))
            yield from found
            failed |= any(e.outcome is Outcome.FAILS for e in found)
            if failed or not is_doubtful(subject, each):
                break
        if failed:
            return


def _length(subject: Subject) -> Length:
    if is_doubtful(subject, Length.FULL):
        return Length.SHORT
    run = subject.ran(Side.PORT, Build.HOST, Length.FULL)
    long = isinstance(run, BuildFailure) or run.finished.wall > _LONG
    return Length.SHORT if long else Length.FULL


def _judge(
    subject: Subject, shared: Run, emulated: EmulatedRun, poison: int, length: Length
) -> Iterator[Evidence]:
    yield from findings_as_evidence("discrete_memory", emulated.findings)
    run = emulated.run
    memory = f"device memory poisoned with {poison:#x} bytes"
    if emulated.launches == 0:
        yield _evidence(Outcome.INCONCLUSIVE, f"with {memory} no kernel was launched")
        return
    if not run.ok:
        if not any(finding.error for finding in emulated.findings):
            yield _evidence(Outcome.FAILS, f"with {memory} the port {run.ended}")
        return
    found = compared(subject, shared, run, length)
    if found.identical:
        text = f"{found.compared} values are the same with {memory}, {emulated.launches} launches"
        clocks = anew_each_time(subject, length)
        text += f"; {clocks} that the original gives anew each time are left out" if clocks else ""
        yield _evidence(Outcome.HOLDS, text, found.compared)
        return
    first, *more = found.findings
    also = f"; {len(more)} more variables differ" if more else ""
    if is_doubtful(subject, length):
        text = f"with {memory} in the full run {first.message}{also}"
        yield in_doubt(subject, found, _evidence(Outcome.INCONCLUSIVE, text))
        return
    yield _evidence(Outcome.FAILS, f"with {memory} {first.message}{also}", found.relative)


def _figures(
    subject: Subject, runtime: Runtime, made: Built, emulated: EmulatedRun, length: Length
) -> Figures:
    if not emulated.summaries:
        return replace(subject.figures, reached=())
    first = emulated.summaries[0]
    kernels = tuple(
        Kernel(*place_of(k.at), k.launches, k.seconds, k.bytes_to_device, k.bytes_to_host)
        for k in first.kernels
    )
    transfers = tuple(
        Transfer(*place_of(t.at), t.reason, t.direction, t.count, t.bytes, t.changed)
        for t in first.transfers
    )
    totals = {
        "launches": first.launches,
        "bytes_to_device": first.bytes_to_device,
        "bytes_to_host": first.bytes_to_host,
        "transfers_to_device": first.to_device,
        "transfers_to_host": first.to_host,
        "peak_bytes": first.peak_bytes,
        "bytes_mapped_at_exit": first.bytes_mapped_at_exit,
        "processor_seconds": first.processor_seconds,
        "kernel_seconds": first.kernel_seconds,
        "runtime_seconds": first.runtime_seconds,
    }
    launches, moved, basis = per_step(subject, runtime, made, first, length)
    return replace(
        subject.figures,
        kernels=kernels,
        transfers=transfers,
        totals=totals,
        kernel_share=first.kernel_share,
        launches_per_step=launches,
        bytes_per_step=moved,
        per_step_basis=basis,
        reached=emulated.reached,
    )


def _evidence(outcome: Outcome, message: str, figure: float | None = None) -> Evidence:
    return Evidence("discrete_memory", Light.DATA, outcome, message, figure=figure)
