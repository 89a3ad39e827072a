"""`call s(a(1, 1, k))`: where the dummy lies in the array whose element is passed."""

import pytest

from acclimate.analysis.facts import Verdict

PASSED = """
      subroutine outer(t, q, r, n, m)
      integer n, m, k
      real t(18, 14, n), q(18, 14, n, 4), r(18, 14, 3, n)
      do k = 1, n !<
        call smooth({actual})
      end do
      end subroutine
      subroutine smooth(a, kn)
      integer kn
      real a({shape})
      integer i, j, k
      do k = 1, kn
        do j = 2, 13
          do i = 2, 17
            a({element}) = a({element})*0.5
          end do
        end do
      end do
      end subroutine
"""
WHOLE = "i, j, k"


@pytest.mark.parametrize(
    ("actual", "shape", "element"),
    [
        ("t(1, 1, k), 1", "18, 14, *", WHOLE),
        ("t(1, 1, k), 1", "18, 14, kn", WHOLE),
        ("t(1, 1, k), 1", "18, 14, 0:*", "i, j, k - 1"),
        ("q(1, 1, k, m), 1", "18, 14, kn", WHOLE),
        ("r(1, 1, 1, k), 1", "18, 14, 3, *", "i, j, 2, k"),
    ],
)
def test_one_slice_an_iteration(judge, actual, shape, element):
    source = PASSED.format(actual=actual, shape=shape, element=element)
    assert judge(source).verdict is Verdict.PARALLEL


@pytest.mark.parametrize(
    ("actual", "shape", "element"),
    [
        ("t(1, 1, k), 2", "18, 14, *", WHOLE),
        ("t(1, 1, k), 2", "18, 14, kn", WHOLE),
        ("t(1, 1, k), m", "18, 14, kn", WHOLE),
        ("t(1, 1, k), 1", "18, 15, *", WHOLE),
        ("t(1, 1, k), 1", "m, 14, *", WHOLE),
        ("t(2, 1, k), 1", "18, 14, *", WHOLE),
        ("t(1, 2, k), 1", "18, 14, *", WHOLE),
        ("q(1, 1, k, m), 1", "18, 14, *", WHOLE),
        ("q(1, 1, k, m), 2", "18, 14, kn", WHOLE),
    ],
)
def test_several_slices_or_another_shape(judge, actual, shape, element):
    source = PASSED.format(actual=actual, shape=shape, element=element)
    assert judge(source).verdict is not Verdict.PARALLEL


COMMON = """
      subroutine outer(n)
      integer n, i
      real u, v, w, s
      common /wind/ u(50), v(50)
      common /work/ w(50)
      real x(50)
      equivalence ({joined})
      do i = 1, n !<
        u(i) = v(i + 1) + w(i)
      end do
      end subroutine
      subroutine other
      real u, v, w
      common /wind/ u(50), v(50)
      common /work/ w(50)
      u(1) = v(1) + w(1)
      end subroutine
"""


@pytest.mark.parametrize(
    ("joined", "verdict"),
    [
        ("w(1), x(1)", Verdict.PARALLEL),
        ("v(1), x(1)", Verdict.UNKNOWN),
        ("u(20), x(1)", Verdict.UNKNOWN),
    ],
)
def test_equivalence_joins_the_blocks_it_names(judge, joined, verdict):
    assert judge(COMMON.format(joined=joined)).verdict is verdict
