"""A serial loop around parallel ones: the serial loop moves inside."""

import re
from dataclasses import replace

from acclimate.analysis.dependence.statements import own_expressions
from acclimate.analysis.facts import Verdict
from acclimate.analysis.ir import Do
from acclimate.analysis.source import Edit
from acclimate.porter.loops.nests import Nest, only_loop
from acclimate.porter.loops.openmp_lines import raised
from acclimate.porter.names.traversal import names_in
from acclimate.porter.rule import LoopDirective, Offload, Outcome, rule

_DO = re.compile(r"\s*do\s+\w+\s*=[^;!&\"']*", re.IGNORECASE)
NOT_PARALLEL = frozenset({Verdict.SERIAL, Verdict.UNKNOWN, Verdict.REWRITE, Verdict.ATOMIC})


@rule(order=40)
def rotate_serial_loop(nest: Nest) -> Outcome:
    """Rotate a serial loop inward where the rotated loops are parallel: one kernel, not many.

    The loops must be tightly nested with bounds that do not depend on one another, each DO
    statement on a line of its own. OpenMP directives of the first inner loop move out with it.

    Before:
        subroutine sweep(nx, ny, nz, a)
          integer, intent(in) :: nx, ny, nz
          real, intent(inout) :: a(nx, ny, nz)
          integer :: i, j, k
          do k = 2, nz
            do j = 1, ny
              do i = 1, nx
                a(i, j, k) = a(i, j, k) + 0.5*a(i, j, k - 1)
              end do
            end do
          end do
        end subroutine sweep

    After:
        subroutine sweep(nx, ny, nz, a)
          integer, intent(in) :: nx, ny, nz
          real, intent(inout) :: a(nx, ny, nz)
          integer :: i, j, k
          !$acc parallel loop gang vector collapse(2) default(present) private(i, j, k)
          do j = 1, ny
            do i = 1, nx
              !$acc loop seq
              do k = 2, nz
                a(i, j, k) = a(i, j, k) + 0.5*a(i, j, k - 1)
              end do
            end do
          end do
        end subroutine sweep

    Refused:
        subroutine prefix(nx, nz, a)
          integer, intent(in) :: nx, nz
          real, intent(inout) :: a(nx, nz)
          integer :: i, k
          do k = 2, nz
            do i = 2, nx
              a(i, k) = a(i - 1, k) + a(i, k - 1)
            end do
          end do
        end subroutine prefix
    """
    facts = nest.facts(nest.loop)
    chain = _perfect(nest.loop)
    if facts is None or facts.verdict not in NOT_PARALLEL or len(chain) < 2:
        return None
    moved = raised(nest.scope.unit, chain, nest.margins)
    if moved is None or not _can_rotate(nest, chain):
        return None
    refusal = nest.body_refusal()
    if refusal is not None:
        return refusal
    rotated, judged = nest.rotations.judge(nest.scope.unit, chain)
    turned = replace(nest, loop=rotated[0], judged=judged)
    if turned.refusal() is not None:
        return None
    outer = turned.facts(rotated[0])
    parallel = turned.tight()
    if outer is None or len(parallel) == len(rotated):
        return None
    words = turned.words(parallel, "parallel loop gang vector", sorted(outer.private))
    serial = [LoopDirective(loop.at, ("loop seq",)) for loop in rotated[len(parallel) :]]
    return Offload(
        rule="rotate_serial_loop",
        at=nest.loop.at,
        end=nest.loop.end,
        directives=(LoopDirective(nest.loop.at, words), *serial),
        loops=nest.all_loops(),
        private=tuple(sorted({*outer.private, *outer.firstprivate})),
        replaced=(*_swapped_headers(nest, chain), *moved.removed),
        moved=moved.inserted,
    )


def _perfect(loop: Do) -> tuple[Do, ...]:
    chain = [loop]
    while (inner := only_loop(chain[-1].body)) is not None:
        chain.append(inner)
    return tuple(chain)


def _can_rotate(nest: Nest, chain: tuple[Do, ...]) -> bool:
    indices = {loop.index for loop in chain}
    for loop in chain:
        if any(names_in(bound) & indices for bound in own_expressions(loop)):
            return False
        facts = nest.facts(loop)
        if facts is not None and facts.hints:  # said of the loop that stands there now
            return False
        if loop.name or loop.label or loop.shared_terminal or loop.at.first != loop.at.last:
            return False
        if not _DO.fullmatch(nest.margins.text(loop.at)):
            return False
    return True


def _swapped_headers(nest: Nest, chain: tuple[Do, ...]) -> tuple[Edit, ...]:
    texts = [nest.margins.text(loop.at) for loop in chain]
    edits = []
    for loop, text in zip(chain, [*texts[1:], texts[0]], strict=True):
        own = nest.margins.text(loop.at)
        margin = own[: len(own) - len(own.lstrip())]
        at = loop.at
        edits.append(Edit(at.file, at.first, at.last, (margin + text.strip(),)))
    return tuple(edits)
