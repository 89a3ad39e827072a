"""One time step from each of several saved states: nothing has had time to grow."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from acclimate.analysis.problems import Kind, Problem
from acclimate.verifier.building.build import Built
from acclimate.verifier.gate.bench import Bench, SavedState
from acclimate.verifier.gate.history import History
from acclimate.verifier.gate.judging import Finding, Row
from acclimate.verifier.gate.tolerances import Check
from acclimate.verifier.outputs import Field

MOST = 20  # states that are replayed


@dataclass(frozen=True)
class Replay:
    """The step behind a saved state, as the reference has it and as a run from the state gives it.

    Only the variables of the state's own file are compared. `crash` says how a run ended that did
    not reach the next state.
    """

    state: SavedState
    reference: Mapping[str, Field]
    candidate: Mapping[str, Field]
    crash: str = ""


def chosen_states(states: Sequence[SavedState], most: int = MOST) -> tuple[SavedState, ...]:
    """States whose next step is saved too, spread evenly over the run, the first always."""
    steps = {state.step for state in states}
    usable = [state for state in states if state.step + 1 in steps]
    if len(usable) <= most:
        return tuple(usable)
    return tuple(usable[round(n * (len(usable) - 1) / (most - 1))] for n in range(most))


def replayed(
    bench: Bench, built: Built, reference: History, states: Sequence[SavedState], name: str
) -> tuple[Replay, ...]:
    """One step from each state, held beside the state that follows it in the reference."""
    return tuple(
        one_step(bench, built, reference, state, f"{name}-{state.step}") for state in states
    )


def one_step(
    bench: Bench, built: Built, reference: History, state: SavedState, name: str
) -> Replay:
    """One step from one state."""
    after = state.step + 1
    run = bench.go_on(built, state, after, name)
    spec = bench.manifest.gate.state
    assert spec is not None, "a model without saved states is not replayed"
    mine = fields_at(reference, spec.files, after)
    if not run.ok:
        return Replay(state, mine, {}, run.ended)
    theirs = fields_at(bench.history(run), spec.files, after)
    if not theirs:
        return Replay(state, mine, {}, f"it wrote no state at step {after}")
    return Replay(state, mine, theirs)


def fields_at(told: History, files: str, step: int) -> dict[str, Field]:
    """The variables of the state file of one step."""
    return {
        name: fields[step]
        for name, fields in told.fields.items()
        if name.partition(":")[0] == files and step in fields
    }


def by_variable(replays: Sequence[Replay]) -> tuple[dict[str, dict[int, Field]], ...]:
    """Reference and candidate by variable and step, as `pointwise` takes them."""
    sides: tuple[dict[str, dict[int, Field]], ...] = ({}, {})
    for replay in replays:
        for side, fields in zip(sides, (replay.reference, replay.candidate), strict=True):
            for name, field in fields.items():
                side.setdefault(name, {})[replay.state.step + 1] = field
    return sides


def broken_off(replays: Sequence[Replay], names: Iterable[str]) -> list[Row]:
    """A row for each state from which a run did not reach the next one, or not with every variable.

    `names` are the variables that have to be there.
    """
    rows = []
    for replay in replays:
        step = replay.state.step + 1
        if replay.crash:
            text = f"from the state of step {replay.state.step} {replay.crash}"
            rows.append(Row("", Check.STEP, Finding.FAILS, text, step=step))
            continue
        for name in sorted((replay.reference.keys() & set(names)) - replay.candidate.keys()):
            text = "is not written one step from a saved state"
            rows.append(Row(name, Check.STEP, Finding.FAILS, text, step=step))
    return rows


def check_exact(replays: Sequence[Replay]) -> None:
    """Make sure that the reference goes on from its states as if it had never stopped.

    Raises:
        Problem: it does not: the state is not whole, and a replay would compare nothing real.
    """
    for replay in replays:
        if replay.crash:
            raise _not_whole(replay.state, replay.crash)
        for name, field in replay.reference.items():
            other = replay.candidate.get(name)
            if other is None or other.values.tobytes() != field.values.tobytes():
                raise _not_whole(replay.state, f"'{name}' differs after one step")


def _not_whole(state: SavedState, why: str) -> Problem:
    return Problem(
        f"the reference does not go on from {state.file} as it did without stopping: {why}.",
        kind=Kind.ENVIRONMENT,
        notes=("a saved state has to hold everything that the next step needs",),
        hint="mend the restart of the model or [gate.state], or leave [gate.state] out",
    )
