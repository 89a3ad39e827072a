"""Builds and runs of a replay: branches watched, calls written down, calls replayed."""

import hashlib
import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from acclimate.analysis.problems import Kind, Problem
from acclimate.analysis.project import Project, read_project
from acclimate.analysis.tree.manifest import Manifest
from acclimate.verifier.building.build import BuildFailure, Built, Extra, build
from acclimate.verifier.capture.choosing import chosen_calls
from acclimate.verifier.capture.file_format import Block, read_blocks
from acclimate.verifier.capture.targets import Target
from acclimate.verifier.limits import Finished, Limits, run_limited
from acclimate.verifier.replay.trees import RUNTIME, Instrumented, instrumented
from acclimate.verifier.running.emulation import COMPILER, POISONS
from acclimate.verifier.subject import Length, Side, Subject
from acclimate.verifier.toolchains import Build

_COMPILING = Limits(wall=60, cpu=60, memory=1024, file=64, processes=8)
CAPTURE_LIMIT = 1 << 30  # B of one rank's file
_REPLAYING = Limits(wall=120, cpu=120, memory=8192, file=2048, processes=8)
# The second, or .AND. calls functions that it leaves out when optimised, and calls are numbered.
_WATCHED = ("-fsanitize-coverage=trace-pc", "-ffrontend-optimize")
_WATCHED_SLOWER = 20.0


@dataclass(frozen=True)
class Captured:
    """The calls that were written down, one file for each MPI rank."""

    files: tuple[Path, ...]

    def blocks(self) -> Mapping[Path, tuple[Block, ...]]:
        return {file: tuple(read_blocks(file)) for file in self.files}


@dataclass(frozen=True)
class Replayed:
    """What one executable left, by procedure and call, and how it ended."""

    exits: Mapping[tuple[str, int], Block]
    finished: Finished


