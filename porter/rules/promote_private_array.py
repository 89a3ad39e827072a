"""Work arrays that each iteration needs for itself, but that no thread can hold."""

from dataclasses import replace

from acclimate.analysis.facts import LoopFacts
from acclimate.analysis.ir import Symbol
from acclimate.analysis.source import Edit
from acclimate.porter.device.device_code import calls_in, has_constant_shape
from acclimate.porter.loops.nests import Nest, may_run_in_any_order, serial_inside
from acclimate.porter.loops.temporaries import Temporary, entries, exits, temporary
from acclimate.porter.names.constants import integer_value
from acclimate.porter.names.traversal import names_in
from acclimate.porter.rewrite import Refusal
from acclimate.porter.rule import LoopDirective, Offload, Outcome, rule
from acclimate.porter.text.directives_text import clause, directive
from acclimate.porter.text.fortran_text import fortran, statement_lines
from acclimate.porter.text.renaming import Spelling, renamed


@rule(order=26)
def promote_private_array(nest: Nest) -> Outcome:
    """Give a work array of run-time size a dimension over the iterations.

    The new dimension comes first, so that neighbouring threads use neighbouring elements.

    Before:
        subroutine column(ni, nk, q, s)
          integer, intent(in) :: ni, nk
          real(8), intent(in) :: q(ni, nk)
          real(8), intent(out) :: s(ni)
          real(8) :: w(nk)
          integer :: i, k
          do i = 1, ni
            do k = 1, nk
              w(k) = q(i, k)**2
            end do
            s(i) = sum(w)
          end do
        end subroutine column

    After:
        subroutine column(ni, nk, q, s)
          integer, intent(in) :: ni, nk
          real(8), intent(in) :: q(ni, nk)
          real(8), intent(out) :: s(ni)
          real(8) :: w(nk)
          integer :: i, k
          real(8), allocatable :: acc_each_w(:, :)
          allocate (acc_each_w(1:ni, lbound(w, 1):ubound(w, 1)))
          !$acc enter data create(acc_each_w)
          !$acc parallel loop gang vector default(present) private(i, k)
          do i = 1, ni
            do k = 1, nk
              acc_each_w(i, k) = q(i, k)**2
            end do
            s(i) = sum(acc_each_w(i, :))
          end do
          !$acc exit data delete(acc_each_w)
          deallocate (acc_each_w)
        end subroutine column

    Refused:
        subroutine handed_on(ni, nk, q, s)
          integer, intent(in) :: ni, nk
          real(8), intent(in) :: q(ni, nk)
          real(8), intent(out) :: s(ni)
          real(8) :: w(nk)
          integer :: i, k
          do i = 1, ni
            do k = 1, nk
              w(k) = q(i, k)
            end do
            s(i) = total(nk, w)
          end do
        contains
          pure real(8) function total(n, x)
            integer, intent(in) :: n
            real(8), intent(in) :: x(n)
            total = sum(x)
          end function total
        end subroutine handed_on
    """
    facts = nest.facts(nest.loop)
    if not may_run_in_any_order(facts):
        return None
    arrays = _arrays(nest, facts)
    if all(_fits_a_thread(nest, symbol) for symbol in arrays):
        return None
    step = "give the array a constant size or a dimension over the loop"
    try:
        _extent(nest)
        temps = {symbol.name: _temporary(nest, symbol) for symbol in arrays}
        edits = _renamed(nest, temps)
    except ValueError as error:
        names = ", ".join(f"'{symbol.name}'" for symbol in arrays)
        reason = (
            f"each iteration needs its own copy of {names}, whose size is known at run time only"
        )
        return Refusal(nest.loop.at, f"{reason}; {error}", step)
    plain = replace(
        facts,
        private=tuple(name for name in facts.private if name not in temps),
        firstprivate=tuple(name for name in facts.firstprivate if name not in temps),
    )
    key = (nest.loop.at.file, nest.loop.at.first, nest.loop.index or "")
    without = replace(nest, judged={**nest.judged, key: plain})
    refusal = without.refusal()
    if refusal is not None:
        return refusal
    return _offload(without, plain, facts, temps, edits)


