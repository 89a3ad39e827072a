"""What is cut short for large models stays on the safe side: summaries, facts, definitions."""

import gc
from itertools import product

import pytest

from acclimate.analysis.dependence.affine import Affine
from acclimate.analysis.dependence.collection import without_collecting
from acclimate.analysis.dependence.conditions import Literal, holds, negative
from acclimate.analysis.dependence.regions import Definition
from acclimate.analysis.dependence.state import State
from acclimate.analysis.facts import Verdict

CALLER = """
    subroutine outer(a, n, m)
      integer :: n, m, j
      real :: a(40, m)
      do j = 1, m - 1 !<
        call touch(a, j, m)
      end do
    end subroutine
    subroutine touch(x, j, m)
      integer :: j, m
      real :: x(40, m)
"""


def touching(regions: int, last: str) -> str:
    """A loop over a call that writes `regions` elements of its column, and `last` at the end."""
    own = "\n".join(f"      x({row}, j) = 1.0" for row in range(1, regions))
    return f"{CALLER}{own}\n      x({regions}, {last}) = x(1, j)\n    end subroutine\n"


@pytest.mark.parametrize("regions", [2, 7, 8, 9, 10, 30])
def test_a_write_to_the_next_column_is_never_lost(judge, regions):
    source = touching(regions, "j + 1").replace("= x(1, j)", f"= x({regions}, j)")
    facts = judge(source)
    assert facts.verdict not in (Verdict.PARALLEL, Verdict.REDUCTION), facts


def test_few_regions_are_kept_apart(judge):
    assert judge(touching(7, "j")).verdict is Verdict.PARALLEL


def test_many_regions_become_the_whole_array(judge):
    facts = judge(touching(30, "j"))
    assert facts.verdict is Verdict.UNKNOWN
    assert "touch" in facts.reason


def condition(atom: int) -> Literal:
    return holds(Affine(0, ((atom, 1),)))


def test_only_a_weaker_definition_replaces_another():
    sets = [(), (condition(1),), (condition(2),), (condition(1), condition(2))]
    for order in product(sets, repeat=3):
        state = State()
        for conditions in order:
            state.define("a", Definition((None,), conditions))
        kept = [set(d.conditions) for d in state.definitions["a"]]
        for conditions in order:  # whatever was known under some conditions still is
            assert any(known <= set(conditions) for known in kept)
        assert all(known in [set(conditions) for conditions in order] for known in kept)


def test_a_region_is_no_other_region():
    state = State()
    state.define("a", Definition((None,), (condition(1),)))
    state.define("a", Definition((None, None), ()))
    assert len(state.definitions["a"]) == 2


def test_equal_literals_of_another_kind_differ():
    form = Affine(0, ((1, 1),))
    assert negative(form) != holds(form)
    assert len({negative(form), holds(form), holds(form, False)}) == 3


REREAD = """
    subroutine outer(a, b, n)
      integer :: n, i
      real :: a(n), b(n), w(3)
      do i = 1, n !<
        b(i) = {first} + a(i)
        w(1) = a(i)
        b(i) = b(i) + w(1)
      end do
    end subroutine
"""


def test_a_read_before_the_write_is_not_taken_for_the_one_behind(judge):
    assert judge(REREAD.format(first="w(1)")).verdict is not Verdict.PARALLEL
    assert judge(REREAD.format(first="1.0")).verdict is Verdict.PARALLEL


def test_the_collector_is_left_as_it_was():
    before = gc.isenabled()
    with pytest.raises(ValueError), without_collecting():
        assert not gc.isenabled()
        raise ValueError
    assert gc.isenabled() == before


CYCLES = """
    module m
      real :: total
    contains
      subroutine outer(a, n)
        integer :: n, i
        real :: a(n)
        do i = 1, n !<
          call inner(a(i), f(a(i)))
        end do
      end subroutine
      subroutine inner(x, y)
        real :: x, y
        if (y > 0.0) return
        x = x + y
        total = total + x
      end subroutine
      real function f(x)
        real :: x
        f = 2.0 * x
      end function
    end module
"""


def test_walks_make_no_cycles(judge):
    judge(CYCLES)  # whatever is made once is there
    gc.collect()
    with without_collecting():
        judge(CYCLES)
        flags = gc.get_debug()
        gc.set_debug(gc.DEBUG_SAVEALL)
        try:
            gc.collect()
            left = [type(thing).__name__ for thing in gc.garbage]
        finally:
            gc.set_debug(flags)
            gc.garbage.clear()
    assert not {"Context", "Record", "Values", "Access"} & set(left)
