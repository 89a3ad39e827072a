"""A maximum or minimum together with where it is: found in two passes."""

from dataclasses import dataclass

from acclimate.analysis.dependence.reductions import Extremum, extremum_of
from acclimate.analysis.dependence.statements import own_expressions, parts
from acclimate.analysis.facts import LoopFacts, Verdict
from acclimate.analysis.ir import Assignment, Binary, Do, Expr, If, Name, Statement
from acclimate.analysis.source import Edit
from acclimate.porter.device.device_code import references
from acclimate.porter.loops.nests import Nest, only_loop, unproved
from acclimate.porter.loops.temporaries import free_name, type_text
from acclimate.porter.names.constants import integer_value
from acclimate.porter.names.traversal import names_in
from acclimate.porter.rewrite import Refusal
from acclimate.porter.rule import LoopDirective, Offload, Outcome, rule
from acclimate.porter.text.directives_text import clause, directive
from acclimate.porter.text.fortran_text import fortran, statement_lines

_REASON = "extremum-location"


@dataclass(frozen=True, slots=True)
class _Search:
    """The nest, what comes before the comparison in each iteration, and the comparison."""

    chain: tuple[Do, ...]
    prelude: tuple[Assignment, ...]
    test: If
    found: Extremum
    extremum: Name
    first_wins: bool
    old: str  # name of the extremum from before the loop
    at: str  # name of the number of the iteration that the second pass finds


@rule(order=22)
def extremum_location(nest: Nest) -> Outcome:
    """Reduce the extremum first, then the first (or last) iteration that has it.

    `>` keeps the first of equal values, `>=` the last one; the second pass reduces the number of
    the iteration with min or max to the same end.

    Before:
        subroutine peak(n, a, top, place)
          integer, intent(in) :: n
          real(8), intent(in) :: a(n)
          real(8), intent(out) :: top
          integer, intent(out) :: place
          integer :: i
          top = -huge(top)
          place = 0
          do i = 1, n
            if (a(i) > top) then
              top = a(i)
              place = i
            end if
          end do
        end subroutine peak

    After:
        subroutine peak(n, a, top, place)
          integer, intent(in) :: n
          real(8), intent(in) :: a(n)
          real(8), intent(out) :: top
          integer, intent(out) :: place
          integer :: i
          integer(8) :: acc_at_top
          real(8) :: acc_old_top
          top = -huge(top)
          place = 0
          acc_old_top = top
          !$acc parallel loop gang vector default(present) private(i) reduction(max:top)
          do i = 1, n
            if (a(i) > top) then
              top = a(i)
            end if
          end do
          acc_at_top = huge(acc_at_top)
          !$acc parallel loop gang vector default(present) private(i) reduction(min:acc_at_top)
          do i = 1, n
            if (a(i) == top) acc_at_top = min(acc_at_top, int(i - 1, 8))
          end do
          if (top > acc_old_top .and. acc_at_top < huge(acc_at_top)) then
            i = 1 + int(acc_at_top)
            place = i
          end if
        end subroutine peak

    Refused:
        subroutine fused(n, a, b, top, place)
          integer, intent(in) :: n
          real(8), intent(in) :: a(n), b(n)
          real(8), intent(out) :: top
          integer, intent(out) :: place
          integer :: i
          top = 0.0d0
          place = 0
          do i = 1, n
            if (a(i) + b(i)*b(i) > top) then
              top = a(i) + b(i)*b(i)
              place = i
            end if
          end do
        end subroutine fused
    """
    facts = nest.facts(nest.loop)
    if facts is None or facts.verdict is not Verdict.REWRITE:
        return None
    if {o.reason for o in facts.obstacles if o.verdict is Verdict.REWRITE} != {_REASON}:
        return None
    if facts.unproved:
        return unproved(facts)
    step = "find the extremum in one loop and its place in another"
    try:
        return nest.body_refusal() or _offload(nest, facts, _search(nest, facts))
    except ValueError as error:
        return Refusal(nest.loop.at, f"{facts.reason}; {error}", step)


