"""One process' share of the analysis: whole units of some files, outlines of all others.

Statements are the bulk of a model and only one process needs them at a time. So what travels are
outlines and summaries; a unit whose statements are not here is read again from its file.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

from acclimate.analysis.dependence.intents import POSSIBLE, contradictions
from acclimate.analysis.dependence.judging import judge_unit
from acclimate.analysis.dependence.pointing import Association, Pointing, associations
from acclimate.analysis.dependence.procedures import Groups, Summaries, as_group
from acclimate.analysis.dependence.records import Overlap
from acclimate.analysis.dependence.summary import Summary
from acclimate.analysis.exchange.outlines import Outline, outline_of, units_of
from acclimate.analysis.exchange.tables import Writer, value_of
from acclimate.analysis.facts import (
    CallSite,
    Finding,
    LoopFacts,
    ProcedureFacts,
    ReadingProblem,
    Touch,
    UnitFacts,
    UseEdge,
)
from acclimate.analysis.graph.call_sites import call_sites, use_edges
from acclimate.analysis.graph.procedure_facts import ProcedureNames, procedure_facts
from acclimate.analysis.hints import Hints
from acclimate.analysis.ir import Symbol, Unit, UnitKind
from acclimate.analysis.keeping.fingerprint import digest
from acclimate.analysis.names import intrinsic_modules
from acclimate.analysis.names.resolution import Variable
from acclimate.analysis.project import Project
from acclimate.analysis.reader.reading import FileUnits, read
from acclimate.analysis.source import Lines
from acclimate.analysis.source_texts import SourceTexts
from acclimate.analysis.tree.manifest import Manifest
from acclimate.analysis.view.normalising import view_of

_NOWHERE = Lines("", 0, 0)


@dataclass(frozen=True, slots=True)
class Edges:
    """What the statements of one unit lead to; `callees` are names of units."""

    callees: tuple[str, ...]
    calls: tuple[CallSite, ...]
    uses: tuple[UseEdge, ...]
    associations: tuple[Association, ...]  # of pointers
    escapes: tuple[str, ...]


Declared = tuple[str, str]
"""A variable by its unit and its name; two empty ones: its place is the one at hand."""


@dataclass(frozen=True, slots=True)
class World:
    """What all files together say.

    `names` tells of each name that can be seen from any file what it is and where; `rest` is a
    digest of what is decided by looking at every unit there is. `has_program`: callers are known.
    """

    names: dict[str, tuple[str, ...]]
    files: dict[str, tuple[str, ...]]  # where each of the names is defined
    rest: str
    has_program: bool


@dataclass(frozen=True, slots=True)
class Linked:
    """All units of the model: facts, source files and the units contained, in one order."""

    units: tuple[UnitFacts, ...]
    homes: tuple[str, ...]
    contained: tuple[tuple[str, ...], ...]
    problems: tuple[ReadingProblem, ...]
    world: World


@dataclass(frozen=True, slots=True)
class UnitSummary:
    """A summary as callers need it: `table` holds no line that they do not quote."""

    table: bytes
    digest: str
    overlaps: tuple[Overlap, ...]
    touches: tuple[tuple[Touch, Declared], ...]
    findings: tuple[Finding, ...]  # dummies used against their INTENT
    asked: tuple[str, ...]  # units whose summaries it rests on


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Facts on the loops of one unit, and on the procedure that it is, its touches left out."""

    loops: tuple[LoopFacts, ...]
    procedure: ProcedureFacts | None


@dataclass(frozen=True, slots=True)
class UnitVerdicts:
    """`overlaps`: calls of the unit with arguments that share storage, as they were judged."""

    facts: bytes  # MessagePack of `Verdicts`
    overlaps: tuple[Overlap, ...]
    asked: tuple[str, ...]
    pointed: bool  # whether the pointer assignments of all units were looked at


