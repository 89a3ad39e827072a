"""Both versions of a model, instrumented so that one procedure gets other values or sizes."""

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from numpy.typing import NDArray

from acclimate.analysis.project import Project, read_project
from acclimate.analysis.source import Edit, apply_edits
from acclimate.verifier.building.build import BuildFailure, Built, Extra, build
from acclimate.verifier.building.variant import variant_tree
from acclimate.verifier.comparing.comparison import compare, unstable
from acclimate.verifier.own_code import own_code
from acclimate.verifier.running.runs import Run
from acclimate.verifier.subject import Length, Side, Subject
from acclimate.verifier.toolchains import Build
from acclimate.verifier.trials.closed_programs import is_closed
from acclimate.verifier.trials.other_calls import (
    Given,
    Sizes,
    Smaller,
    called_otherwise,
    can_be_called_otherwise,
    sizes_of,
)
from acclimate.verifier.trials.other_scalars import Scalar, scalars_of
from acclimate.verifier.trials.shaking import FLAGS, Shake, can_be_shaken, runtime_object, shakes

SHAPES = 3  # different ones, unless a procedure can have one only
_UNSET, _OTHERWISE = "85", "170"  # bytes of memory that nobody has set
_NONE: Mapping[str, NDArray[Any]] = MappingProxyType({})


@dataclass(slots=True)
class Tried:
    """What came of one procedure: classes of values, those that told, shapes, a difference.

    `seconds` are those of the processor, ours and those of the runs.
    """

    values: int = 0
    told: int = 0
    shapes: int = 0
    fixed: bool = False
    differs: str = ""
    seconds: float = 0.0


