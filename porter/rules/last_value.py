"""A scalar that is read behind the loop: each iteration keeps its own, the last one is fetched."""

from dataclasses import dataclass

from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.dependence.substitution import replaced
from acclimate.analysis.facts import LoopFacts, Verdict
from acclimate.analysis.ir import Assignment, Do, Expr, If, Name, Statement
from acclimate.analysis.source import Edit
from acclimate.porter.device.device_code import calls_in
from acclimate.porter.loops.last_indices import index_statements
from acclimate.porter.loops.nests import PARALLEL, Nest, serial_inside, unproved
from acclimate.porter.loops.temporaries import (
    Temporary,
    entries,
    exits,
    free_name,
    temporary,
    type_text,
)
from acclimate.porter.names.constants import integer_value
from acclimate.porter.names.traversal import names_in
from acclimate.porter.rewrite import Refusal
from acclimate.porter.rule import LoopDirective, Offload, Outcome, rule
from acclimate.porter.text.directives_text import clause, directive
from acclimate.porter.text.fortran_text import fortran, statement_lines
from acclimate.porter.text.renaming import Spelling, renamed

_REASON = "conditional-last-value"


@dataclass(frozen=True, slots=True)
class _Kept:
    """A scalar, its copy in each iteration, the array of their values, and the last to be set."""

    name: str
    own: str
    type: str
    values: Temporary
    last: str


@rule(order=24)
def last_value(nest: Nest) -> Outcome:
    """Keep what each iteration sets in an array; reduce which iteration was the last to set it.

    Before:
        subroutine cloud_base(n, q, z, base)
          integer, intent(in) :: n
          real(8), intent(inout) :: q(n)
          real(8), intent(in) :: z(n)
          real(8), intent(inout) :: base
          integer :: k
          do k = 1, n
            q(k) = max(q(k), 0.0d0)
            if (q(k) > 1.0d-6) base = z(k)
          end do
        end subroutine cloud_base

    After:
        subroutine cloud_base(n, q, z, base)
          integer, intent(in) :: n
          real(8), intent(inout) :: q(n)
          real(8), intent(in) :: z(n)
          real(8), intent(inout) :: base
          integer :: k
          integer :: acc_last_base
          real(8) :: acc_own_base
          real(8), allocatable :: acc_each_base(:)
          acc_last_base = 1 - 1
          allocate (acc_each_base(1:n))
          !$acc enter data create(acc_each_base)
          !$acc parallel loop gang vector default(present) private(acc_own_base, k) &
          !$acc   reduction(max:acc_last_base)
          do k = 1, n
            q(k) = max(q(k), 0.0d0)
            if (q(k) > 1.0d-6) then
              acc_own_base = z(k)
              acc_each_base(k) = acc_own_base
              acc_last_base = max(acc_last_base, k)
            end if
          end do
          !$acc update self(acc_each_base)
          if (acc_last_base >= 1) base = acc_each_base(acc_last_base)
          !$acc exit data delete(acc_each_base)
          deallocate (acc_each_base)
        end subroutine cloud_base

    Refused:
        subroutine carried(n, q, z, top)
          integer, intent(in) :: n
          real(8), intent(inout) :: q(n)
          real(8), intent(in) :: z(n)
          real(8), intent(inout) :: top
          integer :: k
          do k = 1, n
            q(k) = q(k)*top
            if (q(k) > 1.0d-6) top = z(k)
          end do
        end subroutine carried
    """
    facts = nest.facts(nest.loop)
    names = _names(nest, facts) if facts is not None else []
    if facts is None or not names:
        return None
    if facts.unproved:
        return unproved(facts)
    step = "keep the values in an array, and read the one that is wanted behind the loop"
    try:
        _check_bounds(nest)
        kept = [_keep(nest, name) for name in names]
        edits = _edits(nest, kept)
    except ValueError as error:
        reason = f"the last value of {', '.join(names)} is used after the loop, but {error}"
        return Refusal(nest.loop.at, reason, step)
    return nest.body_refusal() or _offload(nest, facts, kept, edits)


def _names(nest: Nest, facts: LoopFacts) -> list[str]:
    """Scalars other than indices that need their last value; none where more stands against it."""
    needed = set()
    for obstacle in facts.obstacles:
        if obstacle.verdict in (*PARALLEL, Verdict.PARALLEL):
            continue
        if obstacle.reason != _REASON:
            return []
        needed |= {witness.variable for witness in obstacle.witnesses}
    needed |= {n for n in facts.last_values if index_statements(nest.scope, nest.loop, n) is None}
    indices = {loop.index for loop in inside([nest.loop]) if isinstance(loop, Do)}
    return [] if needed & indices or needed & set(facts.firstprivate) else sorted(needed)


def _check_bounds(nest: Nest) -> None:
    """They are asked again behind the loop."""
    targets = (s.target for s in inside([nest.loop]) if isinstance(s, Assignment))
    written = {found.root.name for t in targets if (found := nest.scope.reference(t)) is not None}
    for bound in (nest.loop.first, nest.loop.last, nest.loop.step):
        if bound is not None and names_in(bound) & written:
            raise ValueError("the loop changes its own bounds")


def _keep(nest: Nest, name: str) -> _Kept:
    symbol = nest.scope.symbol(name)
    if symbol is None or symbol.is_array:
        raise ValueError(f"'{name}' is no scalar variable")
    for statement, call in calls_in(nest.scope, [nest.loop]):
        if any(name in names_in(arg) for arg in call.args):
            raise ValueError(f"'{name}' is an argument of a call ({statement.at})")
    values = temporary(nest.scope, symbol, f"acc_each_{name}", 1)
    own, last = (free_name(nest.scope, f"acc_{word}_{name}") for word in ("own", "last"))
    return _Kept(name, own, type_text(nest.scope, symbol), values, last)


