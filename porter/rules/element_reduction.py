"""All iterations combine into one element of an array: reduced into a scalar."""

from collections.abc import Mapping
from dataclasses import replace

from acclimate.analysis.dependence.reductions import Update, update_of
from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.facts import LoopFacts, Verdict
from acclimate.analysis.ir import Apply, Assignment, Binary, Do, Expr, Keyword, Name, Unary
from acclimate.analysis.names.resolution import Intrinsic
from acclimate.analysis.source import Edit
from acclimate.porter.device.device_code import references_in
from acclimate.porter.loops.array_statement import INDEX
from acclimate.porter.loops.nests import Nest, serial_inside
from acclimate.porter.loops.temporaries import free_name, type_text
from acclimate.porter.names.traversal import names_in
from acclimate.porter.rewrite import Refusal
from acclimate.porter.rule import LoopDirective, Offload, Outcome, rule
from acclimate.porter.text.directives_text import clause, directive
from acclimate.porter.text.fortran_text import fortran, statement_lines

_IDENTITY: Mapping[str, str] = {
    "+": "0", "*": "1", ".and.": ".true.", ".or.": ".false.", "ior": "0", "ieor": "0", "iand": "-1",
}  # fmt: skip


@rule(order=34)
def element_reduction(nest: Nest) -> Outcome:
    """Reduce into a scalar, and combine it with the element on the device behind the loop.

    Before:
        subroutine budget(n, q, total)
          integer, intent(in) :: n
          real(8), intent(in) :: q(n)
          real(8), intent(inout) :: total(3)
          integer :: i
          do i = 1, n
            total(2) = total(2) + q(i)
          end do
        end subroutine budget

    After:
        subroutine budget(n, q, total)
          integer, intent(in) :: n
          real(8), intent(in) :: q(n)
          real(8), intent(inout) :: total(3)
          integer :: i
          integer :: acc_i1
          real(8) :: acc_part_total
          acc_part_total = 0
          !$acc parallel loop gang vector default(present) private(i) reduction(+:acc_part_total)
          do i = 1, n
            acc_part_total = acc_part_total + q(i)
          end do
          !$acc parallel loop gang vector default(present) private(acc_i1)
          do acc_i1 = 1, 1
            total(2) = total(2) + acc_part_total
          end do
        end subroutine budget

    Refused:
        subroutine two_places(n, q, total)
          integer, intent(in) :: n
          real(8), intent(in) :: q(n)
          real(8), intent(inout) :: total(3)
          integer :: i
          do i = 1, n
            total(2) = total(2) + q(i)
            total(3) = total(3)*q(i)
          end do
        end subroutine two_places
    """
    facts = nest.facts(nest.loop)
    if facts is None or facts.verdict is not Verdict.ATOMIC or len(facts.atomic) != 1:
        return None
    updates = [
        s
        for s in inside([nest.loop])
        if isinstance(s, Assignment) and _root(nest, s.target) == facts.atomic[0]
    ]
    if not updates or not _is_one_element(nest, updates):
        return None
    found = [_update(nest, statement) for statement in updates]
    operators = {update.operator for update in found if update is not None}
    step = "collect it in a scalar, and store that behind the loop"
    if operators and not operators & set(_IDENTITY):
        return None  # max and min start from the element itself
    if None in found or len(operators) != 1:
        return Refusal(nest.loop.at, f"'{facts.atomic[0]}' is combined in several ways", step)
    if _is_used_otherwise(nest, updates, facts.atomic[0]):
        return Refusal(nest.loop.at, f"'{facts.atomic[0]}' is used otherwise in the loop", step)
    try:
        offload = _offload(nest, facts, updates, operators.pop())
    except ValueError as error:
        return Refusal(nest.loop.at, str(error), step)
    return nest.refusal(frozenset({Verdict.ATOMIC})) or offload


def _root(nest: Nest, target: Expr) -> str:
    found = nest.scope.reference(target)
    return found.designator if found is not None and found.is_array else ""


def _is_one_element(nest: Nest, updates: list[Assignment]) -> bool:
    """All targets are the same, with subscripts that nothing in the loop changes."""
    inner = list(inside([nest.loop]))
    changed = {loop.index for loop in inner if isinstance(loop, Do)}
    changed |= {
        s.target.id for s in inner if isinstance(s, Assignment) and isinstance(s.target, Name)
    }
    first = nest.scope.reference(updates[0].target)
    if first is None or first.has_section or not first.subscripts:
        return False
    for subscript in first.subscripts:
        arrays = [p for p in names_in(subscript) if getattr(nest.scope.symbol(p), "dims", ())]
        if arrays or names_in(subscript) & changed:
            return False
    return all(update.target == updates[0].target for update in updates)