class Bench:
    """Both versions, instrumented: procedure `n` of `names` is shaken when the run is told to."""

    def __init__(self, subject: Subject, names: Sequence[str]) -> None:
        self._subject = subject
        self._folder: Path = subject.work / "shaken"
        self._shapes_file = self._folder / "shapes"
        self.port: Project = read_project(subject.port)
        self._original = read_project(subject.manifest(Side.ORIGINAL))
        self.names = [
            name
            for name in names
            if can_be_shaken(self._original, name) and name in self.port.units
        ]
        self._given = {name: self._common(name) for name in self.names}
        self._extra = runtime_object(self._folder)
        self._built: dict[tuple[Side, Build], Built | None] = {}
        otherwise = {n: given for n, given in self._given.items() if given}
        if not otherwise or not self._builds(otherwise, bounds=True):
            self._given = {n: Given(Sizes(fixed=g.sizes.fixed)) for n, g in self._given.items()}
            self._builds({}, bounds=False)

    @property
    def is_closed(self) -> bool:
        """Whether neither version takes anything in, so that there is one run only."""
        sides = ((self._original, Side.ORIGINAL), (self.port, Side.PORT))
        return all(is_closed(project, self._subject.manifest(side)) for project, side in sides)

    def _builds(self, otherwise: Mapping[str, Given], *, bounds: bool) -> bool:
        """Build both versions, the original with bounds checked too; whether all came out."""
        wanted = [(Side.ORIGINAL, Build.PLAIN), (Side.PORT, Build.PLAIN)]
        wanted += [(Side.ORIGINAL, Build.BOUNDS)] if bounds else []
        self._built = {(side, kind): self._build(side, kind, otherwise) for side, kind in wanted}
        return None not in self._built.values()

    def _build(self, side: Side, kind: Build, otherwise: Mapping[str, Given]) -> Built | None:
        if self._extra is None or not self.names:
            return None
        manifest = self._subject.manifest(side)
        project = self._original if side is Side.ORIGINAL else self.port
        edits: list[Edit] = []
        for number, name in enumerate(self.names, start=1):
            unit = project.units[name]
            edits.append(shakes(project, unit, number))
            if name in otherwise:
                edits += called_otherwise(project, manifest, unit, number, otherwise[name])
        files = {
            file: apply_edits(project.texts[file], sorted(e for e in edits if e.file == file))
            for file in {e.file for e in edits}
        }
        tree = variant_tree(manifest, files, self._folder / f"{side}-{len(otherwise)}")
        changed = {
            place.file for c in self._subject.changes for place in (c.at, c.original) if place
        }
        flagged = frozenset({*files, *changed})
        extra = Extra(objects=(self._extra,), files=flagged, flags=FLAGS)
        made = build(tree, self._subject.toolchain, kind, self._subject.work, extra)
        return None if isinstance(made, BuildFailure) else made

    def _common(self, name: str) -> Given:
        """The sizes and scalars that both versions can be given."""
        units = [(p, p.units[name]) for p in (self._original, self.port)]
        (was, now) = (sizes_of(project, unit) for project, unit in units)
        wide = any("integer-8" in flag for flag in self._subject.manifest(Side.PORT).flags)
        if wide or not all(can_be_called_otherwise(project, unit) for project, unit in units):
            return Given(Sizes(fixed=was.fixed and now.fixed))
        (read, still_read) = (scalars_of(project, unit) for project, unit in units)
        return Given(was.common(now), read.common(still_read))

    def can_try(self, name: str) -> bool:
        """Whether both versions were built and the procedure is one that can be shaken."""
        return name in self.names and None not in self._built.values()

    def seconds(self, name: str) -> float:
        """What trying a procedure takes of the processor at most, if a run takes its usual time."""
        given = self._given[name]
        otherwise = len(Smaller) * bool(given.sizes) + len(Scalar) * bool(given.scalars)
        runs = 1 + 2 * len(Shake) + 4 * otherwise
        return runs * self._subject.baseline(Length.SHORT).finished.cpu

    def tried(self, name: str) -> Tried:
        """One procedure on all classes until one differs; what is known already is not repeated."""
        kept = self._kept(name)
        if kept.is_file():
            return Tried(**json.loads(kept.read_text()))
        began = sum(os.times()[:4])
        found = self._on_all_classes(name)
        found.seconds = sum(os.times()[:4]) - began
        if not self._subject.overran:
            kept.parent.mkdir(exist_ok=True)
            scratch = kept.with_suffix(".tmp")
            scratch.write_text(json.dumps(asdict(found)))
            scratch.replace(kept)
        return found

    def _kept(self, name: str) -> Path:
        """Where the result is kept, by the programs that were run and what they were given."""
        parts = [str(made.executable) for made in self._built.values() if made is not None]
        parts += [self._subject.side_digest(Side.ORIGINAL), own_code(), *self.names, name]
        key = hashlib.sha256("\0".join(parts).encode()).hexdigest()
        return self._folder / "tried" / f"{key[:32]}.json"

    def _on_all_classes(self, name: str) -> Tried:
        given = self._given[name]
        found = Tried(fixed=given.sizes.fixed)
        number = self.names.index(name) + 1
        unshaken = self._run(Side.ORIGINAL, number, 0)
        for shake in Shake:
            reference = self._run(Side.ORIGINAL, number, shake)
            if not _is_usable(reference):
                continue
            found.values += 1
            found.told += not compare(unshaken.outputs, reference.outputs).identical
            shapes = self._shapes()
            if not shapes:
                return found  # the run never calls it, whatever the values
            found.shapes = max(found.shapes, shapes)
            difference = self._difference(reference, number, shake)
            if difference:
                words = shake.name.lower()
                found.differs = f"on values that are {words} gives something else: {difference}"
                return found
        for scalar in Scalar if given.scalars else ():
            changed = self._called_otherwise(number, scalar, found, "scalars changed")
            if changed is None:
                continue
            found.values += 1
            found.told += not compare(unshaken.outputs, changed.outputs).identical
            if found.differs:
                return found
        for smaller in Smaller if given.sizes else ():
            if self._called_otherwise(number, smaller, found, "sizes made smaller") is not None:
                found.shapes += 1
            if found.differs:
                return found
        return found

    def _called_otherwise(
        self, number: int, value: Smaller | Scalar, found: Tried, how: str
    ) -> Run | None:
        """A run of the original, called otherwise, and compared; None where it breaks bounds."""
        checked = self._run(Side.ORIGINAL, number, value, Build.BOUNDS)
        reference = self._run(Side.ORIGINAL, number, value)
        again = self._run(Side.ORIGINAL, number, value, unset=_OTHERWISE)
        if not (checked.ok and again.ok and _is_usable(reference)):
            return None
        if compare(reference.outputs, again.outputs).structural:
            return None  # what nobody has set decides how much is put out
        unset = unstable(reference.outputs, again.outputs)
        difference = self._difference(reference, number, value, unset)
        if difference:
            words = value.name.lower().replace("_", " ")
            found.differs = f"with {how} ({words}) gives something else: {difference}"
        return reference

    def _run(
        self,
        side: Side,
        number: int,
        value: int,
        kind: Build = Build.PLAIN,
        unset: str = _UNSET,
    ) -> Run:
        """A run with procedure `number` shaken; `unset` fills memory that nobody has set."""
        made = self._built[side, kind]
        assert made is not None, "both versions were built"
        self._shapes_file.unlink(missing_ok=True)
        return self._subject.run(
            made.executable,
            f"shaken-{side}-{kind}-{number}-{value}",
            Length.SHORT,
            environment={
                "ACCLIMATE_SHAKE": f"{number} {value}",
                "ACCLIMATE_SHAPES": str(self._shapes_file),
                "MALLOC_PERTURB_": unset,
                "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0",  # what it hands out is not filled
            },
            slower=4.0,
            quiet=True,
        )

    def _shapes(self) -> int:
        """How many shapes of the procedure the last run had; 0 where it was not called."""
        return int(self._shapes_file.read_text()) if self._shapes_file.is_file() else 0

    def _difference(
        self, reference: Run, number: int, value: int, unset: Mapping[str, NDArray[Any]] = _NONE
    ) -> str:
        """What the port does differently, "" for nothing; `unset` elements are not compared."""
        run = self._run(Side.PORT, number, value)
        if not run.ok:
            return f"the port {run.ended}"
        masks = dict(self._subject.masks)
        for name, mask in unset.items():
            masks[name] = masks[name] | mask if name in masks else mask
        found = compare(reference.outputs, run.outputs, masks)
        if found.identical or self._subject.noise.excuses(found):
            return ""
        return found.findings[0].message


def _is_usable(reference: Run) -> bool:
    """Whether the original itself comes to a good end, without a NaN."""
    return reference.ok and compare(reference.outputs, reference.outputs).identical