def _edits(nest: Nest, kept: list[_Kept]) -> list[Edit]:
    """Own names in the lines of the loop; behind each assignment the value is kept."""
    owns: dict[str, Expr] = {each.name: Name(each.own) for each in kept}
    short = {
        id(s): outer
        for outer in inside([nest.loop])
        if isinstance(outer, If) and not outer.is_construct
        for s in outer.branches[0].body
    }
    edits, done = [], set[int]()
    for statement in inside([nest.loop]):
        each = next((k for k in kept if _sets(statement, k)), None)
        if each is not None and isinstance(statement, Assignment):
            outer = short.get(id(statement))
            edits.append(_store(nest, each, statement, outer, owns))
            if outer is not None:
                done |= set(range(outer.at.first, outer.at.last + 1))
    at = nest.loop.at
    for number in range(at.first, nest.loop.end.last + 1):
        line = nest.margins.lines(at.file)[number - 1].rstrip(b"\r").decode("latin-1")
        text = line
        for each in kept:
            text = renamed(text, nest.margins.form(at.file), each.name, _spelling(each))
        if text != line and number not in done:
            edits.append(Edit(at.file, number, number, (text,)))
    return edits


def _spelling(kept: _Kept) -> Spelling:
    return lambda _: kept.own


def _sets(statement: Statement, kept: _Kept) -> bool:
    return isinstance(statement, Assignment) and statement.target == Name(kept.name)


def _store(
    nest: Nest, kept: _Kept, statement: Assignment, short: If | None, owns: dict[str, Expr]
) -> Edit:
    at = (short or statement).at
    _check_place(nest, short or statement)
    margin, form = nest.margins.of(at.file, at.first), nest.margins.form(at.file)
    index = nest.loop.index
    wins = "max" if _direction(nest) > 0 else "min"
    new = [
        f"{kept.values.name}({index}) = {kept.own}",
        f"{kept.last} = {wins}({kept.last}, {index})",
    ]
    if short is None:
        text = [line for each in new for line in statement_lines(each, margin, form)]
        return Edit(at.file, at.last + 1, at.last, tuple(text))
    condition = short.branches[0].condition
    if condition is None:
        raise ValueError("an IF without condition")
    text = [" " * margin + n for n in nest.margins.comments(at.file, at.first, at.last)]
    test = fortran(replaced(condition, owns))
    text += statement_lines(f"if ({test}) then", margin, form)
    for each in (f"{kept.own} = {fortran(replaced(statement.value, owns))}", *new):
        text += statement_lines(each, margin + 2, form)
    text += statement_lines("end if", margin, form)
    return Edit(at.file, at.first, at.last, tuple(text))


def _check_place(nest: Nest, statement: Statement) -> None:
    if statement.label is not None:
        raise ValueError(f"a label stands at {statement.at}")
    beside = [
        other
        for other in inside([nest.loop])
        if other.at.file == statement.at.file
        and other.at.first <= statement.at.last
        and statement.at.first <= other.at.last
        and other is not statement
    ]
    body = statement.branches[0].body if isinstance(statement, If) else []
    others = [other for other in beside if other not in body]
    if any(not isinstance(other, Assignment) or other.label for other in others) or (
        body and others
    ):
        raise ValueError(f"another statement shares the line of {statement.at}")


def _direction(nest: Nest) -> int:
    step = nest.loop.step
    value = 1 if step is None else integer_value(nest.scope, step)
    if not value:
        raise ValueError("the step of the loop is not constant")
    return value


def _offload(nest: Nest, facts: LoopFacts, kept: list[_Kept], edits: list[Edit]) -> Offload:
    loop, at = nest.loop, nest.loop.at
    margin, form = nest.margins.of(at.file, at.first), nest.margins.form(at.file)
    first = fortran(loop.first) if loop.first else "1"
    last = fortran(loop.last) if loop.last else "1"
    ahead = _direction(nest) > 0
    before, behind = f"{first} {'-' if ahead else '+'} 1", ">=" if ahead else "<="
    extent = f"{first}:{last}" if ahead else f"{last}:{first}"
    above: list[str] = []
    for each in kept:
        above += statement_lines(f"{each.last} = {before}", margin, form)
    above += entries({each.values: [extent] for each in kept}, margin, form)
    names = sorted(each.values.name for each in kept)
    below = list(directive(("update", clause("self", names)), margin, form))
    for each in kept:
        fetch = f"{each.name} = {each.values.name}({each.last})"
        below += statement_lines(f"if ({each.last} {behind} {first}) {fetch}", margin, form)
    below += exits([each.values for each in kept], margin, form)
    mine = {each.name for each in kept}
    private = sorted({*facts.private, *(each.own for each in kept)} - mine)
    words = list(nest.words((loop,), "parallel loop gang vector", private))
    wins = "max" if ahead else "min"
    words.append(f"reduction({wins}:{', '.join(each.last for each in kept)})")
    serial = [LoopDirective(inner.at, ("loop seq",)) for inner in serial_inside(nest, (loop,))]
    return Offload(
        rule="last_value",
        at=at,
        end=loop.end,
        directives=(LoopDirective(at, tuple(words)), *serial),
        loops=nest.all_loops(),
        private=tuple(sorted({*private, *mine, *facts.firstprivate})),
        replaced=tuple(edits),
        declares=(
            *(each.values.declaration for each in kept),
            *(f"integer :: {each.last}" for each in kept),
            *(f"{each.type} :: {each.own}" for each in kept),
        ),
        above=tuple(above),
        below=tuple(below),
    )
