"""The plain case: a loop nest whose iterations are independent."""

from acclimate.porter.loops.nests import Nest, serial_inside
from acclimate.porter.rewrite import Refusal
from acclimate.porter.rule import LoopDirective, Offload, Outcome, rule


@rule(order=30)
def offload_parallel_nest(nest: Nest) -> Outcome:
    """Offload the outermost parallel loop together with the loops tightly nested in it.

    Loops inside that are not collapsed run in each thread; those that carry a dependence are
    marked `loop seq`.

    Before:
        subroutine heat(nx, nz, t, dtdt, flux, dt)
          integer, intent(in) :: nx, nz
          real, intent(inout) :: t(nx, nz), flux(nx, nz)
          real, intent(in) :: dtdt(nx, nz), dt
          integer :: i, k
          do k = 1, nz
            do i = 1, nx
              t(i, k) = t(i, k) + dt*dtdt(i, k)
            end do
          end do
          do i = 1, nx
            do k = 2, nz
              flux(i, k) = flux(i, k - 1) + t(i, k)
            end do
          end do
        end subroutine heat

    After:
        subroutine heat(nx, nz, t, dtdt, flux, dt)
          integer, intent(in) :: nx, nz
          real, intent(inout) :: t(nx, nz), flux(nx, nz)
          real, intent(in) :: dtdt(nx, nz), dt
          integer :: i, k
          !$acc parallel loop gang vector collapse(2) default(present) private(i, k)
          do k = 1, nz
            do i = 1, nx
              t(i, k) = t(i, k) + dt*dtdt(i, k)
            end do
          end do
          !$acc parallel loop gang vector default(present) private(i, k)
          do i = 1, nx
            !$acc loop seq
            do k = 2, nz
              flux(i, k) = flux(i, k - 1) + t(i, k)
            end do
          end do
        end subroutine heat

    Refused:
        subroutine running_sum(n, a)
          integer, intent(in) :: n
          real, intent(inout) :: a(n)
          integer :: i
          do i = 2, n
            a(i) = a(i) + a(i - 1)
          end do
        end subroutine running_sum
    """
    refusal = nest.refusal()
    if isinstance(refusal, Refusal):
        return refusal
    facts = nest.facts(nest.loop)
    if facts is None:
        return None
    chain = nest.tight()
    words = nest.words(chain, "parallel loop gang vector", sorted(facts.private))
    serial = [LoopDirective(loop.at, ("loop seq",)) for loop in serial_inside(nest, chain)]
    return Offload(
        rule="offload_parallel_nest",
        at=nest.loop.at,
        end=nest.loop.end,
        directives=(LoopDirective(nest.loop.at, words), *serial),
        loops=nest.all_loops(),
        private=tuple(sorted({*facts.private, *facts.firstprivate})),
    )