class Bench:
    """Original and port, instrumented for the same procedures under the same numbers.

    `port_targets` are the port's procedures by name. What is captured of the original is kept for
    as long as the original, its inputs and the lists of variables stay the same.
    """

    def __init__(
        self,
        subject: Subject,
        original: Project,
        targets: Sequence[Target],
        port_targets: Mapping[str, Target],
        without: Collection[str] = (),
        untouched: Collection[str] = (),
    ) -> None:
        self.subject, self.port_targets, self.untouched = subject, port_targets, untouched
        self.targets = dict(enumerate(sorted(targets, key=lambda t: t.name), start=1))
        self.original: Instrumented = instrumented(
            original, subject.original_files, self.targets, untouched
        )
        self.list = "".join(
            f'{number} {direction} "{name}"\n'
            for number, target in self.targets.items()
            for name, direction in target.listed.items()
            if name not in without
        )
        self.folder: Path = subject.work / "replay" / self._key()[:16]
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "list").write_text(self.list)

    def _key(self) -> str:
        digest = hashlib.sha256(self.subject.side_digest(Side.ORIGINAL).encode())
        runtime = (path.read_bytes() for path in sorted(RUNTIME.iterdir()))
        for part in (self.list.encode(), *self.original.texts.values(), *runtime):
            digest.update(hashlib.sha256(part).digest())
        return digest.hexdigest()

    @cached_property
    def number_of(self) -> Mapping[str, int]:
        return {target.name: number for number, target in self.targets.items()}

    # --- what the original is given --------------------------------------------------------------

    def captured(self) -> Captured | BuildFailure | str:
        """Calls of the original, chosen in one run and written down in the next; or why not."""
        records, done = self.folder / "records", self.folder / "captured"
        if not done.is_file():
            why = self._capture(records)
            if why is not None:
                return why
            done.touch()
        return Captured(tuple(sorted(records.glob("rank-*"))))

    def _capture(self, records: Path) -> BuildFailure | str | None:
        made = self._build(self.original.capturing(self._tree("capture"), with_edges=False))
        if isinstance(made, BuildFailure):
            return made
        plan = self._plan()
        if isinstance(plan, BuildFailure | str):
            return plan
        calls = "".join(f"{unit} {call}\n" for unit in plan for call in plan[unit])
        (self.folder / "calls").write_text(calls)
        records.mkdir(exist_ok=True)
        environment = {
            "ACCLIMATE_MODE": "capture",
            "ACCLIMATE_CALLS": str(self.folder / "calls"),
            "ACCLIMATE_FOLDER": str(records),
            "ACCLIMATE_LIMIT": str(CAPTURE_LIMIT),
            "ACCLIMATE_LIST": str(self.folder / "list"),
        }
        run = self.subject.run(
            made.executable, "capture", Length.SHORT, environment=environment, slower=4.0
        )
        return None if run.ok else f"the original with its calls written down {run.ended}"

    def _plan(self) -> Mapping[int, tuple[int, ...]] | BuildFailure | str:
        made = self._watched(self.original.capturing(self._tree("plan"), with_edges=True))
        if isinstance(made, BuildFailure):
            return made
        plan = self.folder / "plan"
        environment = {
            "ACCLIMATE_MODE": "plan",
            "ACCLIMATE_PLAN": str(plan),
            "ACCLIMATE_LIST": str(self.folder / "list"),
            "GCOV_PREFIX": str(self.folder / "unused"),
        }
        run = self.subject.run(
            made.executable,
            "plan",
            Length.SHORT,
            environment=environment,
            slower=_WATCHED_SLOWER,
        )
        plans = sorted(self.folder.glob("plan-*"))
        if not run.ok or not plans:
            return f"the original with its branches watched {run.ended}"
        return chosen_calls([path.read_text() for path in plans])

    # --- replaying -------------------------------------------------------------------------------

    def replaying(self, side: Side) -> Built | BuildFailure:
        """The program that replays the calls on one side."""
        if side is Side.ORIGINAL:
            return self._build(self.original.replaying(self._tree("replay"), with_edges=False))
        project = read_project(self.subject.port)
        mine = {n: self.port_targets[target.name] for n, target in self.targets.items()}
        made = instrumented(project, self.subject.port_files, mine, self.untouched)
        return self._build(made.replaying(self._tree("port"), with_edges=False))

    def watched_replay(self) -> Built | BuildFailure:
        """The same for the original, with executed lines counted."""
        return self._watched(self.original.replaying(self._tree("watched"), with_edges=True))

    def replay(
        self,
        made: Built,
        records: Path,
        blocks: Sequence[Block],
        poison: int = POISONS[0],
        environment: Mapping[str, str] | None = None,
    ) -> Replayed:
        """Replay the entries among `blocks` of one file in order, all else poisoned."""
        folder = self.folder / "scratch"
        folder.mkdir(exist_ok=True)
        calls = "".join(
            f"{self.number_of[block.unit]} {block.call} {block.position}\n" for block in blocks
        )
        (folder / "calls").write_text(calls)
        (folder / "results").unlink(missing_ok=True)
        settings = {
            "ACCLIMATE_MODE": "replay",
            "ACCLIMATE_CALLS": str(folder / "calls"),
            "ACCLIMATE_CAPTURE": str(records),
            "ACCLIMATE_FOLDER": str(folder),
            "ACCLIMATE_LIST": str(self.folder / "list"),
            "ACCLIMATE_POISON": str(poison - 256 if poison > 127 else poison),
            "MALLOC_PERTURB_": str(255 - poison) if poison != 255 else "165",
        }
        finished = run_limited(
            [str(made.executable)],
            cwd=folder,
            limits=_REPLAYING,
            logs=folder / "replay",
            environment=os.environ | settings | dict(environment or {}),
        )
        results = folder / "results"
        found = tuple(read_blocks(results)) if results.is_file() else ()
        return Replayed({(b.unit, b.call): b for b in found if b.whole}, finished)

    # --- builds ----------------------------------------------------------------------------------

    def _tree(self, name: str) -> Path:
        return self.folder / "trees" / name

    def _build(self, tree: Manifest) -> Built | BuildFailure:
        """Directives ignored on both sides: replayed are statements."""
        return build(tree, self.subject.toolchain, Build.PLAIN, self.subject.work)

    def _watched(self, tree: Manifest) -> Built | BuildFailure:
        flagged = replace(tree, flags=(*tree.flags, *_WATCHED))
        extra = Extra(objects=(self._edges(),))
        return build(flagged, self.subject.toolchain, Build.COVERAGE, self.subject.work, extra)

    def _edges(self) -> Path:
        target = self.folder / "edges.o"
        argv = [COMPILER, "-O2", "-c", str(RUNTIME / "edges.c"), "-o", str(target)]
        done = run_limited(argv, cwd=self.folder, limits=_COMPILING, logs=self.folder / "edges")
        if not done.ok:
            raise Problem(
                f"the runtime that watches branches does not compile: {done.last_words}",
                kind=Kind.ENVIRONMENT,
                hint=f"install the C compiler '{COMPILER}'",
            )
        return target
