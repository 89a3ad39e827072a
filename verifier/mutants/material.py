"""A port as operators see it: files, units, directives and statements, each with its place."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from acclimate.analysis.directives import Construct, parse
from acclimate.analysis.facts import LoopFacts
from acclimate.analysis.index import ProjectIndex
from acclimate.analysis.ir import Directive, Symbol, Unit, UnitKind
from acclimate.analysis.names.resolution import Variable
from acclimate.analysis.source import Lines
from acclimate.verifier.texts.governed import COMPUTE, GovernedLoop, governed_loops
from acclimate.verifier.texts.source_file import SourceFile
from acclimate.verifier.texts.statements import Statement

_HOLDS_NONE = (UnitKind.MODULE, UnitKind.SUBMODULE, UnitKind.BLOCK_DATA)


@dataclass(frozen=True)
class Material:
    """The port that is to be changed, with what the analysis says of it."""

    files: Mapping[str, SourceFile]
    index: ProjectIndex

    @cached_property
    def governed(self) -> tuple[GovernedLoop, ...]:
        return tuple(loop for file in self.files.values() for loop in governed_loops(file))

    @cached_property
    def loops(self) -> Mapping[tuple[str, int], LoopFacts]:
        """What the analysis says of a DO loop, by file and line of the DO statement."""
        return {(f.at.file, f.at.first): f for f in self.index.loops if f.kind == "do"}

    @cached_property
    def directives(self) -> tuple[tuple[Unit, Directive], ...]:
        """Every OpenACC directive that is compiled, once, with the unit it stands in."""
        found = {}
        for unit in self.index.project.units.values():
            for directive in unit.directives:
                if directive.sentinel == "acc" and directive.at.file in self.files:
                    found[directive.at] = (unit, directive)
        return tuple(found[at] for at in sorted(found))

    @cached_property
    def ported(self) -> tuple[Unit, ...]:
        """Procedures and programs that hold a kernel or are called in one."""
        return tuple(
            unit
            for unit in self.index.project.units.values()
            if unit.kind not in _HOLDS_NONE and unit.at.file in self.files and _is_ported(unit)
        )

    @cached_property
    def _by_lines(self) -> Mapping[Lines, Statement]:
        """Statements that have their lines to themselves."""
        alone: dict[Lines, Statement] = {}
        shared: set[tuple[str, int]] = set()
        taken: set[tuple[str, int]] = set()
        for file in self.files.values():
            for statement in file.statements:
                at = statement.at
                rows = {(at.file, row) for row in range(at.first, at.last + 1)}
                shared |= rows & taken
                taken |= rows
                alone[at] = statement
        return {
            at: found
            for at, found in alone.items()
            if not any((at.file, row) in shared for row in range(at.first, at.last + 1))
        }

    def statement(self, at: Lines) -> Statement | None:
        """The statement as written; None where it shares a line with another one."""
        return self._by_lines.get(at)

    def lines(self, at: Lines) -> tuple[str, ...]:
        """The source lines as they stand."""
        text = self.files[at.file].data.decode("latin-1")
        rows = text.split("\n")[at.first - 1 : at.last]
        return tuple(row.removesuffix("\r") for row in rows)

    def variable(self, unit: Unit, name: str) -> Symbol | None:
        """The variable that a name is in a unit, or None."""
        meaning = self.index.project.resolve(unit, name)
        if isinstance(meaning, Variable) and not meaning.symbol.is_parameter:
            return meaning.symbol
        return None

    def inside(self, loop: GovernedLoop) -> Iterator[Statement]:
        """The statements of a governed loop, its DO statements included."""
        for statement in self.files[loop.file].statements:
            if loop.contains(statement.at.first):
                yield statement


def _is_ported(unit: Unit) -> bool:
    words = [parse(d).name.split() for d in unit.directives if d.sentinel == "acc"]
    return any(each and each[0] in (*COMPUTE, "routine", "loop") for each in words)


def arguments_of(construct: Construct, *clauses: str) -> frozenset[str]:
    """The variables named in these clauses, without subscripts and components."""
    return frozenset(a.split("(")[0].split("%")[0] for a in construct.arguments(*clauses))