def _arrays(nest: Nest, facts: LoopFacts) -> list[Symbol]:
    symbols = [nest.scope.symbol(name) for name in (*facts.private, *facts.firstprivate)]
    return [symbol for symbol in symbols if symbol is not None and symbol.is_array]


def _fits_a_thread(nest: Nest, symbol: Symbol) -> bool:
    local = symbol.owner is nest.scope.unit and symbol.name not in nest.scope.unit.args
    return local and has_constant_shape(nest.scope, symbol)


def _extent(nest: Nest) -> tuple[str, str]:
    loop = nest.loop
    if loop.first is None or loop.last is None:
        raise ValueError("the loop has no bounds")
    step = 1 if loop.step is None else integer_value(nest.scope, loop.step)
    if not step:
        raise ValueError("the step of the loop is not constant")
    first, last = fortran(loop.first), fortran(loop.last)
    return (first, last) if step > 0 else (last, first)


def _temporary(nest: Nest, symbol: Symbol) -> Temporary:
    for statement, call in calls_in(nest.scope, [nest.loop]):
        if any(symbol.name in names_in(arg) for arg in call.args):
            raise ValueError(f"'{symbol.name}' is handed to '{call.name}' ({statement.at})")
    rank = len(symbol.dims) + 1
    return temporary(nest.scope, symbol, f"acc_each_{symbol.name}", rank)


def _renamed(nest: Nest, temps: dict[str, Temporary]) -> list[Edit]:
    """Lines of the nest that name one of the arrays, with the loop index as first subscript."""
    at, index = nest.loop.at, nest.loop.index or ""
    edits = []
    for number in range(at.first, nest.loop.end.last + 1):
        line = nest.margins.lines(at.file)[number - 1].rstrip(b"\r").decode("latin-1")
        text = line
        for name, temp in temps.items():
            text = renamed(text, nest.margins.form(at.file), name, _spelling(temp, index))
        if text != line:
            edits.append(Edit(at.file, number, number, (text,)))
    return edits


def _spelling(temp: Temporary, index: str) -> Spelling:
    whole = f"{temp.name}({index}{', :' * (temp.rank - 1)})"
    return lambda subscripts: f"{temp.name}({index}, " if subscripts else whole


def _offload(
    nest: Nest, plain: LoopFacts, facts: LoopFacts, temps: dict[str, Temporary], edits: list[Edit]
) -> Offload:
    loop, at = nest.loop, nest.loop.at
    margin, form = nest.margins.of(at.file, at.first), nest.margins.form(at.file)
    above: list[str] = []
    below: list[str] = []
    extents = {
        temp: [
            ":".join(_extent(nest)),
            *(f"lbound({name}, {n}):ubound({name}, {n})" for n in range(1, temp.rank)),
        ]
        for name, temp in temps.items()
    }
    above += entries(extents, margin, form)
    below += exits(temps.values(), margin, form)
    for name in temps:
        if name in facts.firstprivate:
            above += _filled(nest, name, temps[name], margin, form)
    words = nest.words((loop,), "parallel loop gang vector", sorted(plain.private))
    serial = [LoopDirective(inner.at, ("loop seq",)) for inner in serial_inside(nest, (loop,))]
    scratch = {name for name in temps if name in facts.private}
    return Offload(
        rule="promote_private_array",
        at=at,
        end=loop.end,
        directives=(LoopDirective(at, words), *serial),
        loops=nest.all_loops(),
        private=tuple(sorted({*plain.private, *plain.firstprivate, *scratch})),
        replaced=tuple(edits),
        declares=tuple(temp.declaration for temp in temps.values()),
        above=tuple(above),
        below=tuple(below),
    )


def _filled(nest: Nest, name: str, temp: Temporary, margin: int, form: str) -> list[str]:
    """A kernel that gives every iteration the values from before the loop."""
    index = nest.loop.index or ""
    first, last = _extent(nest)
    words = (
        "parallel loop gang vector",
        "default(present)",
        *nest.visits.words(),
        clause("private", [index]),
    )
    return [
        *directive(words, margin, form),
        *statement_lines(f"do {index} = {first}, {last}", margin, form),
        *statement_lines(f"{_spelling(temp, index)(False)} = {name}", margin + 2, form),
        *statement_lines("end do", margin, form),
    ]
