"""A baseline: what the reference wrote, in a small file a person can review, and its contents.

`baseline.json` holds settings, origin and, for each variable and step, four statistics and a hash
of the bits. Statistics by level and the kept output files lie beside it in `objects/`, each under
the hash of its own content, so an update adds only what is new.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from acclimate.analysis.problems import Kind, Problem
from acclimate.analysis.source import Span
from acclimate.verifier.comparing.comparison import Outputs
from acclimate.verifier.gate import objects
from acclimate.verifier.gate.history import History, history
from acclimate.verifier.gate.settings import Settings
from acclimate.verifier.gate.statistics import by_level, count_nan, digest, statistics
from acclimate.verifier.outputs import read_outputs, read_written
from acclimate.verifier.running.runs import STANDARD_OUTPUT, Run

FILE = "baseline.json"
SCHEMA = 1
_OBJECTS = "objects"


@dataclass(frozen=True, slots=True)
class StepRecord:
    """One variable at one step: a hash of its bits, `NAMES` of statistics.py, the NaN in it."""

    bits: str
    statistics: tuple[float | None, ...]
    nan: int = 0


@dataclass(frozen=True, slots=True)
class VariableRecord:
    """One variable; `steps` by the step's number as text."""

    type: str
    shape: tuple[int, ...]
    lower: tuple[int, ...]
    steps: dict[str, StepRecord]


@dataclass(frozen=True, slots=True)
class KernelTime:
    """Seconds of processor time of one kernel, or one step, in each of several runs."""

    name: str
    seconds: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Times:
    """Times and the processor they were taken on; `gauge` times a fixed piece of work."""

    processor: str
    gauge: tuple[float, ...]
    kernels: tuple[KernelTime, ...]


@dataclass(frozen=True, slots=True)
class Baseline:
    """`files` are the kept output files by name, with the hash of their content.

    `commit` and `sources` say which model was run: a revision, and a hash of all its files.
    """

    schema: int
    model: str
    commit: str
    sources: str
    settings: Settings
    variables: dict[str, VariableRecord]
    levels: str
    files: dict[str, str] = field(default_factory=dict)
    times: Times | None = None

    @property
    def identity(self) -> str:
        """A hash of settings and numbers: two baselines that mean the same share it."""
        told = {"settings": asdict(self.settings), "variables": _plain(self.variables)}
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:12]

    @property
    def steps(self) -> tuple[int, ...]:
        return tuple(sorted({int(s) for v in self.variables.values() for s in v.steps}))


def record(
    run: Run, told: History, *, settings: Settings, origin: tuple[str, str, str], folder: Path,
    keep: Callable[[str], bool],
) -> Baseline:  # fmt: skip
    """Make a baseline of a run; contents go to `folder` at once, `save` writes the rest.

    `origin` is the model's name, its revision, and the hash of its files; `keep` chooses output
    files to be kept whole.
    """
    variables = {
        name: VariableRecord(
            next(iter(fields.values())).values.dtype.str,
            next(iter(fields.values())).values.shape,
            next(iter(fields.values())).lower,
            {
                str(step): StepRecord(
                    digest(one), _finite(statistics(one.values)), count_nan(one.values)
                )
                for step, one in sorted(fields.items())
            },
        )
        for name, fields in sorted(told.fields.items())
        if fields
    }
    names = sorted({name.partition(":")[0] for name in run.outputs.fields} - {STANDARD_OUTPUT})
    place = folder / _OBJECTS
    files = {n: objects.put(place, (run.folder / n).read_bytes()) for n in names if keep(n)}
    levels = objects.put(place, _levels(told))
    model, commit, sources = origin
    return Baseline(SCHEMA, model, commit, sources, settings, variables, levels, files)


def save(baseline: Baseline, folder: Path) -> None:
    """Write `baseline.json`, and remove contents that it does not name."""
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = folder / f"{FILE}.part"
    unfinished.write_text(_text(asdict(baseline)))
    unfinished.replace(folder / FILE)
    objects.sweep(folder / _OBJECTS, {baseline.levels, *baseline.files.values()})


def load(folder: Path) -> Baseline:
    """Read the baseline in `folder`.

    Raises:
        Problem: there is none, it is damaged, or another version of this program wrote it.
    """
    path = folder / FILE
    try:
        text = path.read_bytes()
    except OSError:
        raise Problem(
            f"there is no baseline in {folder}.",
            kind=Kind.ENVIRONMENT,
            hint="make one with: acclimate gate baseline create PATH",
        ) from None
    try:
        raw = json.loads(text)
        if raw.get("schema") != SCHEMA:
            raise Problem(
                f"{path} has schema {raw.get('schema')}; this program reads {SCHEMA}.",
                kind=Kind.ENVIRONMENT,
                hint="make the baseline anew: acclimate gate baseline update PATH --replace",
            )
        return msgspec.convert(raw, Baseline)
    except (ValueError, AttributeError) as error:  # msgspec's and json's errors are ValueErrors
        raise Problem(
            f"{path} is damaged: {error}",
            kind=Kind.ENVIRONMENT,
            where=Span(path, 1),
            hint="restore it from version control, or make the baseline anew",
        ) from error


def contents(baseline: Baseline, folder: Path) -> dict[str, bytes]:
    """The kept output files, by name.

    Raises:
        Problem: one is missing or damaged.
    """
    return {name: objects.get(folder / _OBJECTS, key) for name, key in baseline.files.items()}


def kept_history(baseline: Baseline, files: Mapping[str, bytes], scratch: Path) -> History:
    """The fields in the kept output files, written to and read from `scratch`."""
    for name, content in files.items():
        (scratch / name).parent.mkdir(parents=True, exist_ok=True)
        (scratch / name).write_bytes(content)
    patterns = baseline.settings.outputs
    if patterns:
        fields, broken = read_outputs(scratch, files)
        return history(Outputs(fields, broken), patterns)
    return history(Outputs(read_written(scratch, files)), tuple(files))


def level_statistics(baseline: Baseline, folder: Path) -> dict[str, NDArray[np.float64]]:
    """(levels, 4) for each `variable step`.

    Raises:
        Problem: they are missing or damaged.
    """
    loaded = np.load(BytesIO(objects.get(folder / _OBJECTS, baseline.levels)), allow_pickle=False)
    return {name: loaded[name] for name in loaded}


def level_key(variable: str, step: int) -> str:
    """The name of a variable's statistics at a step; no character that an archive dislikes."""
    return f"{hashlib.sha256(variable.encode()).hexdigest()[:16]}-{step}"


def _levels(told: History) -> bytes:
    arrays = {
        level_key(name, step): by_level(one.values)
        for name, fields in sorted(told.fields.items())
        for step, one in sorted(fields.items())
    }
    stream = BytesIO()
    np.savez(stream, **arrays)  # type: ignore[arg-type]
    return stream.getvalue()


def _finite(values: Iterable[float]) -> tuple[float | None, ...]:
    return tuple(float(v) if np.isfinite(v) else None for v in values)


def _plain(variables: Mapping[str, VariableRecord]) -> dict[str, Any]:
    return {name: asdict(one) for name, one in variables.items()}


def _text(value: Any, depth: int = 0) -> str:
    """JSON with a line for each variable and step, not for each number."""
    if not isinstance(value, dict) or not value or depth > 3:
        return json.dumps(value, ensure_ascii=False)
    pad = " " * (depth + 1)
    lines = [f"{pad}{json.dumps(k)}: {_text(v, depth + 1)}" for k, v in value.items()]
    end = "\n" if depth == 0 else ""
    return "{\n" + ",\n".join(lines) + "\n" + " " * depth + "}" + end
