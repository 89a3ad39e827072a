"""Array assignments, WHERE and FORALL on device data, written as loops."""

from acclimate.analysis.facts import Verdict
from acclimate.analysis.ir import Assignment, Where
from acclimate.analysis.source import Edit
from acclimate.porter.loops.array_statement import ArrayStatement, NotElementwise
from acclimate.porter.loops.generated_nest import index_names, kept_comments, nest_text
from acclimate.porter.loops.nests import skipped, unproved
from acclimate.porter.rewrite import Refusal
from acclimate.porter.rule import Offload, Outcome, rule
from acclimate.porter.text.fortran_text import fortran, statement_lines


@rule(order=50, on=ArrayStatement)
def array_statement_loops(array: ArrayStatement) -> Outcome:
    """Write an elementwise array statement as a loop nest and offload it.

    A statement that reads an array in other elements than those it writes would need a
    temporary; an unsubscripted allocatable on the left may be allocated anew.

    Before:
        subroutine decay(n, m, a, b, mask, place)
          integer, intent(in) :: n, m, place(n)
          real, intent(inout) :: a(0:n, m), b(n)
          logical, intent(in) :: mask(n)
          a(0:n - 1, :) = 0.5*a(0:n - 1, :)
          where (mask) b = b + a(1:n, 1) ! top level
          b(1:n:2) = a(place(1:n:2), 2)
          forall (i = 1:n, k = 1:m, a(i, k) < 0.0) a(i, k) = b(i)*k
        end subroutine decay

    After:
        subroutine decay(n, m, a, b, mask, place)
          integer, intent(in) :: n, m, place(n)
          real, intent(inout) :: a(0:n, m), b(n)
          logical, intent(in) :: mask(n)
          integer :: acc_i1, acc_i2
          !$acc parallel loop gang vector collapse(2) default(present) private(acc_i1, acc_i2)
          do acc_i2 = 1, ubound(a, 2)
            do acc_i1 = 0, n - 1
              a(acc_i1, acc_i2) = 0.5*a(acc_i1, acc_i2)
            end do
          end do
          ! top level
          !$acc parallel loop gang vector default(present) private(acc_i1)
          do acc_i1 = 1, ubound(b, 1)
            if (mask(acc_i1)) then
              b(acc_i1) = b(acc_i1) + a(acc_i1, 1)
            end if
          end do
          !$acc parallel loop gang vector default(present) private(acc_i1)
          do acc_i1 = 1, n, 2
            b(acc_i1) = a(place(acc_i1), 2)
          end do
          !$acc parallel loop gang vector collapse(2) default(present) private(acc_i1, acc_i2)
          do acc_i2 = 1, m
            do acc_i1 = 1, n
              if (a(acc_i1, acc_i2) < 0.0) then
                a(acc_i1, acc_i2) = b(acc_i1)*acc_i2
              end if
            end do
          end do
        end subroutine decay

    Refused:
        subroutine shift(n, a)
          integer, intent(in) :: n
          real, intent(inout) :: a(n)
          a(2:n) = a(1:n - 1)
        end subroutine shift
    """
    at = array.statement.at
    if array.facts is not None and array.facts.verdict is not Verdict.PARALLEL:
        return Refusal(at, f"{array.facts.verdict.value}: {array.facts.reason}", "write a loop")
    if array.facts is not None and array.facts.is_skipped:
        return skipped(array.facts)
    if array.facts is not None and array.facts.unproved:
        return unproved(array.facts)
    try:
        refusal = array.refusal()
        if isinstance(refusal, Refusal):
            return refusal
        form = array.margins.form(at.file)
        text = kept_comments(array) + nest_text(array, lambda margin: _body(array, margin, form))
        indices = tuple(index_names(len(array.extents())))
    except NotElementwise as error:
        return Refusal(at, f"array statement with {error}", "write it as a loop")
    except ValueError as error:
        return Refusal(at, str(error), "write it as a loop")
    last = getattr(array.statement, "end", at).last
    return Offload(
        rule="array_statement_loops",
        at=at,
        end=at,
        directives=(),
        private=indices,
        replaced=(Edit(at.file, at.first, max(last, at.last), tuple(text)),),
        indices=indices,
    )


def _body(array: ArrayStatement, margin: int, form: str) -> list[str]:
    if not isinstance(array.statement, Where):
        return [
            line
            for assignment in array.assignments
            for line in _assignment(array, assignment, margin, form)
        ]
    lines: list[str] = []
    for number, branch in enumerate(array.statement.branches):
        word = "else if" if number else "if"
        head = "else"
        if branch.condition is not None:
            head = f"{word} ({fortran(array.element(branch.condition))}) then"
        lines += statement_lines(head, margin, form)
        for statement in branch.body:
            if isinstance(statement, Assignment):
                lines += _assignment(array, statement, margin + 2, form)
    return [*lines, *statement_lines("end if", margin, form)]


def _assignment(array: ArrayStatement, assignment: Assignment, margin: int, form: str) -> list[str]:
    target, value = array.element(assignment.target), array.element(assignment.value)
    return list(statement_lines(f"{fortran(target)} = {fortran(value)}", margin, form))
