"""Run a built model in a folder of its own and collect what it leaves behind."""

import hashlib
import os
import shutil
from collections.abc import Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import f90nml

from acclimate.analysis.problems import Problem
from acclimate.analysis.source import Span
from acclimate.analysis.switches import VARIABLE
from acclimate.analysis.tree.manifest import Manifest
from acclimate.analysis.tree.namelist_edits import NamelistEdits
from acclimate.verifier.comparing.comparison import Outputs
from acclimate.verifier.limits import Finished, Limits, Stop, run_limited
from acclimate.verifier.outputs import read_outputs, read_written

_LOG = "run"
STANDARD_OUTPUT = f"{_LOG}.stdout"
_LOGS = (STANDARD_OUTPUT, f"{_LOG}.stderr")
_LARGEST_OUTPUT = 4096  # MiB, of all files of a run together
_PROCESSES = 64


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a model: how it ended, its outputs, and the folder they are in.

    `slower` is how many times `[run] time_limit` it was allowed. `written` are the files that are
    judged because the run wrote them, where the manifest names no outputs.
    """

    finished: Finished
    outputs: Outputs
    folder: Path
    slower: float = 1.0
    written: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        return self.finished.ok

    @property
    def ended(self) -> str:
        """How it ended, in one clause, and where to look: limit or complaint, and the folder."""
        finished = self.finished
        if finished.stop in (Stop.WALL, Stop.CPU):
            times = f", {self.slower:g} times for this build" if self.slower != 1 else ""
            return f"{finished.outcome} ([run] time_limit{times})"
        said = f": {finished.complaint}" if finished.complaint else ""
        return f"{finished.outcome}{said} (run folder: {self.folder})"


def run_model(
    manifest: Manifest,
    executable: Path,
    folder: Path,
    *,
    edits: NamelistEdits | None = None,
    environment: Mapping[str, str] | None = None,
    slower: float = 1.0,
    files: Mapping[str, bytes] | None = None,
) -> Run:
    """Run `executable` on the manifest's inputs in the empty folder `folder`.

    `edits` change namelist values; `slower` stretches the time limit for instrumented builds;
    `files` are put into the folder besides, by relative name.

    Raises:
        Problem: an input of the manifest is missing or is no namelist.
    """
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    _provide_inputs(manifest, folder, edits or {})
    for name, content in (files or {}).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    given = {} if manifest.run.outputs else _contents(folder)
    spec = manifest.run
    limits = Limits(
        wall=spec.time_limit * slower,
        cpu=2 * spec.time_limit * slower,
        memory=spec.memory_limit,
        file=_LARGEST_OUTPUT,
        processes=_PROCESSES,
    )
    finished = run_limited(
        [*spec.launcher, str(executable.resolve()), *spec.arguments],
        cwd=folder,
        limits=limits,
        logs=folder / _LOG,
        environment=_inherited() | dict(environment or {}),
        watch=folder,
        stdin=folder / spec.stdin if spec.stdin else Path(os.devnull),
    )
    if manifest.run.outputs:
        return Run(finished, _declared(manifest, folder), folder, slower)
    now = _contents(folder)
    written = tuple(sorted(name for name in now if now[name] != given.get(name)))
    outputs = Outputs(read_written(folder, (STANDARD_OUTPUT, *written)))
    return Run(finished, outputs, folder, slower, written)


def _contents(folder: Path) -> dict[str, bytes]:
    """The files below a run folder, but for the logs, and a hash of each."""
    found = {}
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not path.is_symlink() and name not in _LOGS:
            with path.open("rb") as file:
                found[name] = hashlib.file_digest(file, "sha256").digest()
    return found


def _inherited() -> dict[str, str]:
    """The environment of this program; what it says of switches is not meant for a check."""
    return {name: value for name, value in os.environ.items() if name != VARIABLE}


def _provide_inputs(manifest: Manifest, folder: Path, edits: NamelistEdits) -> None:
    for name in dict.fromkeys((*manifest.run.namelists, *edits)):
        source = manifest.root / name
        if not source.is_file():
            raise Problem(
                f"the namelist file {name} does not exist in {manifest.root}.",
                hint="correct [run] namelists in acclimate.toml",
            )
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if name in edits:
            write_namelist(source, target, edits[name])
        else:
            shutil.copy2(source, target)
    for pattern in manifest.run.files:
        found = [path for path in manifest.root.glob(pattern) if path.is_file()]
        if not found:
            raise Problem(
                f"no input file matches '{pattern}' in {manifest.root}.",
                hint="correct [run] files in acclimate.toml",
            )
        for path in found:
            target = folder / path.relative_to(manifest.root)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, target)


def write_namelist(source: Path, target: Path, groups: Mapping[str, Mapping[str, object]]) -> None:
    """Copy a namelist file with some values replaced or added.

    Raises:
        Problem: the file is no namelist.
    """
    namelist = read_namelist(source)
    for group, values in groups.items():
        for variable, value in values.items():
            plain = list(value) if isinstance(value, tuple) else value
            namelist.setdefault(group, f90nml.Namelist())[variable] = plain
    namelist.write(target)


def read_namelist(path: Path) -> f90nml.Namelist:
    """All groups of a namelist file.

    Raises:
        Problem: the file is no namelist.
    """
    try:
        with redirect_stdout(StringIO()):  # f90nml prints its tables before it gives up
            return f90nml.read(path)
    except (ValueError, StopIteration, LookupError, AssertionError) as error:
        raise Problem(
            f"{path} cannot be read as a namelist: {error}",
            where=Span(path, 1),
            hint="correct the file; acclimate edits namelists through f90nml",
        ) from error


def _declared(manifest: Manifest, folder: Path) -> Outputs:
    """Read the manifest's outputs; a pattern that matches nothing is a broken output."""
    names: dict[str, None] = {}
    missing = []
    for pattern in manifest.run.outputs:
        found = sorted(p for p in folder.glob(pattern) if p.is_file() and not p.is_symlink())
        if not found:
            missing.append(f"{pattern}: no output file matches")
        names |= {p.relative_to(folder).as_posix(): None for p in found}
    fields, broken = read_outputs(folder, names)
    return Outputs(fields, (*missing, *broken))
