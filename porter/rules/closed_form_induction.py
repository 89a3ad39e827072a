"""A counter that every iteration steps on by the same amount: computed from the loop index."""

from dataclasses import dataclass, replace

from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.facts import LoopFacts
from acclimate.analysis.ir import (
    Assignment,
    Binary,
    Do,
    Expr,
    Literal,
    LiteralKind,
    Name,
    Statement,
    Symbol,
)
from acclimate.analysis.source import Edit
from acclimate.porter.loops.last_indices import index_statements
from acclimate.porter.loops.nests import PARALLEL, Nest, serial_inside
from acclimate.porter.loops.temporaries import free_name, type_text
from acclimate.porter.names.traversal import names_in
from acclimate.porter.rewrite import Refusal
from acclimate.porter.rule import LoopDirective, Offload, Outcome, rule
from acclimate.porter.text.fortran_text import fortran, statement_lines

_REASON = "induction"
_ONE = Literal(LiteralKind.INTEGER, "1")


@dataclass(frozen=True, slots=True)
class _Counter:
    """`name = name +- by` in each iteration; `start` keeps the value from before the loop."""

    name: str
    op: str
    by: Expr
    start: str
    type: str

    def at(self, steps: Expr) -> Expr:
        """Its value after so many iterations."""
        moved = steps if self.by == _ONE else Binary("*", steps, self.by)
        return Binary(self.op, Name(self.start), moved)


@rule(order=28)
def closed_form_induction(nest: Nest) -> Outcome:
    """Give a counter its value at the start of each iteration, computed from the loop index.

    The loop must be parallel then, which the analysis is asked again.

    Before:
        subroutine interleave(n, a, b, k)
          integer, intent(in) :: n
          real, intent(in) :: a(n)
          real, intent(inout) :: b(2*n)
          integer, intent(inout) :: k
          integer :: i
          k = 0
          do i = 1, n
            k = k + 2
            b(k) = a(i)
          end do
        end subroutine interleave

    After:
        subroutine interleave(n, a, b, k)
          integer, intent(in) :: n
          real, intent(in) :: a(n)
          real, intent(inout) :: b(2*n)
          integer, intent(inout) :: k
          integer :: i
          integer :: acc_first_k
          k = 0
          acc_first_k = k
          !$acc parallel loop gang vector default(present) private(i, k)
          do i = 1, n
            k = acc_first_k + ((i - 1)*2)
            k = k + 2
            b(k) = a(i)
          end do
          if (n >= 1) k = acc_first_k + ((n - 1 + 1)*2)
        end subroutine interleave

    Refused:
        subroutine pack_positive(n, a, b, k)
          integer, intent(in) :: n
          real, intent(in) :: a(n)
          real, intent(inout) :: b(n)
          integer, intent(inout) :: k
          integer :: i
          k = 0
          do i = 1, n
            if (a(i) > 0.0) then
              k = k + 1
              b(k) = a(i)
            end if
          end do
        end subroutine pack_positive
    """
    facts = nest.facts(nest.loop)
    names = {
        witness.variable
        for obstacle in (facts.obstacles if facts is not None else ())
        if obstacle.reason == _REASON
        for witness in obstacle.witnesses
    }
    if facts is None or not names:
        return None
    step = "compute the counter from the loop index"
    try:
        counters = [_counter(nest, name) for name in sorted(names)]
        steps = _steps(nest)
    except ValueError as error:
        return Refusal(nest.loop.at, f"{facts.reason}; {error}", step)
    if nest.body_refusal() is not None:
        return None  # no counter keeps it on the host
    turned = _rejudged(nest, counters, steps)
    again = turned.facts(turned.loop)
    if again is None or again.verdict not in PARALLEL:
        return None  # the verdict of the loop as it stands says more
    lost = set(again.last_values) - {counter.name for counter in counters}
    if any(index_statements(nest.scope, nest.loop, name) is None for name in lost):
        return None
    plain = replace(again, last_values=tuple(sorted(lost)))
    turned = replace(turned, judged={**turned.judged, _key(nest.loop): plain})
    refusal = turned.refusal()
    return refusal if refusal is not None else _offload(turned, plain, counters, steps)