def _search(nest: Nest, facts: LoopFacts) -> _Search:
    """Raises: ValueError, where the loop does more than look for an extremum."""
    chain = [nest.loop]
    while (inner := only_loop(chain[-1].body)) is not None:
        chain.append(inner)
    *before, test = chain[-1].body
    prelude = tuple(s for s in before if isinstance(s, Assignment) and isinstance(s.target, Name))
    found = extremum_of(test) if isinstance(test, If) else None
    if found is None or not isinstance(test, If) or len(prelude) < len(before):
        raise ValueError("other work stands beside the comparison")
    if facts.reduction and {r.var for r in facts.reduction} - names_in(found.target):
        raise ValueError("other reductions stand beside the comparison")
    if not isinstance(found.target, Name):
        raise ValueError("the extremum is no plain scalar")
    _check_bounds(nest, chain)
    _check_values(nest, chain, prelude, found)
    condition = test.branches[0].condition
    strict = isinstance(condition, Binary) and condition.op in ("<", ">")
    name = found.target.id
    old, at = (free_name(nest.scope, f"acc_{word}_{name}") for word in ("old", "at"))
    return _Search(tuple(chain), prelude, test, found, found.target, strict, old, at)


def _check_bounds(nest: Nest, chain: list[Do]) -> None:
    indices = {loop.index for loop in chain}
    for loop in chain:
        if any(names_in(bound) & indices for bound in own_expressions(loop)):
            raise ValueError("the bounds of the loops depend on one another")
        if loop.step is not None and not integer_value(nest.scope, loop.step):
            raise ValueError("the step of a loop is not constant")


def _check_values(
    nest: Nest, chain: list[Do], prelude: tuple[Assignment, ...], found: Extremum
) -> None:
    """Both passes must compute the same value; the place must be known from the indices."""
    computed = {s.target.id for s in prelude if isinstance(s.target, Name)}
    if any(_may_contract(expr) for expr in (found.value, *(s.value for s in prelude))):
        raise ValueError("the two passes might round its value differently")
    for assignment in found.location:
        if not isinstance(assignment.target, Name):
            raise ValueError("the place is kept in something else than a scalar")
        for used in references(nest.scope, assignment.value):
            if used.is_array or used.root.name in computed:
                raise ValueError(f"'{used.designator}' is kept with the extremum")


def _may_contract(expr: Expr) -> bool:
    """A product under a sum may become one rounding or two."""
    sums = [p for p in parts(expr) if isinstance(p, Binary) and p.op in ("+", "-")]
    return any(isinstance(p, Binary) and p.op in ("*", "**") for s in sums for p in parts(s))


def _offload(nest: Nest, facts: LoopFacts, search: _Search) -> Offload:
    at = nest.loop.at
    margin, form = nest.margins.of(at.file, at.first), nest.margins.form(at.file)
    target, old, place = search.extremum.id, search.old, search.at
    symbol = nest.scope.symbol(target)
    if symbol is None:
        raise ValueError(f"'{target}' is no variable")
    below: list[str] = []

    def line(statement: str, depth: int = 0) -> None:
        below.extend(statement_lines(statement, margin + 2 * depth, form))

    keep, limit = ("min", f"huge({place})") if search.first_wins else ("max", "-1")
    line(f"{place} = {limit}")
    below.extend(_second_pass(nest, facts, search, keep))
    found, better = ("<", ">") if search.first_wins else (">", ">=")
    if search.found.operator == "min":
        better = better.replace(">", "<")
    line(f"if ({target} {better} {old} .and. {place} {found} {limit}) then")
    for statement in _decoded(nest, search):
        line(statement, 1)
    for assignment in search.found.location:
        line(_assignment(assignment), 1)
    line("end if")
    words = [
        *nest.words(search.chain, "parallel loop gang vector", _private(facts, search)),
        clause("reduction", [target], search.found.operator),
    ]
    return Offload(
        rule="extremum_location",
        at=at,
        end=nest.loop.end,
        directives=(LoopDirective(at, tuple(words)),),
        loops=nest.all_loops(),
        private=tuple(sorted({*facts.private, *facts.firstprivate})),
        replaced=tuple(_without_places(nest, search)),
        declares=(f"{type_text(nest.scope, symbol)} :: {old}", f"integer(8) :: {place}"),
        above=statement_lines(f"{old} = {target}", margin, form),
        below=tuple(below),
    )


