"""Values that the configuration of a run decides: parallel in each, in some, or in none."""

import pytest

from acclimate.analysis.facts import ConditionKind, Verdict


def test_a_term_for_one_iteration_only(judge):
    source = """
        subroutine outer(tend, state, n)
          integer, parameter :: id_w = 3
          integer :: n, i, l
          real :: tend(n, 4), state(n)
          do l = 1, 4 !<
            do i = 1, n
              tend(i, l) = 2.0
              if (l == id_w) tend(i, id_w) = tend(i, id_w) - state(i)
            end do
          end do
        end subroutine
    """
    assert judge(source).verdict is Verdict.PARALLEL
    assert judge(source.replace("tend(i, id_w) -", "tend(i, 1) -")).verdict is Verdict.UNKNOWN


def test_a_branch_of_another_configuration(judge):
    """Behind `2 == 3` nothing is executed; behind `3 == 3` the iterations over `l` clash."""
    source = """
        subroutine outer(tend, out, h, n)
          integer, parameter :: data_spec = 2, gravity_waves = 3, id_w = 3
          integer :: n, i, l
          real :: tend(n, 4), out(n, 4), h(n), x0
          do l = 1, 4 !<
            do i = 1, n
              if (data_spec == gravity_waves) then
                x0 = 0.5 * real(i)
                tend(i, id_w) = tend(i, id_w) + x0 * h(i)
              end if
              out(i, l) = tend(i, l)
            end do
          end do
        end subroutine
    """
    assert judge(source).verdict is Verdict.PARALLEL
    live = judge(source.replace("data_spec = 2", "data_spec = 3"))
    assert live.verdict is Verdict.SERIAL, live.obstacles


CHOSEN_BY_CONFIGURATION = """
    subroutine outer(a, b, n, deep, mid)
      integer :: n, i, k
      logical, intent(in) :: deep, mid
      real :: a(n), b(n)
      do i = 1, n !<
        if (b(i) > 0.0) cycle
        if (deep) then
          k = int(b(i))
          a(i) = k
        end if
        if (mid) a(i) = k + 1
      end do
    end subroutine
"""


def test_a_scalar_set_in_one_configuration_only(judge):
    """Where `deep` is false no iteration sets `k`, so none can find another's value."""
    facts = judge(CHOSEN_BY_CONFIGURATION)
    assert facts.verdict is Verdict.PARALLEL, facts.obstacles
    assert set(facts.firstprivate) == {"k"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("if (deep) then", "if (b(i) > -1.0) then"),  # differs between iterations
        ("if (mid) a(i) = k + 1", "if (mid) a(i) = k + 1\n        if (mid) k = i"),
        ("k = int(b(i))", "if (b(i) < -1.0) k = int(b(i))"),  # not always, where `deep` holds
        ("logical, intent(in) :: deep", "logical :: deep"),  # may stay as it is
    ],
)
def test_a_scalar_set_in_some_iterations_is_carried(judge, before, after):
    source = CHOSEN_BY_CONFIGURATION.replace(before, after)
    if before.startswith("logical"):
        source = source.replace("a(i) = k + 1", "a(i) = k + 1\n        deep = b(i) > -2.0")
    assert source != CHOSEN_BY_CONFIGURATION
    facts = judge(source)
    assert facts.verdict in (Verdict.SERIAL, Verdict.UNKNOWN) or facts.unproved


CASES_WITHOUT_DEFAULT = """
    subroutine outer(a, n, kind)
      integer :: n, i, kind
      real :: a(n), s
      do i = 1, n !<
        select case (kind)
        case (1)
          s = a(i)
        case (2)
          s = -a(i)
        end select
        a(i) = 2*s
      end do
    end subroutine
"""


def test_cases_that_are_the_same_for_all_iterations(judge):
    """With another `kind`, every iteration reads `s` from before the loop."""
    assert judge(CASES_WITHOUT_DEFAULT).verdict is Verdict.PARALLEL
    carried = judge(CASES_WITHOUT_DEFAULT.replace("case (kind)", "case (int(a(i)))"))
    assert carried.verdict is Verdict.UNKNOWN
    third = judge(
        CASES_WITHOUT_DEFAULT.replace("end select", "case (3)\n  if (i < 3) s = 0.0\nend select")
    )
    assert third.verdict is Verdict.UNKNOWN or third.unproved


ONE_CASE_MISSING = """
    subroutine outer(a, b, n, index)
      integer :: n, i, index
      real :: a(n), b(n), s
      do i = 1, n !<
        if (b(i) > 0.0) then
          s = b(i)
        else if (index >= 1) then
          s = 0.0
        end if
        a(i) = s
      end do
    end subroutine
"""


def test_private_in_one_configuration(judge):
    """With index < 1 an iteration may find the `s` of another; whether it is can be checked."""
    facts = judge(ONE_CASE_MISSING)
    assert facts.verdict is Verdict.PARALLEL
    (condition,) = facts.unproved
    assert condition.kind is ConditionKind.CONFIGURED
    assert condition.names == ("0 < index", "s")
    assert set(facts.firstprivate) == {"s"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("index >= 1", "b(i) > -1.0"),
        ("a(i) = s", "a(i) = s\n index = i"),
        ("s = 0.0", "if (b(i) < -1.0) s = 0.0"),
        ("end do", "end do\n print *, s"),
        ("end subroutine", "contains\n subroutine inner\n print *, s\n end subroutine\n end"),
    ],
)
def test_private_in_no_configuration(judge, before, after):
    source = ONE_CASE_MISSING.replace(before, after)
    assert source != ONE_CASE_MISSING
    facts = judge(source)
    assert facts.verdict in (Verdict.UNKNOWN, Verdict.SERIAL, Verdict.REWRITE)


def test_a_work_array_that_one_configuration_fills(judge):
    source = """
        subroutine outer(a, n, nk, flag, table)
          integer :: n, nk, i, k, flag, table(4)
          real :: a(n, nk), w(nk)
          do i = 1, n !<
            if (flag == table(2)) then
              do k = 1, nk
                w(k) = a(i, k)
              end do
            end if
            if (a(i, 1) > 0.0) w(1) = 0.0
            do k = 1, nk
              a(i, k) = 2*w(k)
            end do
          end do
        end subroutine
    """
    facts = judge(source)
    assert facts.verdict is Verdict.PARALLEL, facts.obstacles
    assert [c.names for c in facts.unproved] == [("flag == table(2)", "w")]
