"""Launches and bytes of one time step, from two runs of different lengths."""

from collections.abc import Mapping

from acclimate.analysis.tree.namelist_edits import NamelistEdits, NamelistValue
from acclimate.analysis.tree.run_spec import StepSpec
from acclimate.verifier.building.build import Built
from acclimate.verifier.measuring.emulated_run import EmulatedRun, emulate
from acclimate.verifier.running.emulation import POISONS, EmulationSummary, Runtime
from acclimate.verifier.running.runs import read_namelist
from acclimate.verifier.subject import Length, Subject

PerStep = tuple[float | None, float | None, str]


def per_step(
    subject: Subject,
    runtime: Runtime,
    made: Built,
    summary: EmulationSummary,
    length: Length,
    shorter: float | None = None,
) -> PerStep:
    """Launches and bytes moved per step, and how they were got.

    The cost of a shorter run is subtracted, so that start and end do not count. Where the
    step setting is a time rather than a count, figures are per unit of that setting. Where the
    manifest gives the number itself, what is passed less than once a step (start, end, output)
    is told apart. `shorter` is a setting that is known to make a shorter run, if any is. A run
    that is short of launches for its length, as one that a model refuses is, is not subtracted.
    """
    where = subject.inputs.steps
    if where is None:
        return None, None, "the manifest does not say where the number of steps stands"
    moved = summary.bytes_to_device + summary.bytes_to_host
    if where.count is not None:
        return _every_step(summary, where.count)
    steps = steps_of(subject, where, length)
    if steps is None:
        text = f"{where.namelist} holds no number at {where.group}/{where.variable}"
        return None, None, text
    fewer, edits = _shorter(subject, where, steps, length)
    if shorter is not None and shorter < steps:
        fewer, edits = shorter, _with_steps(subject, where, shorter, length)
    if fewer <= 0 or fewer == steps:
        text = f"whole run divided by {where.variable} = {steps}"
        return summary.launches / steps, moved / steps, text
    short = emulate(
        subject,
        runtime,
        made.executable,
        "discrete-half",
        POISONS[0],
        edits=edits,
    )
    if not short.run.ok or not short.summaries or _is_cut(short, summary, fewer / steps):
        text = f"whole run divided by {where.variable} = {steps}"
        return summary.launches / steps, moved / steps, text
    other = short.summaries[0]
    span = steps - fewer
    less = other.bytes_to_device + other.bytes_to_host
    text = f"difference of two runs, {where.variable} = {steps} and {fewer}"
    return (summary.launches - other.launches) / span, (moved - less) / span, text


def _is_cut(short: EmulatedRun, whole: EmulationSummary, part: float) -> bool:
    """Whether a run of a `part` of the steps has less than half of that part of the launches.

    What is launched ahead of the first step can only make it more.
    """
    return short.summaries[0].launches < whole.launches * part / 2


def _every_step(summary: EmulationSummary, steps: int) -> PerStep:
    """What is launched and moved at places that are passed at least once a step."""
    launches = sum(k.launches for k in summary.kernels if k.launches >= steps)
    often = [t for t in summary.transfers if t.count >= steps and t.direction != "allocation"]
    size = sum(transfer.bytes for transfer in often)
    seldom = summary.bytes_to_device + summary.bytes_to_host - size
    text = (
        f"places passed at least once in each of [steps] count = {steps}; "
        f"the whole run has {summary.launches - launches} launches and {seldom} B more"
    )
    return launches / steps, size / steps, text


def _shorter(
    subject: Subject, where: StepSpec, steps: float, length: Length
) -> tuple[float, NamelistEdits]:
    """The steps of a shorter run: those the manifest has for short runs, else half as many.

    Where the setting is a time, half of it need not be a whole number of steps.
    """
    known = steps_of(subject, where, Length.SHORT) if subject.has_short_run else None
    if known is not None and known < steps:
        return known, subject.edits(Length.SHORT)
    fewer = _half(steps)
    return fewer, _with_steps(subject, where, fewer, length)


def _half(steps: float) -> float:
    return steps // 2 if isinstance(steps, int) else steps / 2


def steps_of(subject: Subject, where: StepSpec, length: Length) -> float | None:
    """The setting of a run: the manifest's edit for short runs, else the namelist's value."""
    edits = subject.edits(length)
    value: NamelistValue | None = (
        edits.get(where.namelist, {}).get(where.group, {}).get(where.variable)
    )
    if value is None:
        namelist = read_namelist(subject.inputs.root / where.namelist)
        value = namelist.get(where.group, {}).get(where.variable)
    usable = isinstance(value, int | float) and not isinstance(value, bool) and value > 0
    return value if usable and isinstance(value, int | float) else None


def _with_steps(subject: Subject, where: StepSpec, steps: float, length: Length) -> NamelistEdits:
    edits = subject.edits(length)
    groups: Mapping[str, Mapping[str, NamelistValue]] = edits.get(where.namelist, {})
    group = {**groups.get(where.group, {}), where.variable: steps}
    return {**edits, where.namelist: {**groups, where.group: group}}