def _private(facts: LoopFacts, search: _Search) -> list[str]:
    places = {name for s in search.found.location for name in names_in(s.target)}
    return sorted(set(facts.private) - places - {search.extremum.id})


def _without_places(nest: Nest, search: _Search) -> list[Edit]:
    """The lines of the comparison without the statements that keep the place."""
    body = search.test.branches[0].body
    by_line: dict[int, list[Statement]] = {}
    for statement in body:
        if statement.label is not None:
            raise ValueError(f"a label stands at {statement.at}")
        by_line.setdefault(statement.at.first, []).append(statement)
    edits = []
    for statements in by_line.values():
        at = statements[0].at
        last = max(statement.at.last for statement in statements)
        if search.test.at.first <= last and search.test.at.last >= at.first:
            raise ValueError(f"the comparison shares its line ({at})")
        if last >= search.test.end.first:
            raise ValueError(f"the comparison shares its line ({search.test.end})")
        kept = [s for s in statements if s not in search.found.location]
        if len(kept) == len(statements):
            continue
        margin, form = nest.margins.of(at.file, at.first), nest.margins.form(at.file)
        text = [" " * margin + note for note in nest.margins.comments(at.file, at.first, last)]
        for statement in kept:
            text += statement_lines(_assignment(statement), margin, form)
        edits.append(Edit(at.file, at.first, last, tuple(text)))
    return edits


def _second_pass(nest: Nest, facts: LoopFacts, search: _Search, keep: str) -> list[str]:
    """A loop nest that finds the iteration which has the extremum."""
    at, place = nest.loop.at, search.at
    margin, form = nest.margins.of(at.file, at.first), nest.margins.form(at.file)
    words = (
        *nest.words(search.chain, "parallel loop gang vector", _private(facts, search)),
        clause("reduction", [place], keep),
    )
    lines = list(directive(words, margin, form))
    for depth, loop in enumerate(search.chain):
        head = f"do {loop.index} = {_text(loop.first)}, {_text(loop.last)}"
        head += f", {fortran(loop.step)}" if loop.step is not None else ""
        lines += statement_lines(head, margin + 2 * depth, form)
    inner = margin + 2 * len(search.chain)
    for statement in search.prelude:
        lines += statement_lines(_assignment(statement), inner, form)
    number = f"int({_number(search.chain)}, 8)"
    test = f"if ({fortran(search.found.value)} == {search.extremum.id})"
    lines += statement_lines(f"{test} {place} = {keep}({place}, {number})", inner, form)
    for depth in reversed(range(len(search.chain))):
        lines += statement_lines("end do", margin + 2 * depth, form)
    return lines


def _assignment(statement: Statement) -> str:
    if not isinstance(statement, Assignment):
        raise TypeError(statement)
    return f"{fortran(statement.target)} = {fortran(statement.value)}"


def _number(chain: tuple[Do, ...]) -> str:
    """The number of an iteration in the order in which they run, from 0."""
    text = _steps(chain[0])
    for loop in chain[1:]:
        text = f"({text})*{_trips(loop)} + {_steps(loop)}"
    return text


def _decoded(nest: Nest, search: _Search) -> list[str]:
    """The indices from the number of their iteration, the innermost first."""
    statements = []
    rest = search.at
    for loop in reversed(search.chain):
        outermost = loop is search.chain[0]
        number = rest if outermost else f"mod({rest}, int({_trips(loop)}, 8))"
        by = "" if loop.step is None else f"*{_text(loop.step)}"
        statements.append(f"{loop.index} = {_text(loop.first)} + int({number}){by}")
        rest = f"({rest}/{_trips(loop)})"
    return statements


def _steps(loop: Do) -> str:
    steps = f"{loop.index} - {_text(loop.first)}"
    return steps if loop.step is None else f"({steps})/{_text(loop.step)}"


def _trips(loop: Do) -> str:
    by = _text(loop.step)
    return f"(({_text(loop.last)} - {_text(loop.first)} + {by})/{by})"


def _text(expr: Expr | None) -> str:
    text = fortran(expr) if expr is not None else "1"
    return text if text.isidentifier() or text.isdigit() else f"({text})"