def _update(nest: Nest, statement: Assignment) -> Update | None:
    def is_intrinsic(name: str) -> bool:
        return isinstance(nest.scope.project.resolve(nest.scope.unit, name), Intrinsic)

    return update_of(statement.target, statement.value, is_intrinsic)


def _is_used_otherwise(nest: Nest, updates: list[Assignment], name: str) -> bool:
    for statement in inside([nest.loop]):
        found = [f for f in references_in(nest.scope, statement) if f.designator == name]
        if found and not (statement in updates and len(found) == 2):
            return True
    return False


def _offload(nest: Nest, facts: LoopFacts, updates: list[Assignment], op: str) -> Offload:
    loop, at = nest.loop, nest.loop.at
    margin, form = nest.margins.of(at.file, at.first), nest.margins.form(at.file)
    target = nest.scope.reference(updates[0].target)
    if target is None:
        raise ValueError("the element is not known")
    part = free_name(nest.scope, f"acc_part_{'_'.join((target.root.name, *target.path))}")
    edits = [_collected(nest, update, part) for update in updates]
    plain = replace(facts, atomic=(), verdict=Verdict.REDUCTION)
    words = [
        *nest.words((loop,), "parallel loop gang vector", sorted(plain.private)),
        clause("reduction", [part], op),
    ]
    serial = [
        LoopDirective(inner.at, ("loop seq",))
        for inner in serial_inside(nest, (loop,))
        if (known := nest.facts(inner)) is None or known.verdict is not Verdict.ATOMIC
    ]
    return Offload(
        rule="element_reduction",
        at=at,
        end=loop.end,
        directives=(LoopDirective(at, tuple(words)), *serial),
        loops=nest.all_loops(),
        private=tuple(sorted({*plain.private, *plain.firstprivate})),
        replaced=tuple(edits),
        indices=(f"{INDEX}1",),
        declares=(f"{type_text(nest.scope, target.symbol)} :: {part}",),
        above=statement_lines(f"{part} = {_IDENTITY[op]}", margin, form),
        below=tuple(_combined(nest, updates[0].target, part, op)),
    )


def _collected(nest: Nest, update: Assignment, part: str) -> Edit:
    at = update.at
    beside = [
        other
        for other in inside([nest.loop])
        if other is not update and other.at.first <= at.last and at.first <= other.at.last
    ]
    if beside or update.label is not None:
        raise ValueError(f"another statement or a label stands at {at}")
    margin, form = nest.margins.of(at.file, at.first), nest.margins.form(at.file)
    value = _exchanged(update.value, update.target, Name(part))
    text = [" " * margin + note for note in nest.margins.comments(at.file, at.first, at.last)]
    text += statement_lines(f"{part} = {fortran(value)}", margin, form)
    return Edit(at.file, at.first, at.last, tuple(text))


def _combined(nest: Nest, target: Expr, part: str, op: str) -> list[str]:
    """One iteration on the device: the element never comes to the host."""
    at = nest.loop.at
    margin, form = nest.margins.of(at.file, at.first), nest.margins.form(at.file)
    element, index = fortran(target), f"{INDEX}1"
    value = f"{op}({element}, {part})" if op.isalpha() else f"{element} {op} {part}"
    words = (
        "parallel loop gang vector",
        "default(present)",
        *nest.visits.words(),
        clause("private", [index]),
    )
    return [
        *directive(words, margin, form),
        *statement_lines(f"do {index} = 1, 1", margin, form),
        *statement_lines(f"{element} = {value}", margin + 2, form),
        *statement_lines("end do", margin, form),
    ]


def _exchanged(expr: Expr, old: Expr, new: Expr) -> Expr:
    if expr == old:
        return new
    match expr:
        case Binary(op, left, right):
            return Binary(op, _exchanged(left, old, new), _exchanged(right, old, new))
        case Unary(op, operand):
            return Unary(op, _exchanged(operand, old, new))
        case Apply(base, args):
            return Apply(base, tuple(_exchanged(arg, old, new) for arg in args))
        case Keyword(name, value):
            return Keyword(name, _exchanged(value, old, new))
        case _:
            return expr