class Bench:
    """Use `read` on files, then `link`, then the rest on units by name."""

    def __init__(self, manifest: Manifest, sources: SourceTexts) -> None:
        self._manifest, self._sources = manifest, sources
        self._read: dict[str, FileUnits] = {}
        self._tables: dict[str, bytes] = {}
        self._groups: Groups = {}

    # --- files -----------------------------------------------------------------------------------

    def read(self, file: str) -> Outline:
        """Read one file and keep its units.

        Raises:
            Problem: the file needs the C preprocessor and there is none.
        """
        if file not in self._sources.texts:
            problem = self._sources.unreadable[file]
            self._read[file] = FileUnits((), (problem,), ())
            return Outline(Writer().table([]), digest(), "", (problem,))
        view = view_of(self._manifest, file, self._sources.texts[file])
        found = self._read[file] = read(view)
        return outline_of(view, found)

    def link(self, outlines: Mapping[str, Outline]) -> Linked:
        """Know all files, in the manifest's order."""
        files = {
            file: self._read[file] if file in self._read else units_of(outline)
            for file, outline in outlines.items()
        }
        self._whole = set(self._read)
        self._read = {}
        self.project = Project(self._manifest, self._sources.texts, files)
        self._summaries = Summaries(self.project, self._groups, self._given, Pointing(()))
        self._names = ProcedureNames(self.project)
        self._sites: dict[str, tuple[CallSite, ...]] = {}
        self._components = {
            id(symbol): ("component", self.project.name_of(unit), derived.name, name)
            for unit in self.project.units.values()
            for derived in unit.types.values()
            for name, symbol in derived.components.items()
        }
        units, name_of = self.project.units, self.project.name_of
        return Linked(
            tuple(
                UnitFacts(name, unit.kind.value, unit.at, unit.end, tuple(unit.args))
                for name, unit in units.items()
            ),
            tuple(map(self._home, units.values())),
            tuple(tuple(map(name_of, unit.units.values())) for unit in units.values()),
            self.project.problems,
            self._world(outlines),
        )

    def _world(self, outlines: Mapping[str, Outline]) -> World:
        project = self.project
        names: dict[str, list[str]] = {}
        files: dict[str, dict[str, None]] = {}
        for file in outlines:
            for unit in project.file_units(file):
                for name in (unit.name, *project.entries_of(unit)):
                    names.setdefault(name, []).append(f"{unit.kind.value} {file}")
                    files.setdefault(name, {})[file] = None
        doubles = [name for name in project.units if "@" in name]
        everywhere = [
            (file, outlines[file].interface)
            for file in dict.fromkeys(map(self._home, project.seen_everywhere()))
        ]
        rest = msgspec.msgpack.encode(
            [
                doubles,
                everywhere,
                self._summaries.storage.everywhere(),
                sorted(self._summaries.threadprivate),
                sorted(self._names.bound),
            ]
        )
        return World(
            {name: tuple(found) for name, found in names.items()},
            {name: tuple(found) for name, found in files.items()},
            digest(rest),
            any(unit.kind is UnitKind.PROGRAM for unit in project.units.values()),
        )

    def whole(self) -> Project:
        """The project with the statements of all its units."""
        for file in self._sources.texts:
            self._fill(file)
        return self.project

    def _unit(self, name: str) -> Unit:
        """A unit with its statements."""
        unit = self.project.units[name]
        self._fill(self._home(unit))
        return unit

    def _fill(self, file: str) -> None:
        if file not in self._whole:
            view = view_of(self._manifest, file, self._sources.texts[file])
            self.project.fill(file, read(view))
            self._whole.add(file)

    def _home(self, unit: Unit) -> str:
        """The source file a unit is read from; its lines may be those of an included file."""
        while unit.parent is not None:
            unit = unit.parent
        return self.project.file_of(unit)

    # --- units -----------------------------------------------------------------------------------

    def edges(self, names: Sequence[str]) -> list[Edges]:
        """What the statements of some units lead to.

        Raises:
            Problem: a hint in one of them is none.
        """
        return [self._edges(name) for name in names]

    def _edges(self, name: str) -> Edges:
        unit, name_of = self._unit(name), self.project.name_of
        Hints(self.project, unit)
        return Edges(
            tuple(name_of(callee) for callee in self._summaries.callees(unit)),
            self._call_sites(name),
            tuple(use_edges(self.project, name, unit)),
            tuple(associations(self.project, self._summaries.storage, unit)),
            self._summaries.escapes(unit),
        )

    def _call_sites(self, name: str) -> tuple[CallSite, ...]:
        found = self._sites.get(name)
        if found is None:
            unit = self._unit(name)
            invocations = self._summaries.invocations_of(unit)
            sites = set(call_sites(self.project, name, unit, invocations))
            ordered = sorted(sites, key=lambda site: (site.at, site.callee))
            found = self._sites[name] = tuple(ordered)
        return found

    def point(self, found: Sequence[Association], escaping: frozenset[str]) -> None:
        """Know the pointer assignments and the escapes of all units."""
        self._summaries.pointing = Pointing(found, escaping)

    def summarise(
        self, names: Sequence[str], tables: Mapping[str, bytes], *, circle: bool
    ) -> list[UnitSummary]:
        """Summaries of one unit, or of all that call each other in a circle.

        `tables` are summaries of units called, those given before left out.
        """
        self._tables.update(tables)
        units = [self._unit(name) for name in names]
        if circle:
            self._groups.update(as_group(units))
        self._summaries.asked.clear()
        found = [self._summaries.of(unit) for unit in units]
        asked = self._asked()
        return [self._packed(summary, asked) for summary in found]

    def judge(
        self, name: str, tables: Mapping[str, bytes], overlaps: tuple[Overlap, ...]
    ) -> UnitVerdicts:
        """Verdicts on the loops of one unit."""
        self._tables.update(tables)
        self._summaries.asked.clear()
        self._summaries.pointing.was_asked = False
        loops = judge_unit(self._summaries, self._unit(name), overlaps)
        sites = self._call_sites(name)
        procedure = procedure_facts(self.project, name, loops, sites, self._names)
        facts = msgspec.msgpack.encode(Verdicts(tuple(loops), procedure))
        return UnitVerdicts(facts, overlaps, self._asked(), self._summaries.pointing.was_asked)

    def declared(self, variables: Sequence[Declared]) -> list[Lines]:
        """Where variables are declared, as the files are now."""
        found = [self._symbol(self.project.units[unit], name) for unit, name in variables]
        return [symbol.at for symbol in found if symbol is not None]

    def _asked(self) -> tuple[str, ...]:
        return tuple(sorted(map(self.project.name_of, self._summaries.asked.values())))

    def _packed(self, summary: Summary, asked: tuple[str, ...]) -> UnitSummary:
        accesses = tuple(access._replace(at=_NOWHERE) for access in summary.accesses)
        flags = tuple(replace(flag, at=_NOWHERE) for flag in summary.told)
        seen = replace(summary, accesses=accesses, flags=flags, overlaps=(), touches=())
        table = Writer(self._named).table(seen)
        return UnitSummary(
            table,
            digest(table),
            summary.overlaps,
            tuple((touch, self._declared(symbol)) for touch, symbol in summary.touches),
            tuple(f for f in contradictions(summary) if f.kind != POSSIBLE),
            asked,
        )

    def _declared(self, symbol: Symbol) -> Declared:
        name = self._named(symbol)
        return (name[1], name[2]) if name is not None and name[0] == "unit" else ("", "")

    def _given(self, unit: Unit) -> Summary | None:
        table = self._tables.pop(self.project.name_of(unit), None)
        if table is None:
            self._unit(self.project.name_of(unit))  # it is going to be walked over here
            return None
        found: Summary = value_of(table, self._found)
        return found

    # --- names in tables -------------------------------------------------------------------------

    def _named(self, value: object) -> tuple[str, ...] | None:
        if isinstance(value, Unit):
            name = self.project.name_of(value)
            if self.project.units.get(name) is value:
                return "unit", name
            if intrinsic_modules.MODULES.get(value.name) is value:
                return "intrinsic module", value.name
        elif id(value) in self._components:
            return self._components[id(value)]
        elif isinstance(value, Symbol) and value.owner is not None:
            owner = self._named(value.owner)
            if owner is not None and self._symbol(value.owner, value.name) is value:
                return (*owner, value.name)
        return None

    def _found(self, name: tuple[str, ...]) -> object:
        kind, unit, *symbol = name
        if kind == "component":
            return self.project.units[unit].types[symbol[0]].components[symbol[1]]
        owner = self.project.units[unit] if kind == "unit" else intrinsic_modules.MODULES[unit]
        return self._symbol(owner, symbol[0]) if symbol else owner

    def _symbol(self, owner: Unit, name: str) -> Symbol | None:
        own = owner.symbols.get(name)
        if own is not None:
            return own
        meaning = self.project.resolve(owner, name)
        return meaning.symbol if isinstance(meaning, Variable) else None
