"""A parallel loop around several parallel nests: gangs outside, vectors inside."""

from acclimate.analysis.ir import Assignment, Continue, Do, Name, Statement
from acclimate.porter.loops.nests import Nest, serial_inside
from acclimate.porter.rewrite import Refusal
from acclimate.porter.rule import LoopDirective, Offload, Outcome, rule


@rule(order=20)
def two_level_nest(nest: Nest) -> Outcome:
    """Offload a parallel loop over parallel nests as gangs over vectors.

    The loop may also set scalars for the nests in it. A tight nest, and a loop whose inner loops
    carry dependences, are left to the plain rule.

    Before:
        subroutine drag(nx, ny, nz, u, v, z)
          integer, intent(in) :: nx, ny, nz
          real, intent(inout) :: u(nx, ny, nz), v(nx, ny, nz)
          real, intent(in) :: z(nz)
          real :: rate
          integer :: i, j, k
          do k = 1, nz
            rate = 0.1/z(k)
            do j = 1, ny
              do i = 1, nx
                u(i, j, k) = u(i, j, k)*rate
              end do
            end do
            do j = 1, ny - 1
              do i = 1, nx
                v(i, j, k) = v(i, j, k)*rate
              end do
            end do
          end do
        end subroutine drag

    After:
        subroutine drag(nx, ny, nz, u, v, z)
          integer, intent(in) :: nx, ny, nz
          real, intent(inout) :: u(nx, ny, nz), v(nx, ny, nz)
          real, intent(in) :: z(nz)
          real :: rate
          integer :: i, j, k
          !$acc parallel loop gang default(present) private(k, rate)
          do k = 1, nz
            rate = 0.1/z(k)
            !$acc loop vector collapse(2) private(i, j)
            do j = 1, ny
              do i = 1, nx
                u(i, j, k) = u(i, j, k)*rate
              end do
            end do
            !$acc loop vector collapse(2) private(i, j)
            do j = 1, ny - 1
              do i = 1, nx
                v(i, j, k) = v(i, j, k)*rate
              end do
            end do
          end do
        end subroutine drag

    Refused:
        subroutine accumulate(nx, nz, u, total)
          integer, intent(in) :: nx, nz
          real, intent(in) :: u(nx, nz)
          real, intent(inout) :: total(0:nz)
          integer :: i, k
          do k = 1, nz
            total(k) = total(k - 1)
            do i = 1, nx
              total(k) = max(total(k), u(i, k))
            end do
          end do
        end subroutine accumulate
    """
    refusal = nest.refusal()
    if isinstance(refusal, Refusal):
        return refusal
    facts = nest.facts(nest.loop)
    if facts is None or len(nest.tight()) > 1:
        return None
    inner = _inner_nests(nest)
    if not inner or facts.firstprivate:
        return None
    own = set(facts.private)
    for chain in inner:
        own -= _private(nest, chain)
    if own & {name for chain in inner for name in _private(nest, chain)}:
        return None
    scalars = {s.target.id for s in nest.loop.body if _sets_scalar(s)}  # type: ignore[attr-defined]
    if not scalars <= own:
        return None
    words = nest.words((nest.loop,), "parallel loop gang", sorted(own))
    levels = [
        LoopDirective(c[0].at, nest.words(c, "loop vector", sorted(_private(nest, c))))
        for c in inner
    ]
    serial = [
        LoopDirective(loop.at, ("loop seq",)) for c in inner for loop in serial_inside(nest, c)
    ]
    return Offload(
        rule="two_level_nest",
        at=nest.loop.at,
        end=nest.loop.end,
        directives=(LoopDirective(nest.loop.at, words), *levels, *serial),
        loops=nest.all_loops(),
        private=tuple(sorted(facts.private)),
    )


def _inner_nests(nest: Nest) -> list[tuple[Do, ...]]:
    """The parallel nests directly in the loop; empty when something else does real work there."""
    chains: list[tuple[Do, ...]] = []
    for statement in nest.loop.body:
        if isinstance(statement, Do) and nest.is_parallel(statement):
            chains.append(nest.tight_from(statement))
        elif not (_sets_scalar(statement) or isinstance(statement, Continue)):
            return []
    return chains


def _sets_scalar(statement: Statement) -> bool:
    return isinstance(statement, Assignment) and isinstance(statement.target, Name)


def _private(nest: Nest, chain: tuple[Do, ...]) -> set[str]:
    facts = nest.facts(chain[0])
    return set(facts.private) if facts else set()
