"""Would other values tell the port from the original?"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from acclimate.analysis.project import Project, read_project
from acclimate.analysis.source import Lines
from acclimate.verifier.build import BuildFailure, Built, Extra, build
from acclimate.verifier.checks import check
from acclimate.verifier.comparison import compare
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.runs import Run
from acclimate.verifier.shaking import FLAG, Shake, can_be_shaken, runtime_object, shaken
from acclimate.verifier.structure.changes import Answer
from acclimate.verifier.subject import Length, Side, Subject
from acclimate.verifier.toolchains import Build
from acclimate.verifier.variant import variant_tree

_MOST = 40  # procedures; more of them are left to the other checks


@check(cost=32, needs_original=True)
def value_classes(subject: Subject) -> Iterator[Evidence]:
    """Procedures that were changed, and that reading does not prove, on values of several classes.

    A difference keeps the light from holding but is no failure: the original may rely on something
    that its inputs have and these have not. A class in which the original itself fails is left out.
    """
    doubted = [
        name
        for name, found in subject.differences.items()
        if name
        and name not in subject.proved_units
        and any(d.answer is Answer.ASKED for d in found)
    ]
    if not doubted:
        return
    bench = _Bench(subject, doubted[:_MOST])
    for name in doubted:
        yield from _judged(bench, name)


class _Bench:
    """Both versions, instrumented: procedure `n` of `names` is shaken when the run is told to."""

    def __init__(self, subject: Subject, names: Sequence[str]) -> None:
        self.subject = subject
        self.port: Project = read_project(subject.port)
        original = read_project(subject.manifest(Side.ORIGINAL))
        self.names = [
            name for name in names if can_be_shaken(original, name) and name in self.port.units
        ]
        self.folder: Path = subject.work / "shaken"
        extra = runtime_object(self.folder)
        self.original_built = self._build(original, Side.ORIGINAL, extra)
        self.port_built = self._build(self.port, Side.PORT, extra)

    def _build(self, project: Project, side: Side, extra: Path | None) -> Built | None:
        if extra is None or not self.names:
            return None
        manifest = self.subject.manifest(side)
        tree = variant_tree(manifest, shaken(project, self.names), self.folder / side)
        flagged = replace(tree, flags=(*tree.flags, FLAG))
        made = build(
            flagged, self.subject.toolchain, Build.PLAIN, self.folder, Extra(objects=(extra,))
        )
        return None if isinstance(made, BuildFailure) else made

    def run(self, side: Side, number: int, shake: int) -> Run:
        made = self.original_built if side is Side.ORIGINAL else self.port_built
        assert made is not None, "both versions were built"
        return self.subject.run(
            made.executable,
            f"shaken-{side}-{number}-{shake}",
            Length.SHORT,
            environment={"ACCLIMATE_SHAKE": f"{number} {shake}"},
            slower=2.0,
        )


def _judged(bench: _Bench, name: str) -> Iterator[Evidence]:
    unit = bench.port.units.get(name)
    at = unit.at if unit else None
    if name not in bench.names or bench.original_built is None or bench.port_built is None:
        text = f"'{name}' was not tried on other values: nothing in it can be changed at its start"
        yield _evidence(Outcome.INCONCLUSIVE, text, at)
        return
    number, told, tried = bench.names.index(name) + 1, 0, 0
    unshaken = bench.run(Side.ORIGINAL, number, 0)
    for shake in Shake:
        reference = bench.run(Side.ORIGINAL, number, shake)
        if not reference.ok or reference.outputs.unreadable:
            continue
        tried += 1
        told += not compare(unshaken.outputs, reference.outputs).identical
        run = bench.run(Side.PORT, number, shake)
        difference = _difference(bench.subject, reference, run)
        if difference:
            words = shake.name.lower()
            text = f"'{name}' on values that are {words} gives something else: {difference}"
            yield replace(_evidence(Outcome.INCONCLUSIVE, text, at), unsettled=True)
            return
    if not told:
        text = f"'{name}': no class of values changes what the model puts out ({tried} tried)"
        yield _evidence(Outcome.INCONCLUSIVE, text, at)
        return
    text = f"'{name}' gives the same on values of {tried} classes, {told} of which tell"
    yield _evidence(Outcome.HOLDS, text, at, told)


def _difference(subject: Subject, reference: Run, run: Run) -> str:
    """What differs, "" for nothing."""
    if not run.ok:
        return f"the port {run.ended}"
    found = compare(reference.outputs, run.outputs, subject.masks)
    if found.identical or subject.noise.excuses(found):
        return ""
    return found.findings[0].message


def _evidence(
    outcome: Outcome, message: str, at: Lines | None, figure: int | None = None
) -> Evidence:
    return Evidence(
        "value_classes",
        Light.NUMERICS,
        outcome,
        message,
        figure=figure,
        unit="classes" if figure is not None else "",
        file=at.file if at else None,
        line=at.first if at else None,
        decisive=False,
    )
