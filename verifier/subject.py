"""What is examined, and the builds and runs that the checks share, each made on first use."""

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from acclimate.analysis.index import ProjectIndex, index_project
from acclimate.analysis.keeping.cache import Cache
from acclimate.analysis.problems import Kind, Problem
from acclimate.analysis.project import Project, read_project
from acclimate.analysis.source import Lines, Span
from acclimate.analysis.tree.manifest import Manifest
from acclimate.analysis.tree.namelist_edits import NamelistEdits
from acclimate.analysis.tree.run_spec import FurtherRun
from acclimate.verifier.building.build import BuildFailure, Built, Extra, build
from acclimate.verifier.comparing.baseline import Noise, measure_noise
from acclimate.verifier.comparing.comparison import unstable
from acclimate.verifier.figures import Figures
from acclimate.verifier.inputs import input_paths, settings
from acclimate.verifier.limits import Stop
from acclimate.verifier.running.runs import Run, run_model
from acclimate.verifier.structure.changes import Answer, Difference
from acclimate.verifier.structure.comparing import Version, differences
from acclimate.verifier.texts.focus import told_on
from acclimate.verifier.texts.governed import GovernedLoop, compute_constructs, governed_loops
from acclimate.verifier.texts.source_equality import ChangedStatement, changed_statements
from acclimate.verifier.texts.source_file import SourceFile, all_files
from acclimate.verifier.toolchains import Build, Toolchain

_WORKERS = 2  # processes of the analysis; small models get one
_SLOWER = 10.0  # how many times [run] time_limit a build may take that is not the plain one


class Side(StrEnum):
    ORIGINAL = "original"
    PORT = "port"


_FIRST = Side.ORIGINAL
_OF_THE_ORIGINAL = ("original_files", "original_governed", "_original_version", "noise")


class Length(StrEnum):
    """How long a run is: as the model's own namelists say, or as short as the manifest allows."""

    FULL = "full"
    SHORT = "short"


