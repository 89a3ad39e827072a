"""Builds and runs of one model for the gate."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from acclimate.analysis.problems import Kind, Problem
from acclimate.analysis.source import Span
from acclimate.analysis.tree.manifest import Manifest
from acclimate.analysis.tree.namelist_edits import NamelistEdits, NamelistValue, with_edits
from acclimate.verifier.building.build import BuildFailure, Built, build
from acclimate.verifier.gate.history import History, history, series_of
from acclimate.verifier.limits import Stop
from acclimate.verifier.running.runs import Run, run_model
from acclimate.verifier.toolchains import Build, Toolchain

_LIMITED = (Stop.WALL, Stop.CPU, Stop.MEMORY, Stop.DISK, Stop.NO_SPACE, Stop.PROCESSES)


@dataclass(frozen=True)
class SavedState:
    """A state the model has saved: the file's name in the run folder, its step, its bytes."""

    file: str
    step: int
    content: bytes


@dataclass
class Bench:
    """One model and the place where it is built and run; the model's tree is only read."""

    manifest: Manifest
    toolchain: Toolchain
    work: Path
    say: Callable[[str], None] = lambda text: None

    def __post_init__(self) -> None:
        self.work = self.work.resolve()

    @property
    def edits(self) -> NamelistEdits:
        """What the runs that are compared change in the model's namelists."""
        return self.manifest.gate.run

    def build(self, kind: Build, toolchain: Toolchain | None = None) -> Built:
        """An executable of the model.

        Raises:
            Problem: it does not build; at the compiler's first error.
        """
        self.say(f"building {self.manifest.name} ({kind})")
        made = build(self.manifest, toolchain or self.toolchain, kind, self.work)
        if isinstance(made, BuildFailure):
            raise does_not_build(self.manifest, made)
        return made

    def run(
        self,
        built: Built,
        name: str,
        edits: NamelistEdits | None = None,
        files: Mapping[str, bytes] | None = None,
    ) -> Run:
        """A run in the folder `name`; a crash is a result, a limit that was reached is not.

        Raises:
            Problem: the run wanted more time, memory or disk than [run] allows.
        """
        run = run_model(
            self.manifest,
            built.executable,
            self.work / "runs" / name,
            edits=self.edits if edits is None else edits,
            files=files,
        )
        if run.finished.stop in _LIMITED:
            raise Problem(
                f"{self.manifest.name} {run.finished.outcome}.",
                kind=Kind.ENVIRONMENT,
                notes=(f"run folder: {run.folder}",),
                hint="raise the limits of [run] in acclimate.toml, or shorten [gate.run]",
            )
        return run

    def history(self, run: Run) -> History:
        return history(run.outputs, self.manifest.run.outputs or run.written)

    def go_on(
        self,
        built: Built,
        state: SavedState,
        last: int,
        name: str,
        more: NamelistEdits | None = None,
    ) -> Run:
        """A run from a saved state to the step `last`.

        Raises:
            Problem: the manifest does not say how, or the run reached a limit.
        """
        spec, steps = self.manifest.gate.state, self.manifest.steps
        if spec is None or steps is None or not steps.namelist:
            raise Problem(
                "acclimate.toml does not say how the model goes on from a saved state.",
                hint="describe it in [gate.state], and the number of steps in [steps]",
            )
        place = spec.place or f"start/{Path(state.file).name}"
        group: dict[str, NamelistValue] = {}
        if spec.variable:
            group[spec.variable] = place
        if spec.step_variable:
            group[spec.step_variable] = state.step
        edits = with_edits(self.edits, spec.edits)
        if group:
            edits = with_edits(edits, {spec.namelist: {spec.group: group}})
        edits = with_edits(edits, {steps.namelist: {steps.group: {steps.variable: last}}})
        return self.run(built, name, with_edits(edits, more or {}), {place: state.content})

    def states(self, files: Mapping[str, bytes]) -> tuple[SavedState, ...]:
        """The saved states among some files of a run, in order of their steps."""
        spec = self.manifest.gate.state
        if spec is None:
            return ()
        found = []
        for name, content in files.items():
            series, step = series_of(name, (spec.files,))
            if series != name:
                found.append(SavedState(name, step, content))
        return tuple(sorted(found, key=lambda state: state.step))

    def with_manifest(self, manifest: Manifest) -> "Bench":
        return replace(self, manifest=manifest)


def does_not_build(manifest: Manifest, failure: BuildFailure) -> Problem:
    first, *more = failure.errors
    where = Span(manifest.root / first.file, first.line or 1) if first.file else None
    return Problem(
        f"{manifest.name} does not build: {first.text}",
        kind=Kind.ENVIRONMENT,
        where=where,
        notes=tuple(str(error) for error in more[:3]),
        hint="mend it, or check [model] and [build] in acclimate.toml; nothing was compared",
    )
