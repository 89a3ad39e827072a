"""MAXVAL, MINVAL, ANY, ALL, COUNT, SUM and PRODUCT of device data, written as loops."""

from dataclasses import dataclass

from acclimate.analysis.ir import Apply, Binary, Expr, Name
from acclimate.analysis.source import Edit
from acclimate.porter.loops.array_reduction import ArrayReduction
from acclimate.porter.loops.array_statement import NotElementwise
from acclimate.porter.loops.generated_nest import index_names, kept_comments, nest_text
from acclimate.porter.rewrite import Refusal
from acclimate.porter.rule import Offload, Outcome, rule
from acclimate.porter.text.directives_text import clause
from acclimate.porter.text.fortran_text import fortran, statement_lines


@dataclass(frozen=True, slots=True)
class _Variable:
    """One that is reduced: its name and type, first value, operator, and what each element does."""

    name: str
    type: str
    start: str
    operator: str
    step: str

    @property
    def clause(self) -> str:
        return clause("reduction", [self.name], self.operator)


_STARTS = {"any": ".false.", "all": ".true.", "count": "0", "sum": "0", "product": "1"}
_OPERATORS = {"any": ".or.", "all": ".and.", "count": "+", "sum": "+", "product": "*"}


@rule(order=52, on=ArrayReduction)
def array_reduction_loops(array: ArrayReduction) -> Outcome:
    """Reduce an array where it lives, and let the host have the one value.

    The order of the terms of SUM and PRODUCT is the processor's choice (Fortran 2018, 16.9.200 and
    16.9.158). MAXVAL of reals is gfortran's for all arrays: of numbers the largest, NaN left out;
    where there is no number, -Inf if that is among them, else NaN; of no elements -HUGE.

    Before:
        subroutine range_of(n, m, a, mask, top, mean, few, bad)
          integer, intent(in) :: n, m
          real(8), intent(in) :: a(0:n, m)
          logical, intent(in) :: mask(n)
          real(8), intent(out) :: top, mean
          integer, intent(out) :: few
          logical, intent(out) :: bad
          top = maxval(abs(a(1:n, :))) ! of the inner points
          mean = sum(a(1:n, 1), mask=mask)/n
          few = count(a > 0.0d0)
          bad = any(a(0, :) < 0.0d0 .or. a(n, :) < 0.0d0)
        end subroutine range_of

    After:
        subroutine range_of(n, m, a, mask, top, mean, few, bad)
          integer, intent(in) :: n, m
          real(8), intent(in) :: a(0:n, m)
          logical, intent(in) :: mask(n)
          real(8), intent(out) :: top, mean
          integer, intent(out) :: few
          logical, intent(out) :: bad
          integer :: acc_i1, acc_i2
          integer :: acc_count_a
          logical :: acc_any_a
          logical :: acc_maxval_a_any
          real(8) :: acc_maxval_a
          real(8) :: acc_maxval_a_each
          real(8) :: acc_maxval_a_inf
          real(8) :: acc_maxval_a_nan
          real(8) :: acc_sum_a
          ! of the inner points
          acc_maxval_a = -huge(acc_maxval_a)
          acc_maxval_a_inf = huge(acc_maxval_a)
          acc_maxval_a_nan = 0
          acc_maxval_a_any = .false.
          !$acc parallel loop gang vector collapse(2) default(present) private(acc_i1, acc_i2, &
          !$acc   acc_maxval_a_each) reduction(max:acc_maxval_a) reduction(min:acc_maxval_a_inf) &
          !$acc   reduction(+:acc_maxval_a_nan) reduction(.or.:acc_maxval_a_any)
          do acc_i2 = 1, ubound(a, 2)
            do acc_i1 = 1, n
              acc_maxval_a_each = abs(a(acc_i1, acc_i2))
              acc_maxval_a = max(acc_maxval_a, acc_maxval_a_each)
              acc_maxval_a_inf = min(acc_maxval_a_inf, acc_maxval_a_each)
              acc_maxval_a_nan = acc_maxval_a_nan + merge(acc_maxval_a_each, real(0, &
                kind(acc_maxval_a_each)), acc_maxval_a_each /= acc_maxval_a_each)
              acc_maxval_a_any = acc_maxval_a_any .or. acc_maxval_a_each >= -huge(acc_maxval_a_each)
            end do
          end do
          top = merge(acc_maxval_a, merge(acc_maxval_a_inf, acc_maxval_a + acc_maxval_a_nan, &
            acc_maxval_a_inf < acc_maxval_a), acc_maxval_a_any)
          acc_sum_a = 0
          !$acc parallel loop gang vector default(present) private(acc_i1) reduction(+:acc_sum_a)
          do acc_i1 = 1, n
            if (mask(acc_i1)) then
              acc_sum_a = acc_sum_a + a(acc_i1, 1)
            end if
          end do
          mean = acc_sum_a/n
          acc_count_a = 0
          !$acc parallel loop gang vector collapse(2) default(present) private(acc_i1, acc_i2) &
          !$acc   reduction(+:acc_count_a)
          do acc_i2 = 1, ubound(a, 2)
            do acc_i1 = 0, ubound(a, 1)
              if (a(acc_i1, acc_i2) > 0.0d0) acc_count_a = acc_count_a + 1
            end do
          end do
          few = acc_count_a
          acc_any_a = .false.
          !$acc parallel loop gang vector default(present) private(acc_i1) reduction(.or.:acc_any_a)
          do acc_i1 = 1, ubound(a, 2)
            acc_any_a = acc_any_a .or. ((a(0, acc_i1) < 0.0d0) .or. (a(n, acc_i1) < 0.0d0))
          end do
          bad = acc_any_a
        end subroutine range_of

    Refused:
        subroutine columns(n, m, a, top, low)
          integer, intent(in) :: n, m
          real(8), intent(in) :: a(n, m)
          real(8), intent(out) :: top(m), low
          top(1) = maxval(a(:, 1))
          low = minval(a) - maxval(a)
        end subroutine columns
    """
    at = array.statement.at
    try:
        return array.refusal() or _offload(array)
    except NotElementwise as error:
        return Refusal(at, f"array reduction with {error}", "write it as a loop")
    except ValueError as error:
        return Refusal(at, str(error), "write it as a loop")


