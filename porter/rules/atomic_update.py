"""Several iterations add to one element: atomic updates."""

from collections.abc import Sequence

from acclimate.analysis.dependence.reductions import update_of
from acclimate.analysis.dependence.statements import bodies, inside, parts
from acclimate.analysis.facts import Verdict
from acclimate.analysis.ir import Assignment, Do, If, Name, Statement
from acclimate.analysis.names.resolution import Intrinsic
from acclimate.porter.device.device_code import references
from acclimate.porter.loops.nests import Nest, serial_inside
from acclimate.porter.names.constants import integer_value
from acclimate.porter.rewrite import Refusal
from acclimate.porter.rule import LoopDirective, Offload, Outcome, rule


@rule(order=45)
def atomic_update(nest: Nest) -> Outcome:
    """Offload a loop that scatters into an array, each update marked atomic.

    Before:
        subroutine histogram(n, class, weight, total)
          integer, intent(in) :: n, class(n)
          real, intent(in) :: weight(n)
          real, intent(inout) :: total(:)
          integer :: i
          do i = 1, n
            total(class(i)) = total(class(i)) + weight(i)
          end do
        end subroutine histogram

    After:
        subroutine histogram(n, class, weight, total)
          integer, intent(in) :: n, class(n)
          real, intent(in) :: weight(n)
          real, intent(inout) :: total(:)
          integer :: i
          !$acc parallel loop gang vector default(present) private(i)
          do i = 1, n
            !$acc atomic update
            total(class(i)) = total(class(i)) + weight(i)
          end do
        end subroutine histogram

    Refused:
        subroutine last_one_wins(n, class, weight, seen)
          integer, intent(in) :: n, class(n)
          real, intent(in) :: weight(n)
          real, intent(inout) :: seen(:)
          integer :: i
          do i = 1, n
            seen(class(i)) = weight(i)
          end do
        end subroutine last_one_wins
    """
    facts = nest.facts(nest.loop)
    if facts is None or facts.verdict is not Verdict.ATOMIC:
        return None
    refusal = nest.refusal(frozenset({Verdict.ATOMIC}))
    if refusal is not None:
        return refusal
    updates, hidden = _updates(nest, [nest.loop], set(facts.atomic))
    torn = next((update for update in updates if _reads_beside(nest, update)), None)
    if torn is not None:
        return Refusal(
            torn.at, "an atomic update cannot read other elements of the array that it updates",
            "copy them into a local scalar before",
        )  # fmt: skip
    single = next((update for update in updates if _is_single(nest, update)), None)
    if single is not None:
        return Refusal(
            single.at, "every iteration updates one and the same variable",
            "collect the sum in one statement of the loop, so that it becomes a reduction",
        )  # fmt: skip
    chosen = next((update for update in updates if _is_chosen(nest, update)), None)
    if chosen is not None:
        return Refusal(
            chosen.at, "the loop index alone says which element each iteration updates, so the "
            "program chooses the order of its sums",
            "write it as nested loops: over the elements, and over what each of them collects",
        )  # fmt: skip
    if hidden is not None:
        return Refusal(
            hidden.at, "an update in a one-line IF cannot be made atomic", "write IF ... END IF"
        )
    words = nest.words((nest.loop,), "parallel loop gang vector", sorted(facts.private))
    serial = [d for d in serial_inside(nest, (nest.loop,)) if not _is_atomic(nest, d)]
    return Offload(
        rule="atomic_update",
        at=nest.loop.at,
        end=nest.loop.end,
        directives=(
            LoopDirective(nest.loop.at, words),
            *(LoopDirective(loop.at, ("loop seq",)) for loop in serial),
            *(LoopDirective(update.at, ("atomic update",)) for update in updates),
        ),
        loops=nest.all_loops(),
        private=tuple(sorted({*facts.private, *facts.firstprivate})),
    )


def _reads_beside(nest: Nest, update: Assignment) -> bool:
    """The update reads the array in elements besides the one that it updates."""
    target = nest.scope.reference(update.target)
    return any(
        part != update.target and (found := nest.scope.reference(part)) and found == target
        for part in parts(update.value)
        if not isinstance(part, Name)
    )


def _is_single(nest: Nest, update: Assignment) -> bool:
    """The target is a scalar or a constant element: atomic updates would only queue up."""
    target = nest.scope.reference(update.target)
    return target is not None and all(
        integer_value(nest.scope, subscript) is not None for subscript in target.subscripts or ()
    )


def _is_update(nest: Nest, statement: Assignment) -> bool:
    project, unit = nest.scope.project, nest.scope.unit
    return update_of(
        statement.target,
        statement.value,
        lambda name: isinstance(project.resolve(unit, name), Intrinsic),
    ) is not None  # fmt: skip


def _is_chosen(nest: Nest, update: Assignment) -> bool:
    """The subscripts are computed from loop indices and invariants: no table, no work variable."""
    target = nest.scope.reference(update.target)
    inner = list(inside([nest.loop]))
    varying = {
        s.target.id for s in inner if isinstance(s, Assignment) and isinstance(s.target, Name)
    }
    subscripts = target.subscripts or () if target is not None else ()
    parts = [found for s in subscripts for found in references(nest.scope, s)]
    indices = {loop.index for loop in inner if isinstance(loop, Do)}
    return any(f.root.name in indices for f in parts) and not any(
        f.is_array or f.root.name in varying for f in parts
    )


def _is_atomic(nest: Nest, loop: Do) -> bool:
    facts = nest.facts(loop)
    return facts is not None and facts.verdict is Verdict.ATOMIC


def _updates(
    nest: Nest, body: Sequence[Statement], names: set[str]
) -> tuple[list[Assignment], Statement | None]:
    """Updates of the named variables, and the first that no directive can stand above.

    Plain stores into them clash with nothing, or the loop would have another verdict.
    """
    found: list[Assignment] = []
    hidden: Statement | None = None
    for statement in body:
        if isinstance(statement, Assignment) and _is_update(nest, statement):
            target = nest.scope.reference(statement.target)
            if target is not None and {target.designator, target.root.name} & names:
                found.append(statement)
        for block in bodies(statement):
            inner, below = _updates(nest, block, names)
            found += inner
            if isinstance(statement, If) and not statement.is_construct and inner:
                hidden = hidden or statement
            hidden = hidden or below
    return found, hidden