@dataclass
class Subject:
    """A port, the original it is held to (None: the rungs that need no original), and the bench.

    `work` is where builds and runs go; the two trees are only read.
    """

    original: Manifest | None
    port: Manifest
    toolchain: Toolchain
    work: Path
    say: Callable[[str], None] = lambda text: None
    figures: Figures = field(default_factory=Figures)
    tested: dict[str, str] = field(default_factory=dict)  # procedure: on what it gives the same
    gated: frozenset[str] = frozenset()  # procedures that a migration holds to rules of its own
    replay_all: bool = False  # procedures that are the same in both are replayed too
    # Further runs of the original that were made to know its clocks, and those of its full run.
    repeats: Counter[Length] = field(default_factory=Counter)
    full_noise: Noise = field(default_factory=Noise)
    overran: bool = False  # a run was stopped by its time limit: nothing to rely on later
    cache: Cache | None = None  # what the analysis has found of such a port before
    focus: Lines | None = None  # judge only kernels that a change of these lines can tell on
    suspect: Lines | None = None  # all but these lines is as in a port that was accepted
    _builds: dict[tuple[Side, Build, Extra], Built | BuildFailure] = field(default_factory=dict)
    _runs: dict[tuple[Side, Build, Length], Run] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.work = self.work.resolve()

    @property
    def inputs(self) -> Manifest:
        """The manifest whose namelists and input files both sides run on."""
        return self.original or self.port

    @cached_property
    def original_files(self) -> Mapping[str, SourceFile]:
        return all_files(self.original) if self.original else {}

    @cached_property
    def port_files(self) -> Mapping[str, SourceFile]:
        return all_files(self.port)

    @cached_property
    def changes(self) -> tuple[ChangedStatement, ...]:
        """The statements in which the port differs from the original, directives apart."""
        return changed_statements(self.original_files, self.port_files)

    @cached_property
    def differences(self) -> Mapping[str, tuple[Difference, ...]]:
        """What each changed procedure does differently, by reading; () is nothing."""
        if self.original is None or not self.changes:
            return {}
        self.say("reading original and port side by side")
        sides = (self._original_version, Version(self._port_project, self.port_files))
        units = {change.unit for change in self.changes}
        if self._changes_preprocessing:
            units = {""}  # it may tell on any unit
        return differences(*sides, units)

    def read_original(self) -> None:
        """Read the original and the port, so that every port beside this one finds it read."""
        assert self._original_version and self.index.project and self.original_governed is not None

    @cached_property
    def _original_version(self) -> Version:
        assert self.original is not None, "this subject has no original"
        return Version(read_project(self.original), self.original_files)

    @property
    def _port_project(self) -> Project:
        """Read once where the analysis has read it already."""
        return self.index.project if "index" in self.__dict__ else read_project(self.port)

    @cached_property
    def proved_units(self) -> frozenset[str]:
        """Changed procedures that do the same for certain, in every configuration."""
        if self._changes_preprocessing:
            return frozenset()
        files = self.port_files
        conditional = {
            change.unit
            for change in self.changes
            if change.at.file in files and files[change.at.file].is_conditional(change.at.first)
        }
        return frozenset(
            name
            for name, found in self.differences.items()
            if name not in conditional and all(each.answer is Answer.PROVED for each in found)
        )

    @property
    def _changes_preprocessing(self) -> bool:
        return any((change.now or change.was).startswith("#") for change in self.changes)

    @cached_property
    def governed(self) -> tuple[GovernedLoop, ...]:
        return tuple(loop for file in self.port_files.values() for loop in governed_loops(file))

    @cached_property
    def judged(self) -> tuple[GovernedLoop, ...]:
        """The governed loops that are to be judged: all, or those that the focus can tell on."""
        if self.focus is None:
            return self.governed
        return told_on(self.index, self.governed, self.focus)

    @cached_property
    def original_governed(self) -> tuple[GovernedLoop, ...]:
        """Loops under directives that the original already has."""
        return tuple(g for file in self.original_files.values() for g in governed_loops(file))

    @cached_property
    def constructs(self) -> int:
        """How many compute constructs the port has."""
        return sum(len(compute_constructs(file)) for file in self.port_files.values())

    @cached_property
    def directives(self) -> int:
        return sum(len(file.directives) for file in self.port_files.values())

    @cached_property
    def index(self) -> ProjectIndex:
        """What the analysis says of the port."""
        self.say("analysing the port")
        return index_project(self.port, workers=_WORKERS, cache=self.cache)

    def beside(self, port: Manifest, file: SourceFile, focus: Lines) -> "Subject":
        """The same port with one file changed; what was built, run and read is kept."""
        other = Subject(self.original, port, self.toolchain, self.work, self.say, focus=focus)
        other.cache, other.suspect = self.cache, focus
        other.__dict__["port_files"] = {**self.port_files, file.name: file}
        for name in _OF_THE_ORIGINAL:
            if name in self.__dict__:
                other.__dict__[name] = self.__dict__[name]
        other._builds |= {key: made for key, made in self._builds.items() if key[0] is _FIRST}
        other._runs |= {key: run for key, run in self._runs.items() if key[0] is _FIRST}
        return other

    def on(self, further: FurtherRun) -> "Subject":
        """The same sides on a further run, which is its short run; builds made so far are kept."""
        run, steps = further.run, self.inputs.steps
        if steps is not None and steps.namelist and steps.namelist not in run.namelists:
            steps = None
        original = self.original and replace(self.original, run=run, steps=steps)
        port = replace(self.port, run=run, steps=steps)
        place = f"{self.inputs.further_runs.index(further) + 1:03d}"
        say = lambda text: self.say(f"{text} of the run '{further.name}'")  # noqa: E731
        other = Subject(original, port, self.toolchain, self.work / "further" / place, say)
        other._builds = self._builds
        return other

    def manifest(self, side: Side) -> Manifest:
        if side is Side.PORT:
            return self.port
        assert self.original is not None, "this subject has no original"
        return self.original

    def built(self, side: Side, kind: Build, extra: Extra | None = None) -> Built | BuildFailure:
        """The build of one side, made on first use."""
        key = (side, kind, extra or Extra())
        if key not in self._builds:
            self.say(f"building the {side} ({kind})")
            self._builds[key] = build(self.manifest(side), self.toolchain, kind, self.work, extra)
        return self._builds[key]

    def ran(self, side: Side, kind: Build, length: Length) -> Run | BuildFailure:
        """The run of one side in one build, made on first use."""
        length = length if self.has_short_run else Length.FULL
        key = (side, kind, length)
        if key in self._runs:
            return self._runs[key]
        made = self.built(side, kind)
        if isinstance(made, BuildFailure):
            return made
        slower = 1.0 if kind is Build.PLAIN else _SLOWER
        name = f"{side}-{kind}-{length}"
        self._runs[key] = self.run(made.executable, name, length, slower=slower)
        return self._runs[key]

    def run(
        self,
        executable: Path,
        name: str,
        length: Length,
        *,
        environment: Mapping[str, str] | None = None,
        slower: float = _SLOWER,
        edits: NamelistEdits | None = None,
        quiet: bool = False,
    ) -> Run:
        """A run that is not shared, in the folder called `name`; one of many is `quiet`.

        Raises:
            Problem: the disk is full; what a run wrote then proves nothing.
        """
        if not quiet:
            self.say(f"running {name}")
        run = run_model(
            self.inputs,
            executable,
            self.work / "runs" / name,
            edits=edits if edits is not None else self.edits(length),
            environment=environment,
            slower=slower,
        )
        if run.finished.stop is Stop.NO_SPACE:
            raise Problem(
                f"the disk is full: the run in {run.folder} could not write its files.",
                kind=Kind.ENVIRONMENT,
                notes=(run.finished.complaint,) if run.finished.complaint else (),
                hint="make room there and run the command again; finished builds are kept",
            )
        self.overran |= run.finished.stop in (Stop.WALL, Stop.CPU)
        return run

    def edits(self, length: Length) -> NamelistEdits:
        return self.inputs.run.short if length is Length.SHORT else {}

    @property
    def has_short_run(self) -> bool:
        return bool(self.inputs.run.short)

    def baseline(self, length: Length) -> Run:
        """The original's run with directives ignored: what everything is held to.

        Raises:
            Problem: the original does not build or does not run to its end.
        """
        run = self.ran(Side.ORIGINAL, Build.PLAIN, length)
        if isinstance(run, BuildFailure):
            raise original_does_not_build(self.manifest(Side.ORIGINAL), run)
        if not run.ok:
            raise original_does_not_run(run)
        if run.outputs.unreadable:
            raise Problem(
                "the original model's outputs cannot be read.",
                kind=Kind.ENVIRONMENT,
                notes=run.outputs.unreadable,
                hint="correct [run] outputs in acclimate.toml",
            )
        return run

    @cached_property
    def noise(self) -> Noise:
        """What differs in the original when nothing was changed, on the shortest run there is.

        Raises:
            Problem: the original does not build or run.
        """
        first = self.baseline(Length.SHORT)
        made = self.built(Side.ORIGINAL, Build.PLAIN)
        assert isinstance(made, Built)
        again = self.run(made.executable, "original-again", Length.SHORT, slower=1.0)
        if not again.ok or again.outputs.unreadable:  # what it did not write is no clock
            how = again.outputs.unreadable[0] if again.ok else f"it {again.ended}"
            return Noise(relative=float("inf"), message=f"in a second run of the same build {how}")
        other = self.ran(Side.ORIGINAL, Build.UNOPTIMISED, Length.SHORT)
        unoptimised = other.outputs if isinstance(other, Run) and other.ok else None
        return measure_noise(first.outputs, again.outputs, unoptimised)

    @property
    def masks(self) -> Mapping[str, NDArray[Any]]:
        """Elements of a short run's outputs that cannot be compared (clocks and the like).

        Without an original the port itself is run twice.
        """
        if self.original is not None:
            return self.noise.masks
        return self._own_masks

    def masks_of(self, length: Length) -> Mapping[str, NDArray[Any]]:
        """The same of either run; a full run's are known only where it was repeated."""
        short = length is Length.SHORT or not self.has_short_run
        return self.masks if short else self.full_noise.masks

    @cached_property
    def _own_masks(self) -> Mapping[str, NDArray[Any]]:
        first = self.ran(Side.PORT, Build.HOST, Length.SHORT)
        made = self.built(Side.PORT, Build.HOST)
        if isinstance(first, BuildFailure) or isinstance(made, BuildFailure):
            return {}
        again = self.run(made.executable, "port-again", Length.SHORT)
        if not (first.ok and again.ok):
            return {}
        return unstable(first.outputs, again.outputs)

    @cached_property
    def digest(self) -> str:
        """A hash of everything an examination depends on, but for this program itself."""
        sides = [self.side_digest(Side.ORIGINAL)] if self.original is not None else []
        return hashlib.sha256(" ".join([*sides, self.side_digest(Side.PORT)]).encode()).hexdigest()

    def side_digest(self, side: Side) -> str:
        """The same of one side and the inputs it runs on."""
        digest = hashlib.sha256(repr(self.toolchain.name).encode())
        manifest = self.manifest(side)
        digest.update(repr((side.value, manifest.name, *settings(manifest))).encode())
        files = self.original_files if side is Side.ORIGINAL else self.port_files
        for name, file in files.items():
            digest.update(name.encode() + hashlib.sha256(file.data).digest())
        for path in input_paths(self.inputs):
            digest.update(path.name.encode() + hashlib.sha256(path.read_bytes()).digest())
        return digest.hexdigest()


