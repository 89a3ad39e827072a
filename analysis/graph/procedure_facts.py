"""What each procedure is made of: its work, how clear it is, whom it calls, what it shares."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from acclimate.analysis.dependence.folding import Folding
from acclimate.analysis.dependence.statements import bodies
from acclimate.analysis.facts import (
    CallSite,
    CallWeight,
    LoopFacts,
    ProcedureFacts,
    Verdict,
)
from acclimate.analysis.ir import (
    Apply,
    Assignment,
    BlockConstruct,
    Dimension,
    Directive,
    Do,
    DoKind,
    Expr,
    InputOutput,
    Jump,
    Name,
    OpaqueStatement,
    Section,
    Statement,
    Unit,
    UnitKind,
)
from acclimate.analysis.names.resolution import Procedures, Variable
from acclimate.analysis.project import Project
from acclimate.analysis.source import Lines

TRIPS = 100.0  # iterations of a loop, elements of an extent, that no constant gives
SERIAL_TRIPS = 10.0  # of a loop that may not run in parallel: steps and sweeps, not grid points
DEEP_TRIPS = 4.0  # of loops beyond the three that span a grid: classes, species, bands
_GRID_RANK = 3
PARALLEL = frozenset({Verdict.PARALLEL, Verdict.REDUCTION, Verdict.ATOMIC})

_PROCEDURES = (UnitKind.PROGRAM, UnitKind.SUBROUTINE, UnitKind.FUNCTION)
_GOTO = frozenset({"goto", "arithmetic-if"})
_ACC_LOOP = re.compile(r"(parallel|kernels|serial|loop)\b")
_OMP_DEVICE = re.compile(r"(target|teams|distribute|loop)\b")
_REGION = re.compile(
    r"(?P<end>end )?(?P<name>parallel|kernels|serial|target|target teams)\b(?! loop)"
)
_ROUTINE = re.compile(r"routine\b")


def procedure_facts(
    project: Project,
    name: str,
    loops: Sequence[LoopFacts],
    sites: Sequence[CallSite],
    names: "ProcedureNames",
) -> ProcedureFacts | None:
    """Facts on one procedure or program, its touches left out; None of what is neither.

    `loops` and `sites` are those in it.
    """
    if project.units[name].kind not in _PROCEDURES:
        return None
    unit = project.units[name]
    verdicts = {
        (loop.kind, loop.at, loop.depth): Verdict.UNKNOWN if loop.unproved else loop.verdict
        for loop in loops
    }
    tally = _Tally(project, unit, verdicts, {site.at: None for site in sites})
    tally.walk(unit.body)
    weights: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for site in sites:
        weights[site.callee].append(tally.calls_at.get(site.at) or (1.0, 0.0))
    return ProcedureFacts(
        unit=name,
        kind=unit.kind.value,
        at=unit.at,
        end=unit.end,
        statements=tally.statements,
        loops=len(loops),
        work=tally.work,
        open_work=tally.open_work,
        device_work=tally.device_work,
        unknown_loops=sum(verdict is Verdict.UNKNOWN for verdict in verdicts.values()),
        opaque=tally.opaque,
        jumps=tally.jumps,
        io=tally.io,
        aliases=_aliases(unit),
        externals=sum(site.external for site in sites),
        bound=name in names.bound,
        calls=tuple(_weight(callee, found) for callee, found in sorted(weights.items())),
        refers=tuple(sorted(names.mentioned_in(unit) - weights.keys() - {name})),
    )


def _weight(callee: str, found: list[tuple[float, float]]) -> CallWeight:
    return CallWeight(callee, sum(times for times, _ in found), sum(times for _, times in found))


def _aliases(unit: Unit) -> int:
    """Names that may stand for storage that another name stands for as well."""
    pointers = sum(
        bool(symbol.attributes & {"pointer", "target"}) for symbol in unit.symbols.values()
    )
    return pointers + sum(len(group) for group in unit.equivalences)


class ProcedureNames:
    """Procedures that are named in a unit, called or not."""

    def __init__(self, project: Project) -> None:
        self._project = project
        units = project.units.values()
        self._names = {unit.name for unit in units if unit.kind in _PROCEDURES}
        self.bound = {
            project.name_of(procedure)
            for unit in units
            for name in _bindings(unit)
            for procedure in self._meant(unit, name)
        }

    def mentioned_in(self, unit: Unit) -> set[str]:
        found: set[str] = set()
        for name in (unit.mentioned & self._names) - unit.symbols.keys():
            found |= {self._project.name_of(meant) for meant in self._meant(unit, name)}
        return found

    def _meant(self, unit: Unit, name: str) -> tuple[Unit, ...]:
        meaning = self._project.resolve(unit, name)
        return meaning.candidates if isinstance(meaning, Procedures) else ()


def _bindings(unit: Unit) -> Iterator[str]:
    """Specific procedures behind type-bound names, operators and defined assignment."""
    for derived in unit.types.values():
        yield from derived.bindings.values()
    for name, specifics in unit.generics.items():
        if name.startswith(("operator(", "assignment(")):
            yield from specifics


@dataclass(slots=True)
class _Tally:
    """Counts of one walk over a procedure's statements."""

    project: Project
    unit: Unit
    verdicts: dict[tuple[str, Lines, int], Verdict]
    calls_at: dict[Lines, tuple[float, float] | None]  # how often, and of it in open loops
    statements: int = 0
    work: float = 0.0
    open_work: float = 0.0
    device_work: float = 0.0
    opaque: int = 0
    jumps: int = 0
    io: int = 0
    _regions: list[tuple[int, int]] = field(default_factory=list)
    _folding: Folding = field(init=False)

    def __post_init__(self) -> None:
        self._folding = Folding(self.project)
        self._regions = device_regions(self.unit)

    def walk(self, statements: Iterable[Statement]) -> None:
        self._walk(statements, 1.0, 0, None)

    def _walk(
        self, statements: Iterable[Statement], times: float, depth: int, use: str | None
    ) -> None:
        """`use` is "open" or "device" inside a loop that settles it for what stands in it."""
        for statement in statements:
            inner, deeper, settled = times, depth, use
            if isinstance(statement, Do):
                inner, deeper = times * self._trips(statement, depth), depth + 1
                settled = use or self._use(statement, depth)
            self._count(statement, times, depth, settled)
            for body in bodies(statement):
                self._walk(body, inner, deeper, settled)

    def _use(self, loop: Do, depth: int) -> str | None:
        on_line = any(is_device_loop(directive) for directive in loop.directives)
        if on_line or self._in_region(loop.at):
            return "device"
        return "open" if self.verdicts.get(("do", loop.at, depth)) in PARALLEL else None

    def _in_region(self, at: Lines) -> bool:
        return any(first <= at.first <= last for first, last in self._regions)

    def _count(self, statement: Statement, times: float, depth: int, use: str | None) -> None:
        self.statements += 1
        if statement.at in self.calls_at:
            self.calls_at[statement.at] = (times, times if use == "open" else 0.0)
        match statement:
            case OpaqueStatement() if not isinstance(statement, BlockConstruct):
                self.opaque += 1
            case InputOutput():
                self.io += 1
            case Jump() if statement.keyword in _GOTO:
                self.jumps += 1
        work = times
        verdict = self.verdicts.get(("array", statement.at, depth))
        if isinstance(statement, Assignment) and verdict is not None:
            work *= self._elements(statement.target)
            if use is None and verdict in PARALLEL:
                use = "device" if self._in_region(statement.at) else "open"
        self.work += work
        if use == "open":
            self.open_work += work
        elif use == "device":
            self.device_work += work

    def _trips(self, loop: Do, depth: int) -> float:
        known = None
        if loop.kind in (DoKind.COUNTED, DoKind.CONCURRENT) and loop.first is not None:
            known = self._known(loop.first, loop.last, loop.step)
        if known is not None:
            return known
        if depth >= _GRID_RANK:
            return DEEP_TRIPS
        parallel = self.verdicts.get(("do", loop.at, depth)) in PARALLEL
        return TRIPS if parallel else SERIAL_TRIPS

    def _extent(self, first: Expr | None, last: Expr | None, step: Expr | None = None) -> float:
        known = self._known(first, last, step)
        return TRIPS if known is None else known

    def _known(self, first: Expr | None, last: Expr | None, step: Expr | None) -> float | None:
        """The iterations that constants give."""
        low = 1 if first is None else self._folding.fold(first, self.unit)
        high = None if last is None else self._folding.fold(last, self.unit)
        stride = 1 if step is None else self._folding.fold(step, self.unit)
        if low is None or high is None or not stride:
            return None
        return float(max(0, (high - low + stride) // stride))

    def _elements(self, target: Expr) -> float:
        """Elements of an array or section, by its subscripts and declared bounds."""
        base, args = (target.base, target.args) if isinstance(target, Apply) else (target, ())
        dims: tuple[Dimension, ...] = ()
        if isinstance(base, Name):
            meaning = self.project.resolve(self.unit, base.id)
            dims = meaning.symbol.dims if isinstance(meaning, Variable) else ()
        if not args:
            extents = [self._extent(dim.lower, dim.upper) for dim in dims]
        else:
            extents = [
                self._section(arg, dims[place] if place < len(dims) else None)
                for place, arg in enumerate(args)
                if isinstance(arg, Section)
            ]
        number = 1.0
        for extent in extents or [TRIPS]:
            number *= extent
        return number

    def _section(self, section: Section, dim: Dimension | None) -> float:
        lower = section.lower or (dim.lower if dim else None)
        upper = section.upper or (dim.upper if dim else None)
        return self._extent(lower, upper, section.stride)


def is_device_loop(directive: Directive) -> bool:
    """Does the directive put the loop behind it on a device?"""
    if directive.sentinel == "acc":
        return _ACC_LOOP.match(directive.text) is not None
    return directive.sentinel == "omp" and _OMP_DEVICE.match(directive.text) is not None


def device_regions(unit: Unit) -> list[tuple[int, int]]:
    """First and last lines of compute regions; the whole of a device routine."""
    found: list[tuple[int, int]] = []
    started: list[int] = []
    for directive in unit.directives:
        if directive.sentinel == "acc" and _ROUTINE.match(directive.text):
            return [(unit.at.first, unit.end.last)]
        if directive.sentinel not in ("acc", "omp"):
            continue
        match = _REGION.match(directive.text)
        if match is None or (directive.sentinel == "omp" and match["name"] == "parallel"):
            continue
        if not match["end"]:
            started.append(directive.at.first)
        elif started:
            found.append((started.pop(), directive.at.last))
    return found
