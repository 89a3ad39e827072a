"""Members: runs that differ from the reference by what rounding could do, and by nothing else."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acclimate.analysis.problems import Kind, Problem
from acclimate.verifier.building.build import Built
from acclimate.verifier.gate.bench import Bench, SavedState
from acclimate.verifier.gate.history import History, selected
from acclimate.verifier.gate.replay import Replay, one_step
from acclimate.verifier.outputs import BadOutput, Field, read_outputs, replace_values
from acclimate.verifier.toolchains import Build, Toolchain

_PROBE = 1.0e-6  # relative; a change of a prognostic field that no step could swallow


@dataclass(frozen=True, slots=True)
class Variation:
    """A build that may round otherwise than the reference."""

    name: str
    kind: Build
    toolchain: Toolchain


def variations(toolchain: Toolchain, processor_flags: frozenset[str]) -> tuple[Variation, ...]:
    """Builds without optimisation, with more of it, and with fused multiply-add if there is one."""
    plain = toolchain.flags[Build.PLAIN]
    found = [
        Variation("O0", Build.UNOPTIMISED, toolchain),
        Variation("O3", Build.PLAIN, _with(toolchain, (*plain, "-O3"), toolchain.always)),
    ]
    if "fma" in processor_flags:
        fused = (*plain, "-mfma")
        always = tuple(f for f in toolchain.always if not f.startswith("-ffp-contract"))
        found.append(
            Variation("FMA", Build.PLAIN, _with(toolchain, fused, (*always, "-ffp-contract=fast")))
        )
    return tuple(found)


def processor_flags() -> frozenset[str]:
    """What this machine's processor can do, by the names of /proc/cpuinfo; empty: unknown."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return frozenset()
    lines = (line for line in text.splitlines() if line.startswith("flags"))
    return frozenset(next(lines, "").partition(":")[2].split())


def perturbed(
    state: SavedState, prognostic: Sequence[str], seed: int, scratch: Path, relative: float = 0.0
) -> SavedState:
    """The state with every value of its prognostic fields one unit in the last place off, or not.

    Up, down or not at all is drawn with `seed`. With `relative` all values grow by that instead.

    Raises:
        Problem: files of this kind cannot be written, or no prognostic field is in it.
    """
    random = np.random.default_rng((seed, state.step))
    fields = fields_of(state, scratch)
    changed = {
        name: _off(field.values, random, relative)
        for name, field in fields.items()
        if selected(f"{state.file}:{name}", prognostic) and field.values.dtype.kind == "f"
    }
    path = scratch / state.file
    try:
        replace_values(path, changed)
    except BadOutput as error:
        raise Problem(
            f"{state.file} cannot be perturbed: {error}.",
            hint="save states in a format that can be written: NetCDF, HDF5, numpy, .unf, .fld",
        ) from error
    if not changed:
        raise Problem(
            f"no variable of {state.file} is prognostic.",
            notes=(f"it holds {', '.join(fields)}",),
            hint="correct [gate.state] prognostic in acclimate.toml",
        )
    return replace(state, content=path.read_bytes())


def fields_of(state: SavedState, scratch: Path) -> dict[str, Field]:
    """The fields of a saved state, which is written to `scratch`.

    Raises:
        Problem: it cannot be read.
    """
    path = scratch / state.file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(state.content)
    fields, broken = read_outputs(scratch, [state.file])
    if broken:
        raise Problem(f"a saved state cannot be read: {broken[0]}.", kind=Kind.ENVIRONMENT)
    return {name.partition(":")[2]: field for name, field in fields.items()}


def _off(values: NDArray[Any], random: np.random.Generator, relative: float) -> NDArray[Any]:
    if relative:
        return np.asarray((values * (1.0 + relative)).astype(values.dtype))
    direction = random.integers(-1, 2, values.shape)
    moved = values + direction * np.spacing(np.abs(values))
    return np.asarray(np.where(values == 0.0, values, moved).astype(values.dtype))


def check_members(members: Mapping[int, Sequence[Replay]]) -> None:
    """Make sure that members differ, from the reference and from one another.

    Raises:
        Problem: two of them are the same; the ensemble would measure nothing.
    """
    seen: dict[bytes, int] = {}
    for number, replays in members.items():
        told = b"".join(
            field.values.tobytes() for r in replays for _, field in sorted(r.candidate.items())
        )
        reference = b"".join(
            field.values.tobytes() for r in replays for _, field in sorted(r.reference.items())
        )
        if told == reference or told in seen:
            other = "the reference" if told == reference else f"member {seen[told]}"
            raise Problem(
                f"member {number} of the ensemble is the same as {other} after one step.",
                notes=("perturbations of the saved states do not reach the model's results",),
                hint="check [gate.state] in acclimate.toml: is the state read at all?",
            )
        seen[told] = number


def check_prognostic(
    bench: Bench, built: Built, reference: History, states: Sequence[SavedState], scratch: Path
) -> None:
    """Make sure that each prognostic field, changed alone, changes the next state.

    Raises:
        Problem: one does not, at any of the states: it is diagnosed, or never read.
    """
    spec = bench.manifest.gate.state
    assert spec is not None, "without saved states there are no members"
    first = fields_of(states[0], scratch)
    for name in first:
        if not selected(f"{spec.files}:{name}", spec.prognostic):
            continue
        if first[name].values.dtype.kind != "f":
            continue
        if not any(_has_effect(bench, built, reference, state, name, scratch) for state in states):
            raise Problem(
                f"'{name}' is named prognostic, but a change of it changes nothing.",
                notes=("a step from the changed state gives the same next state",),
                hint="take it out of [gate.state] prognostic, or mend the restart of the model",
            )


def _has_effect(
    bench: Bench, built: Built, reference: History, state: SavedState, name: str, scratch: Path
) -> bool:
    changed = perturbed(state, (f"{state.file}:{name}",), 0, scratch, _PROBE)
    if changed.content == state.content:
        return False  # all zero at this state
    found = one_step(bench, built, reference, changed, "prognostic")
    return found.crash != "" or any(
        field.values.tobytes() != found.candidate[key].values.tobytes()
        for key, field in found.reference.items()
        if key in found.candidate
    )


def _with(toolchain: Toolchain, plain: tuple[str, ...], always: tuple[str, ...]) -> Toolchain:
    return replace(toolchain, always=always, flags={**toolchain.flags, Build.PLAIN: plain})
