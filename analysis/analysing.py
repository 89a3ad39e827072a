"""The analysis of a whole model: in this process or in several, anew or from what was known."""

from collections.abc import Callable, Iterable, Mapping, Set
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial

import msgspec

from acclimate.analysis.dependence.escapes import program_escapes
from acclimate.analysis.dependence.pointing import Association
from acclimate.analysis.exchange.bench import Bench, Edges, Linked, Verdicts, World
from acclimate.analysis.exchange.crew import Alone, Crew
from acclimate.analysis.exchange.parts import KeptFile, KeptUnit, Parts
from acclimate.analysis.exchange.requests import Analysing, Reading, Tracing
from acclimate.analysis.exchange.staleness import stale_units
from acclimate.analysis.facts import Touch
from acclimate.analysis.keeping.kept_index import ModelFacts
from acclimate.analysis.project import Project, project_of
from acclimate.analysis.source import Lines
from acclimate.analysis.source_texts import SourceTexts
from acclimate.analysis.tree.manifest import Manifest

_WORTH_A_PROCESS = 200_000  # bytes of source
_NOTHING = Parts({}, {}, World({}, {}, "", has_program=False))


@dataclass(frozen=True, slots=True)
class Analysed:
    """Facts, what they were put together from, and the project they are facts of."""

    facts: ModelFacts
    parts: Parts
    project: Callable[[], Project]


def analysed(
    manifest: Manifest,
    sources: SourceTexts,
    digests: Mapping[str, str],
    *,
    workers: int,
    known: Parts | None = None,
) -> Analysed:
    """Read and judge everything, except what is `known` and rests on nothing that has changed.

    `digests` are those of `fingerprint.file_digests`; with none, nothing known is used.

    Raises:
        Problem: a file needs the C preprocessor and there is none; a hint is none; the process
            that analyses a unit is ended from outside (for its memory, say) time and again.
    """
    known = known or _NOTHING
    changed = {
        file
        for file in manifest.sources
        if file not in digests
        or file not in known.files
        or known.files[file].digest != digests[file]
    }
    bench = Bench(manifest, sources)
    with ExitStack() as stack:
        job = _Job(bench, sources, workers, known, stack)
        reading, linked = job.read(manifest.sources, changed)
        units = job.units(reading, linked, changed)
        facts = _facts(linked, units, job.touches(units))
        read_here = isinstance(job.crew, Alone)
    files = {
        file: KeptFile(digests[file], outline)
        for file, outline in reading.outlines.items()
        if file in digests
    }
    return Analysed(
        facts,
        Parts(files, units, linked.world),
        bench.whole if read_here else partial(project_of, manifest, sources),
    )


@dataclass(slots=True)
class _Job:
    """The steps of one analysis; `crew` are those who do them, more when there is more to do."""

    bench: Bench
    sources: SourceTexts
    workers: int
    known: Parts
    stack: ExitStack
    crew: Alone | Crew = field(init=False)

    def __post_init__(self) -> None:
        self.crew = Alone(self.bench)

    def read(self, files: Iterable[str], changed: Set[str]) -> tuple[Reading, Linked]:
        """Read what has changed and let everybody know everything."""
        self._call_in(changed)
        reading = Reading({file: len(self.sources.texts.get(file, b"")) for file in changed})
        self.crew.run(reading)
        reading.outlines = {
            file: reading.outlines[file] if file in changed else self.known.files[file].outline
            for file in files
        }
        return reading, self.crew.link(reading.outlines)

    def units(self, reading: Reading, linked: Linked, changed: Set[str]) -> dict[str, KeptUnit]:
        """All that is to be known of every unit, what is known already included."""
        known = self.known.units
        homes = {unit.name: home for unit, home in zip(linked.units, linked.homes, strict=True)}
        stale = stale_units(self.known, reading.outlines, linked.world, changed)
        fresh = {name: home for name, home in homes.items() if name in stale or name not in known}
        self._call_in(set(fresh.values()))
        tracing = Tracing(fresh, reading.owners)
        self.crew.run(tracing)
        edges = {name: tracing.edges.get(name) or known[name].edges for name in homes}
        pointing = _pointing(edges.values(), linked.world)
        before = _pointing((unit.edges for unit in known.values()), self.known.world)
        self.crew.point(*pointing)
        analysing = Analysing(
            {name: edges[name].callees for name in homes},
            {unit.name: inner for unit, inner in zip(linked.units, linked.contained, strict=True)},
            {name: reading.owners.get(home, 0) for name, home in homes.items()},
            known,
            fresh.keys(),
            repointed=pointing != before,
        )
        self.crew.run(analysing)
        return {
            name: KeptUnit(
                home,
                analysing.circle(name),
                edges[name],
                analysing.summaries[name],
                analysing.verdicts[name],
            )
            for name, home in homes.items()
        }

    def touches(self, units: Mapping[str, KeptUnit]) -> dict[str, tuple[Touch, ...]]:
        """What each unit touches, with declarations where they stand now."""
        found = [pair for unit in units.values() for pair in unit.summary.touches]
        variables = list(dict.fromkeys(variable for _, variable in found if variable[0]))
        places = dict(zip(variables, self.crew.declared(variables), strict=True))
        return {
            name: tuple(
                replace(touch, declared=places.get(variable, touch.declared))
                for touch, variable in unit.summary.touches
            )
            for name, unit in units.items()
        }

    def _call_in(self, files: Iterable[str]) -> None:
        """Have processes where there is enough to do; they know what this one knows by now."""
        size = sum(len(self.sources.texts.get(file, b"")) for file in files)
        workers = min(self.workers, 1 + size // _WORTH_A_PROCESS)
        if workers > 1 and isinstance(self.crew, Alone):
            self.crew = self.stack.enter_context(Crew(self.bench, workers))


def _pointing(edges: Iterable[Edges], world: World) -> tuple[list[Association], frozenset[str]]:
    """Pointer assignments and escapes of all units."""
    known = list(edges)
    found = [association for own in known for association in own.associations]
    return found, program_escapes((own.escapes for own in known), world.has_program)


def _facts(
    linked: Linked, units: Mapping[str, KeptUnit], touches: Mapping[str, tuple[Touch, ...]]
) -> ModelFacts:
    decoder = msgspec.msgpack.Decoder(Verdicts)
    verdicts = {name: decoder.decode(unit.verdicts.facts) for name, unit in units.items()}
    loops = [loop for own in verdicts.values() for loop in own.loops]
    findings = [finding for loop in loops for finding in loop.findings]
    findings += [finding for unit in units.values() for finding in unit.summary.findings]
    procedures = [
        replace(own.procedure, touches=touches[name])
        for name, own in verdicts.items()
        if own.procedure is not None
    ]
    calls = {site for unit in units.values() for site in unit.edges.calls}
    uses = [use for unit in units.values() for use in unit.edges.uses]
    return ModelFacts(
        units=linked.units,
        loops=tuple(sorted(loops, key=lambda p: (*_place(p.at), p.depth, p.unit, p.kind))),
        calls=tuple(sorted(calls, key=lambda c: (*_place(c.at), c.caller, c.callee))),
        uses=tuple(sorted(uses, key=lambda u: (*_place(u.at), u.module))),
        problems=linked.problems,
        procedures=tuple(sorted(procedures, key=lambda p: (*_place(p.at), p.unit))),
        findings=tuple(sorted(findings, key=lambda f: (*_place(f.at), f.kind, f.detail))),
    )


def _place(at: Lines) -> tuple[str, int, int]:
    """The order of `Lines`, compared without their help: there are many."""
    return at.file, at.first, at.last
