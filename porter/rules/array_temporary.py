"""Array statements that read what they overwrite: evaluated into a temporary, then stored."""

from acclimate.analysis.facts import Verdict
from acclimate.analysis.ir import Apply, Assignment, Expr, Forall, Name, Section
from acclimate.analysis.source import Edit
from acclimate.porter.device.device_code import references
from acclimate.porter.loops.array_statement import ArrayStatement, Extent, NotElementwise
from acclimate.porter.loops.generated_nest import index_names, kept_comments, nest_text
from acclimate.porter.loops.nests import skipped, unproved
from acclimate.porter.loops.temporaries import Temporary, entries, exits, temporary
from acclimate.porter.names.constants import integer_value
from acclimate.porter.rewrite import Refusal
from acclimate.porter.rule import Offload, Outcome, rule
from acclimate.porter.text.fortran_text import fortran, statement_lines


@rule(order=55, on=ArrayStatement)
def array_temporary(array: ArrayStatement) -> Outcome:
    """Evaluate the right side into a temporary on the device, then store it: two kernels.

    The standard evaluates all of the right side before it stores anything, which a loop over the
    elements does not.

    Before:
        subroutine shift(n, a)
          integer, intent(in) :: n
          real(8), intent(inout) :: a(n)
          a(2:n) = a(1:n - 1)
        end subroutine shift

    After:
        subroutine shift(n, a)
          integer, intent(in) :: n
          real(8), intent(inout) :: a(n)
          integer :: acc_i1
          real(8), allocatable :: acc_new_a1(:)
          allocate (acc_new_a1(2:n))
          !$acc enter data create(acc_new_a1)
          !$acc parallel loop gang vector default(present) private(acc_i1)
          do acc_i1 = 2, n
            acc_new_a1(acc_i1) = a(acc_i1 - 1)
          end do
          !$acc parallel loop gang vector default(present) private(acc_i1)
          do acc_i1 = 2, n
            a(acc_i1) = acc_new_a1(acc_i1)
          end do
          !$acc exit data delete(acc_new_a1)
          deallocate (acc_new_a1)
        end subroutine shift

    Refused:
        subroutine spread_out(n, a)
          integer, intent(in) :: n
          real, intent(inout) :: a(n)
          a(2:n) = a(1:n - 1)/sum(a)
        end subroutine spread_out
    """
    facts, at = array.facts, array.statement.at
    if facts is None or facts.verdict is not Verdict.REWRITE:
        return None
    if {obstacle.reason for obstacle in facts.obstacles} != {"needs-temporary"}:
        return None
    if facts.is_skipped:
        return skipped(facts)
    if facts.unproved:
        return unproved(facts)
    if len(array.assignments) != 1 or not isinstance(array.statement, Assignment | Forall):
        return Refusal(at, f"{facts.verdict.value}: {facts.reason}", "write one statement for each")
    try:
        refusal = array.refusal(through_temporary=True) or _mask_refusal(array)
        if refusal is not None:
            return refusal
        return _offload(array, array.assignments[0])
    except NotElementwise as error:
        return Refusal(at, f"array statement with {error}", "write it as a loop")
    except ValueError as error:
        return Refusal(at, str(error), "write it as a loop")


def _mask_refusal(array: ArrayStatement) -> Refusal | None:
    """The second loop asks the mask again, after the first elements have been stored."""
    mask = getattr(array.statement, "mask", None)
    target = array.scope.reference(array.assignments[0].target)
    for found in references(array.scope, mask) if mask is not None else ():
        if target is not None and found.root is target.root:
            reason = f"the mask reads '{found.designator}', which the statement stores to"
            return Refusal(array.statement.at, reason, "put the mask in an array of its own")
    return None


def _offload(array: ArrayStatement, assignment: Assignment) -> Offload:
    at = array.statement.at
    margin, form = array.margins.of(at.file, at.first), array.margins.form(at.file)
    extents = array.extents()
    indices = tuple(index_names(len(extents)))
    target = array.scope.reference(assignment.target)
    if target is None:
        raise NotElementwise("a left side that is not known")
    name = f"acc_new_{'_'.join((target.root.name, *target.path))}{len(extents)}"
    temp = temporary(array.scope, target.symbol, name, len(extents))
    place: Expr = Apply(Name(temp.name), tuple(Name(index) for index in indices))
    stored, value = array.element(assignment.target), array.element(assignment.value)

    def store(left: Expr, right: Expr) -> list[str]:
        text = f"{fortran(left)} = {fortran(right)}"
        return nest_text(array, lambda inner: list(statement_lines(text, inner, form)))

    text = [
        *kept_comments(array),
        *entries({temp: [_range(array, extent) for extent in extents]}, margin, form),
        *store(place, value),
        *store(stored, place),
        *exits([temp], margin, form),
    ]
    last = max(getattr(array.statement, "end", at).last, at.last)
    return _made(array, Edit(at.file, at.first, last, tuple(text)), indices, temp)


def _made(array: ArrayStatement, edit: Edit, indices: tuple[str, ...], temp: Temporary) -> Offload:
    at = array.statement.at
    return Offload(
        rule="array_temporary",
        at=at,
        end=at,
        directives=(),
        private=indices,
        replaced=(edit,),
        indices=indices,
        declares=(temp.declaration,),
    )


def _range(array: ArrayStatement, extent: Extent) -> str:
    step = 1 if extent.step is None else integer_value(array.scope, extent.step)
    if not step:
        raise NotElementwise("a section whose direction is not known")
    low, high = (extent.lower, extent.upper) if step > 0 else (extent.upper, extent.lower)
    return fortran(Section(low, high))
