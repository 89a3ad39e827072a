"""A recurrence that one thread runs between loops that many run: a kernel of one thread."""

from acclimate.analysis.directives import parse
from acclimate.analysis.facts import LoopFacts, Verdict
from acclimate.porter.loops.nests import Nest
from acclimate.porter.rewrite import Refusal
from acclimate.porter.rule import LoopDirective, Offload, Outcome, rule

_BY_ONE = frozenset({"single", "master"})
_EXACT = frozenset({"min", "max"})  # the order in which a result comes together does not matter


@rule(order=60)
def serial_kernel(nest: Nest) -> Outcome:
    """Run a loop that OpenMP gives to one thread on the device, in its order.

    The author has it between loops that are shared out: run on the host, it would move its data
    twice. It must be a single loop, and what it sets besides arrays a minimum or maximum.

    Before:
        subroutine hydrostatic(n, t, p, lowest)
          integer, intent(in) :: n
          real, intent(in) :: t(n)
          real, intent(inout) :: p(n), lowest
          integer :: k
          !$omp parallel default(shared)
          !$omp single private(k)
          do k = 2, n
            p(k) = p(k - 1) - 0.1/t(k)
            lowest = min(lowest, p(k))
          end do
          !$omp end single
          !$omp end parallel
        end subroutine hydrostatic

    After:
        subroutine hydrostatic(n, t, p, lowest)
          integer, intent(in) :: n
          real, intent(in) :: t(n)
          real, intent(inout) :: p(n), lowest
          integer :: k
          !$omp parallel default(shared)
          !$omp single private(k)
          !$acc serial loop default(present) private(k) reduction(min:lowest)
          do k = 2, n
            p(k) = p(k - 1) - 0.1/t(k)
            lowest = min(lowest, p(k))
          end do
          !$omp end single
          !$omp end parallel
        end subroutine hydrostatic

    Refused:
        subroutine running_sum(n, t, p, total)
          integer, intent(in) :: n
          real, intent(in) :: t(n)
          real, intent(inout) :: p(n), total
          integer :: k
          !$omp parallel default(shared)
          !$omp single private(k)
          do k = 2, n
            p(k) = p(k - 1) - 0.1/t(k)
            total = total + p(k)
          end do
          !$omp end single
          !$omp end parallel
        end subroutine running_sum
    """
    facts = nest.facts(nest.loop)
    if facts is None or facts.verdict is not Verdict.SERIAL or len(nest.all_loops()) > 1:
        return None
    if not any(d.sentinel == "omp" and parse(d).name in _BY_ONE for d in nest.loop.directives):
        return None
    if not _is_plain_recurrence(facts):
        return Refusal(
            nest.loop.at,
            f"one thread runs this loop, but {facts.reason}",
            "keep what it sets in arrays, or as a minimum or maximum",
        )
    refusal = nest.body_refusal()
    if refusal is not None:
        return refusal
    words = nest.words((nest.loop,), "serial loop", sorted(facts.private))
    return Offload(
        rule="serial_kernel",
        at=nest.loop.at,
        end=nest.loop.end,
        directives=(LoopDirective(nest.loop.at, words),),
        loops=nest.all_loops(),
        private=facts.private,
    )


def _is_plain_recurrence(facts: LoopFacts) -> bool:
    """Nothing but arrays carries values from one iteration to another, or out of the loop."""
    return (
        all(obstacle.reason == "array-dependence" for obstacle in facts.obstacles)
        and {reduction.op for reduction in facts.reduction} <= _EXACT
        and not (facts.firstprivate or facts.last_values or facts.unproved)
    )
