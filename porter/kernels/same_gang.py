"""Small kernels that meet only within an iteration: one launch, an iteration's gang runs them all.

Loops over the same range, each `gang(static:1)`, are shared out to the gangs of a `parallel` region
in the same way (OpenACC 3.3, 2.9.2), and a gang runs them in the order of the program. So they may
use what those before have left in the same iteration: the loop that would come of fusing them has
to be parallel. They may stand under conditions that are the same on all gangs.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from acclimate.analysis.dependence.statements import bodies, inside
from acclimate.analysis.facts import Verdict
from acclimate.analysis.ir import Branch, Do, Expr, If, Name, Statement, Symbol
from acclimate.analysis.source import Lines
from acclimate.porter.kernels.region_conditions import launching, told
from acclimate.porter.kernels.selection import Kernel
from acclimate.porter.loops.nests import may_run_in_any_order
from acclimate.porter.loops.rotation import Rotations
from acclimate.porter.names.traversal import names_in
from acclimate.porter.rule import LoopDirective, Offload
from acclimate.porter.text.directives_text import directive
from acclimate.porter.text.fortran_text import fortran
from acclimate.porter.text.margins import Margins

_RULE = "offload_parallel_nest"
_DEEPEST = 2  # loops of a nest that is too small to fill a device alone


@dataclass(frozen=True, eq=False)
class Segment:
    """Statements side by side, the kernels in them, and the branches of conditions around these.

    `independent`: no kernel touches what another one writes.
    """

    statements: tuple[Statement, ...]
    kernels: tuple[Kernel, ...]
    branches: tuple[Branch, ...] = ()
    independent: bool = False

    def __add__(self, other: "Segment") -> "Segment":
        return Segment(
            self.statements + other.statements,
            self.kernels + other.kernels,
            self.branches + other.branches,
        )


class SameGang:
    """Finds the segments of one unit whose kernels may share a launch."""

    def __init__(
        self,
        rotations: Rotations,
        margins: Margins,
        may_stand: Callable[[Segment], bool],
    ) -> None:
        """`may_stand`: nothing but dependences speaks against a region around the segment."""
        self._rotations = rotations
        self._margins = margins
        self._may_stand = may_stand

    def segments(
        self, block: list[Statement], kernels: dict[int, Kernel], launches: set[int]
    ) -> list[Segment]:
        """Segments of a statement list that save a launch on some way through them, in order.

        Args:
            launches: the statements (by id) of the kernels that begin one otherwise.
        """
        found: list[Segment] = []
        run: Segment | None = None
        for statement in block:
            item = _item(statement, kernels)
            if run is not None and item is not None and _is_uniform(run + item):
                run += item
                continue
            found += self._accepted(block, run, launches)
            run = item if item is not None and _is_uniform(item) else None
        return [*found, *self._accepted(block, run, launches)]

    def _accepted(
        self, block: list[Statement], run: Segment | None, launches: set[int]
    ) -> Iterator[Segment]:
        if run is not None and _most(run.statements, launches) > 1 and self._may_share(block, run):
            yield run

    def _may_share(self, block: list[Statement], segment: Segment) -> bool:
        if not all(map(_is_small, segment.kernels)) or not _keeps_conditions(segment):
            return False
        first = segment.statements[0]
        try:
            names = told(segment.kernels[0].scope, first.at, segment.branches, self._margins).names
            layout = (
                self._margins.of(first.at.file, first.at.first),
                self._margins.form(first.at.file),
            )
            directive(("parallel", guard(segment)), *layout)
        except ValueError:
            return False
        return self._may_stand(segment) and self._is_parallel_fused(block, segment, names)

    def _is_parallel_fused(
        self, block: list[Statement], segment: Segment, names: Mapping[Lines, str]
    ) -> bool:
        first = segment.kernels[0].statement
        if not isinstance(first, Do):
            return False
        body = _opened(segment.statements, {id(k.statement) for k in segment.kernels}, names)
        fused, unit = replace(first, body=body, directives=()), segment.kernels[0].scope.unit
        new = [
            Symbol(name=name, at=first.at, type="logical", owner=unit)
            for name in sorted(set(names.values()))
        ]
        judged = self._rotations.judge_fused(unit, block, segment.statements, fused, new)
        facts = judged.get((fused.at.file, fused.at.first, fused.index or ""))
        return (
            may_run_in_any_order(facts)
            and facts.verdict is Verdict.PARALLEL
            and not (facts.firstprivate or facts.last_values or facts.hints or facts.conditions)
            and not any(note.startswith("same-value") for note in facts.notes)
        )


def as_gang(kernel: Kernel) -> Offload:
    """The kernel as a part of a region: iterations to gangs, one after another in turn."""
    loops = _loops(kernel)
    indices = [loop.index or "" for loop in loops]
    inner = sorted(set(kernel.offload.private) - {indices[0]})
    if len(loops) == 1:
        words = ("loop gang(static:1)", _private([*inner, indices[0]]))
        directives = [LoopDirective(loops[0].at, words)]
    else:
        words = ("loop gang(static:1)", _private(indices[:1]))
        vector = ("loop vector", _private(inner))
        directives = [LoopDirective(loops[0].at, words), LoopDirective(loops[1].at, vector)]
    return replace(kernel.offload, directives=tuple(directives))


def guard(segment: Segment) -> str:
    """The IF clause without which a region would be launched for nothing; "" if there is none.

    Raises:
        ValueError: a condition holds text that the reader could not understand.
    """
    condition = launching(segment.statements, {id(k.statement) for k in segment.kernels})
    return f"if({fortran(condition)})" if condition is not None else ""


def _private(names: list[str]) -> str:
    return f"private({', '.join(sorted(names))})"


def _item(statement: Statement, kernels: dict[int, Kernel]) -> Segment | None:
    """A kernel, or a construct of conditions with nothing but kernels in it."""
    kernel = kernels.get(id(statement))
    if kernel is not None:
        return Segment((statement,), (kernel,))
    if not isinstance(statement, If) or not statement.is_construct or statement.label:
        return None
    inner = [_item(each, kernels) for block in bodies(statement) for each in block]
    parts = [part for part in inner if part is not None]
    if len(parts) < len(inner) or not parts:
        return None
    kept = tuple(kernel for part in parts for kernel in part.kernels)
    nested = tuple(branch for part in parts for branch in part.branches)
    return Segment((statement,), kept, (*statement.branches, *nested))


def _most(statements: Iterable[Statement], launches: set[int]) -> int:
    """How many launches there are at most on a way through the statements."""
    return sum(
        max(
            [id(statement) in launches, *(_most(each, launches) for each in bodies(statement))],
        )
        for statement in statements
    )


def _is_uniform(segment: Segment) -> bool:
    """All kernels go over the same range, with an index of the same name."""
    return len({_range(kernel) for kernel in segment.kernels}) == 1


def _range(kernel: Kernel) -> tuple[str | None, Expr | None, Expr | None, Expr | None]:
    loop = kernel.statement
    if not isinstance(loop, Do):
        return None, None, None, None
    return loop.index, loop.first, loop.last, loop.step


def _loops(kernel: Kernel) -> list[Do]:
    return [s for s in inside([kernel.statement]) if isinstance(s, Do)]


def _is_small(kernel: Kernel) -> bool:
    """Offloaded as it stands, all its loops in one tight nest of at most two, no private arrays."""
    offload = kernel.offload
    symbols = (kernel.scope.symbol(name) for name in offload.private)
    return (
        offload.rule == _RULE
        and len(offload.directives) == 1
        and _depth(offload) == len(offload.loops) <= _DEEPEST
        and not any(symbol is not None and symbol.is_array for symbol in symbols)
    )


def _depth(offload: Offload) -> int:
    words = offload.directives[0].words
    collapsed = [w for w in words if w.startswith("collapse(")]
    return int(collapsed[0].removeprefix("collapse(").removesuffix(")")) if collapsed else 1


def _keeps_conditions(segment: Segment) -> bool:
    """No kernel changes a variable that a condition or the common range reads."""
    read = {n for b in segment.branches if b.condition is not None for n in names_in(b.condition)}
    loops = [k.statement for k in segment.kernels if isinstance(k.statement, Do)]
    bounds = (bound for loop in loops for bound in (loop.first, loop.last, loop.step))
    read |= {name for bound in bounds if bound is not None for name in names_in(bound)}
    return not any(read & set(kernel.offload.private) for kernel in segment.kernels)


def _opened(
    statements: Sequence[Statement], kernels: set[int], names: Mapping[Lines, str]
) -> list[Statement]:
    """The statements with the bodies of kernels in place of their loops, conditions told."""
    opened: list[Statement] = []
    for statement in statements:
        if id(statement) in kernels and isinstance(statement, Do):
            opened += statement.body
        elif isinstance(statement, If):
            branches = [
                replace(
                    branch,
                    body=_opened(branch.body, kernels, names),
                    condition=Name(names[branch.at]) if branch.at in names else branch.condition,
                )
                for branch in statement.branches
            ]
            opened.append(replace(statement, branches=branches))
    return opened