def original_does_not_build(manifest: Manifest, failure: BuildFailure) -> Problem:
    """The problem to show when the original itself cannot be built."""
    errors = failure.errors
    first = errors[0]
    where = Span(manifest.root / first.file, first.line or 1) if first.file else None
    return Problem(
        f"the original model does not build: {first.text}",
        kind=Kind.ENVIRONMENT,
        where=where,
        notes=tuple(str(error) for error in errors[1:4]),
        hint="check [model] sources, flags and defines in acclimate.toml",
    )


def original_does_not_run(run: Run) -> Problem:
    """The problem to show when the original itself does not come to a good end."""
    finished = run.finished
    if finished.stop in (Stop.WALL, Stop.CPU):
        hint = "raise [run] time_limit (s) in acclimate.toml, or shorten the run ([run.short])"
    elif finished.stop is Stop.MEMORY:
        hint = "raise [run] memory_limit (MiB) in acclimate.toml"
    else:
        hint = (
            "a port can only be held to a model that runs: mend it, its namelists or [run] in"
            " acclimate.toml"
        )
    notes = [finished.complaint] if finished.complaint else []
    return Problem(
        f"the original model {finished.outcome}.",
        kind=Kind.ENVIRONMENT,
        notes=(*notes, f"run folder: {run.folder}"),
        hint=hint,
    )