def _counter(nest: Nest, name: str) -> _Counter:
    """Raises: ValueError, where the counter is not stepped on once, plainly and unconditionally."""
    updates = [
        s for s in inside([nest.loop]) if isinstance(s, Assignment) and s.target == Name(name)
    ]
    if len(updates) != 1 or updates[0] not in nest.loop.body:
        raise ValueError(f"'{name}' is not stepped on once in each iteration")
    value = updates[0].value
    if not isinstance(value, Binary) or value.op not in ("+", "-"):
        raise ValueError(f"'{name}' is not stepped on by a sum")
    by = value.right if value.left == Name(name) else value.left
    if value.op == "-" and value.left != Name(name) or name in names_in(by):
        raise ValueError(f"'{name}' is not stepped on by a sum")
    symbol = nest.scope.symbol(name)
    if symbol is None or symbol.type != "integer" or symbol.is_array:
        raise ValueError(f"'{name}' is no integer")
    start = free_name(nest.scope, f"acc_first_{name}")
    return _Counter(name, value.op, by, start, type_text(nest.scope, symbol))


def _steps(nest: Nest) -> Expr:
    """How many iterations have run before the present one."""
    loop = nest.loop
    written = {
        found.root.name
        for s in inside([loop])
        if isinstance(s, Assignment) and (found := nest.scope.reference(s.target)) is not None
    }
    for bound in (loop.first, loop.last, loop.step):
        if bound is not None and names_in(bound) & (written | {loop.index}):
            raise ValueError("the loop changes its own bounds")
    if loop.first is None or loop.index is None:
        raise ValueError("the loop has no bounds")
    steps = Binary("-", Name(loop.index), loop.first)
    return steps if loop.step is None else Binary("/", steps, loop.step)


def _rejudged(nest: Nest, counters: list[_Counter], steps: Expr) -> Nest:
    loop = nest.loop
    first: list[Statement] = [
        Assignment(at=loop.at, target=Name(counter.name), value=counter.at(steps))
        for counter in counters
    ]
    new = [
        Symbol(name=counter.start, at=loop.at, type="integer", owner=nest.scope.unit)
        for counter in counters
    ]
    judged = nest.rotations.judge_body(nest.scope.unit, loop, [*first, *loop.body], new)
    return replace(nest, judged=judged)


def _offload(nest: Nest, facts: LoopFacts, counters: list[_Counter], steps: Expr) -> Offload:
    loop, at = nest.loop, nest.loop.at
    margin, form = nest.margins.of(at.file, at.first), nest.margins.form(at.file)
    inner = nest.margins.of(at.file, loop.body[0].at.first)
    above: list[str] = []
    body: list[str] = []
    below: list[str] = []
    for counter in counters:
        above += statement_lines(f"{counter.start} = {counter.name}", margin, form)
        body += statement_lines(f"{counter.name} = {fortran(counter.at(steps))}", inner, form)
        below += statement_lines(_last(nest, loop, counter), margin, form)
    words = nest.words((loop,), "parallel loop gang vector", sorted(facts.private))
    serial = [LoopDirective(each.at, ("loop seq",)) for each in serial_inside(nest, (loop,))]
    return Offload(
        rule="closed_form_induction",
        at=at,
        end=loop.end,
        directives=(LoopDirective(at, words), *serial),
        loops=nest.all_loops(),
        private=tuple(sorted({*facts.private, *facts.firstprivate})),
        replaced=(Edit(at.file, at.last + 1, at.last, tuple(body)),),
        declares=tuple(f"{counter.type} :: {counter.start}" for counter in counters),
        above=tuple(above),
        below=tuple(below),
    )


def _last(nest: Nest, loop: Do, counter: _Counter) -> str:
    """The counter behind the loop; a loop that does not run leaves it alone."""
    first, last = loop.first or _ONE, loop.last or _ONE
    if loop.step is None:
        trips: Expr = Binary("+", Binary("-", last, first), _ONE)
        condition = f"{fortran(last)} >= {fortran(first)}"
    else:
        trips = Binary("/", Binary("+", Binary("-", last, first), loop.step), loop.step)
        condition = f"{fortran(trips)} > 0"
    return f"if ({condition}) {counter.name} = {fortran(counter.at(trips))}"


def _key(loop: Do) -> tuple[str, int, str]:
    return loop.at.file, loop.at.first, loop.index or ""