def _offload(array: ArrayReduction) -> Offload:
    at = array.statement.at
    margin, form = array.margins.of(at.file, at.first), array.margins.form(at.file)
    each, variables = _variables(array)
    text = kept_comments(array.nest)
    for variable in variables:
        text += statement_lines(f"{variable.name} = {variable.start}", margin, form)
    text += nest_text(
        array.nest,
        lambda inner: _body(array, each, variables, inner),
        reductions=[variable.clause for variable in variables],
        private=each,
    )
    value = array.rest(_value(array, variables))
    text += statement_lines(f"{fortran(array.statement.target)} = {fortran(value)}", margin, form)
    indices = tuple(index_names(len(array.nest.extents())))
    types = {variable.name: variable.type for variable in variables}
    types |= dict.fromkeys(each, variables[0].type)
    return Offload(
        rule="array_reduction_loops",
        at=at,
        end=at,
        directives=(),
        private=(*indices, *each),
        replaced=(Edit(at.file, at.first, at.last, tuple(text)),),
        indices=indices,
        declares=tuple(f"{type_} :: {name}" for name, type_ in types.items()),
    )


def _variables(array: ArrayReduction) -> tuple[tuple[str, ...], list[_Variable]]:
    """What is reduced, the value of the function first, and the name of each element if needed."""
    name, type_, function = array.variable(), array.result_type(), array.function
    if function not in ("maxval", "minval"):
        step = _step(function, name, array.element())
        return (), [_Variable(name, type_, _STARTS[function], _OPERATORS[function], step)]
    keep, other = ("max", "min") if function == "maxval" else ("min", "max")
    least, most = ("-huge", "huge") if keep == "max" else ("huge", "-huge")
    if type_.startswith("integer"):
        start = f"{least}({name})" + (" - 1" if keep == "max" else "")  # gfortran's least number
        step = f"{name} = {fortran(Apply(Name(keep), (Name(name), array.element())))}"
        return (), [_Variable(name, type_, start, keep, step)]
    each, beyond, nan, some = (array.variable(w) for w in ("each", "inf", "nan", "any"))
    nothing, relation = f"real(0, kind({each}))", ">=" if keep == "max" else "<="
    found = f"{each} {relation} {least}({each})"
    blown = f"{nan} + merge({each}, {nothing}, {each} /= {each})"
    return (each,), [
        _Variable(name, type_, f"{least}({name})", keep, f"{name} = {keep}({name}, {each})"),
        _Variable(beyond, type_, f"{most}({name})", other, f"{beyond} = {other}({beyond}, {each})"),
        _Variable(nan, type_, "0", "+", f"{nan} = {blown}"),
        _Variable(some, "logical", ".false.", ".or.", f"{some} = {some} .or. {found}"),
    ]


def _step(function: str, name: str, element: Expr) -> str:
    if function == "count":
        return f"if ({fortran(element)}) {name} = {name} + 1"
    return f"{name} = {fortran(Binary(_OPERATORS[function], Name(name), element))}"


def _body(
    array: ArrayReduction, each: tuple[str, ...], variables: list[_Variable], margin: int
) -> list[str]:
    form = array.margins.form(array.statement.at.file)
    steps = [f"{name} = {fortran(array.element())}" for name in each]
    steps += [variable.step for variable in variables]
    mask = array.mask()
    depth = margin if mask is None else margin + 2
    lines = [line for step in steps for line in statement_lines(step, depth, form)]
    if mask is None:
        return lines
    return [
        *statement_lines(f"if ({fortran(mask)}) then", margin, form),
        *lines,
        *statement_lines("end if", margin, form),
    ]


def _value(array: ArrayReduction, variables: list[_Variable]) -> Expr:
    """The function's value from what was reduced; none of it raises a floating-point exception."""
    names = [Name(variable.name) for variable in variables]
    if len(names) == 1:
        return names[0]
    value, beyond, nan, some = names
    is_infinite = Binary("<" if array.function == "maxval" else ">", beyond, value)
    without = Apply(Name("merge"), (beyond, Binary("+", value, nan), is_infinite))
    return Apply(Name("merge"), (value, without, some))
