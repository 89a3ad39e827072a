"""Marks in a source file that tell the oracle which iteration of which loop runs.

A marked loop calls `oracle_begin` before its DO statement, names the storage its verdict speaks of
by address (`oracle_range`), calls `oracle_iteration` first thing in every iteration and
`oracle_end` behind its END DO (see watch/marks.c). Line markers keep every other statement on its
own line. Nothing here looks at what the statements of a loop do.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from acclimate.analysis.facts import LoopFacts, Verdict
from acclimate.analysis.ir import Associate, Do, DoKind, Forall, If, Statement, Symbol, Unit, Where
from acclimate.analysis.names.resolution import Variable
from acclimate.analysis.project import Project
from acclimate.analysis.source import Edit
from acclimate.verifier.texts.source_file import SourceFile
from acclimate.verifier.texts.statements import Statement as SourceStatement
from acclimate.verifier.texts.statements import source_lines

_NAME = re.compile(r"[a-z_]\w*")
_PRIVATE, _FIRSTPRIVATE, _REDUCTION, _LAST_VALUE, _FIRST_AND_LAST, _LOCAL, _INDEX, _IGNORED = range(
    8
)
_UNLOCATED = frozenset({"parameter", "pointer", "external", "intrinsic"})


@dataclass(frozen=True, slots=True)
class MarkedLoop:
    """A watched loop; `variables` are those of its clauses, by their number in a report."""

    number: int
    facts: LoopFacts
    variables: tuple[str, ...]

    @property
    def claims_order_free(self) -> bool:
        """Whether the verdict allows the iterations in any order."""
        free = (Verdict.PARALLEL, Verdict.REDUCTION, Verdict.ATOMIC)
        return self.facts.verdict in free and not self.facts.conditions


@dataclass(slots=True)
class Marks:
    """The edits by file, the marked loops by number, and why others are not marked."""

    first: int
    edits: dict[str, list[Edit]] = field(default_factory=lambda: defaultdict(list))
    loops: dict[int, MarkedLoop] = field(default_factory=dict)
    unmarked: list[tuple[LoopFacts, str]] = field(default_factory=list)


def mark_loops(
    project: Project,
    files: Mapping[str, SourceFile],
    loops: Iterable[LoopFacts],
    first: int = 1,
) -> Marks:
    """Mark every counted DO loop that text can be inserted around; numbers count from `first`."""
    marks = Marks(first)
    by_unit: dict[str, dict[tuple[str, int], LoopFacts]] = defaultdict(dict)
    for loop in loops:
        if loop.kind == "do":
            by_unit[loop.unit][loop.at.file, loop.at.first] = loop
    taken = _repeated(project)
    for name, facts in by_unit.items():
        _Marker(project, project.units[name], files, marks, taken).mark(facts)
    for file, edits in marks.edits.items():
        edits.extend(_impure(files[file]))
    return marks


def _repeated(project: Project) -> set[tuple[str, int]]:
    """DO statements that stand for several loops: included text, or two on one line."""
    seen: set[tuple[str, int]] = set()
    repeated: set[tuple[str, int]] = set()
    for unit in project.units.values():
        for loop in _loops(unit.body):
            place = (loop.at.file, loop.at.first)
            (repeated if place in seen else seen).add(place)
    return repeated


def _loops(statements: Iterable[Statement]) -> Iterator[Do]:
    for statement in statements:
        match statement:
            case Do():
                yield statement
                yield from _loops(statement.body)
            case If() | Where():
                for branch in statement.branches:
                    yield from _loops(branch.body)
            case Forall() | Associate():
                yield from _loops(statement.body)


class _Marker:
    """Marks the loops of one unit."""

    def __init__(
        self,
        project: Project,
        unit: Unit,
        files: Mapping[str, SourceFile],
        marks: Marks,
        taken: set[tuple[str, int]],
    ) -> None:
        self._project, self._unit, self._files = project, unit, files
        self._marks, self._taken = marks, taken
        self._locals = [name for name in sorted(_names(unit)) if self._is_local(name)]

    def mark(self, facts: Mapping[tuple[str, int], LoopFacts]) -> None:
        for loop in _loops(self._unit.body):
            found = facts.get((loop.at.file, loop.at.first))
            if found is None:
                continue
            obstacle = self._obstacle(loop, found)
            if obstacle:
                self._marks.unmarked.append((found, obstacle))
            else:
                self._insert(loop, found)

    def _obstacle(self, loop: Do, facts: LoopFacts) -> str:
        """Why no marks can stand around this loop, "" if they can."""
        file = self._files.get(loop.at.file)
        if loop.kind is not DoKind.COUNTED:
            return "not a counted loop"
        if file is None or (loop.at.file, loop.at.first) in self._taken:
            return "its text stands for several loops"
        if loop.end.file != loop.at.file:
            return "its END DO stands in another file"
        if _shares_lines(file, loop.at.first, loop.at.last):
            return "another statement on the line of the DO statement"
        if _shares_lines(file, loop.end.first, loop.end.last):
            return "another statement on the line of the END DO statement"
        for name in clause_variables(facts):
            if not self._located(name):
                return f"the address of '{name}' cannot be asked for"
        return ""

    def _located(self, name: str) -> bool:
        if not _NAME.fullmatch(name):
            return False
        meaning = self._project.resolve(self._unit, name)
        return (
            isinstance(meaning, Variable)
            and not meaning.symbol.attributes & _UNLOCATED
            and not _assumed_size(meaning.symbol)
            and name != self._unit.name
        )

    def _is_local(self, name: str) -> bool:
        if not self._located(name) or name in self._unit.args:
            return False
        meaning = self._project.resolve(self._unit, name)
        assert isinstance(meaning, Variable)
        return meaning.symbol.owner is self._unit and meaning.symbol.common is None

    def _insert(self, loop: Do, facts: LoopFacts) -> None:
        number = self._marks.first + len(self._marks.loops)
        variables = clause_variables(facts)
        self._marks.loops[number] = MarkedLoop(number, facts, variables)
        file = self._files[loop.at.file]
        before = [f"call oracle_begin({number}_4)"]
        for position, name in enumerate(variables):
            before.append(_range(number, _storage(facts, name), position, name))
        if facts.depth == 0:
            before += [_range(number, _LOCAL, -1, name) for name in self._locals]
        outer = [other.index for other in _sharing_its_end(loop, self._unit) if other.index]
        before += [_range(number, _IGNORED, -1, name) for name in outer if name not in variables]
        edits = self._marks.edits[file.name]
        iteration = [f"call oracle_iteration({number}_4)"]
        edits.append(_inserted(file, loop.at.last + 1, iteration, 0))
        edits.append(_inserted(file, loop.at.first, before, 1))
        if not outer:
            edits.append(_inserted(file, loop.end.last + 1, [f"call oracle_end({number}_4)"], 0))


def ordered(edits: Sequence[Edit]) -> list[Edit]:
    """Marks behind one line go before those in front of the next."""
    return sorted(edits, key=lambda edit: (edit.first, edit.last, edit.text[0] == _FRONT))


_FRONT = "! oracle: before"


def _sharing_its_end(loop: Do, unit: Unit) -> list[Do]:
    """The loops around this one that end on the same statement: it can have no end of its own."""
    if not loop.shared_terminal:
        return []
    same = [other for other in _loops(unit.body) if other.end == loop.end]
    return [other for other in same if other is not loop and loop in list(_loops(other.body))]


def clause_variables(facts: LoopFacts) -> tuple[str, ...]:
    """Every variable that a clause of the verdict names, each once."""
    reduced = [item.var for item in facts.reduction]
    names = [*facts.private, *facts.firstprivate, *reduced, *facts.atomic, *facts.last_values]
    return tuple(dict.fromkeys(names))


def _storage(facts: LoopFacts, name: str) -> int:
    if name in facts.atomic or name in {item.var for item in facts.reduction}:
        return _REDUCTION
    last = name in facts.last_values
    if name == facts.index:
        return _IGNORED if last else _INDEX
    if name in facts.firstprivate:
        return _FIRST_AND_LAST if last else _FIRSTPRIVATE
    return _LAST_VALUE if last else _PRIVATE


def _range(number: int, storage: int, position: int, name: str) -> str:
    address = f"int(loc({name}), 8), int(sizeof({name}), 8)"
    return f"call oracle_range({number}_4, {storage}_4, {position}_4, {address})"


def _inserted(file: SourceFile, line: int, statements: Sequence[str], front: int) -> Edit:
    text = [_FRONT if front else "! oracle"]
    for statement in statements:
        text += source_lines(statement, file.form)
    return Edit(file.name, line, line - 1, (*text, f'# {line} "{file.name}"'))


def _names(unit: Unit) -> set[str]:
    return set(unit.symbols) | unit.mentioned


def _assumed_size(symbol: Symbol) -> bool:
    return any(dimension.shape == "assumed-size" for dimension in symbol.dims)


def _shares_lines(file: SourceFile, first: int, last: int) -> bool:
    covering: list[SourceStatement] = [
        s for s in file.statements if s.at.first <= last and s.at.last >= first
    ]
    return len(covering) != 1


_PURE = re.compile(r"(?i)^(\s*(?:\w+\s+|\w+\([^)]*\)\s*)*?)(pure|elemental)(\s+.*)$")
_PROCEDURE = re.compile(r"(?i)\b(subroutine|function)\b")
_END = re.compile(r"(?i)^\s*end")


def _impure(file: SourceFile) -> Iterator[Edit]:
    """A pure procedure may not call the oracle, nor one that does: none stays pure."""
    for number, raw in enumerate(file.data.decode("latin-1").split("\n"), 1):
        line = raw.rstrip("\r")
        if not _PROCEDURE.search(line.partition("!")[0]) or _END.match(line):
            continue
        changed = line
        while (found := _PURE.match(changed)) and "impure" not in found[1].lower():
            word = "impure elemental" if found[2].lower() == "elemental" else ""
            changed = found[1] + word + found[3]
            if word:
                changed = re.sub(r"(?i)\bpure\b", "", changed)
                break
        if changed != line:
            yield Edit(file.name, number, number, (changed,))
