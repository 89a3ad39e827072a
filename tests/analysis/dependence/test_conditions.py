"""Verdicts under conditions: what pointers, TARGET and index tables leave open, and promises."""

import pytest

from acclimate.analysis.facts import ConditionKind, Verdict

POINTERS = """
    subroutine outer(p, q, n)
      integer :: n, i
      real, pointer :: p(:), q(:)
      {hint}
      do i = 2, n !<
        p(i) = q(i-1)
      end do
    end subroutine
"""


def conditions(facts):
    return [(c.kind.value, c.names) for c in facts.conditions]


# --- what stays as it is ---------------------------------------------------------------------


def test_the_same_target_in_plain_sight_is_no_condition(judge):
    facts = judge("""
        subroutine outer(a, n)
          integer :: n, i
          real, target :: a(n)
          real, pointer :: p(:), q(:)
          p => a
          q => a
          do i = 2, n !<
            p(i) = q(i-1)
          end do
        end subroutine
    """)
    assert facts.verdict is Verdict.UNKNOWN
    assert "both are associated with `a` at model.f90:6 and model.f90:7" in facts.reason


def test_a_pointer_to_the_array_itself_is_no_condition(judge):
    facts = judge("""
        subroutine outer(a, n)
          integer :: n, i
          real, target :: a(n)
          real, pointer :: p(:)
          p => a
          !$acclimate noalias(p, a)
          do i = 2, n !<
            a(i) = p(i-1)
          end do
        end subroutine
    """)
    assert facts.verdict is Verdict.UNKNOWN  # the promise is false, and it shows
    (finding,) = facts.findings
    assert (finding.kind, finding.claim) == ("hint", "acclimate noalias")
    assert "`p` is associated with `a` at model.f90:6" in finding.detail


def test_pointers_swapped_in_the_loop(judge):
    facts = judge("""
        subroutine outer(p, q, n)
          integer :: n, i
          real, pointer :: p(:), q(:), t(:)
          do i = 2, n !<
            p(i) = q(i-1)
            t => p
            p => q
            q => t
          end do
        end subroutine
    """)
    assert facts.verdict is Verdict.SERIAL
    assert "pointer-assignment" in [obstacle.reason for obstacle in facts.obstacles]


def test_the_same_actual_passed_as_two_pointers(judge):
    facts = judge("""
        module m
        contains
          subroutine step(p, q, n)
            integer :: n, i
            real, pointer :: p(:), q(:)
            do i = 2, n !<
              p(i) = q(i-1)
            end do
          end subroutine
          subroutine outer(x, n)
            integer :: n
            real, pointer :: x(:)
            call step(x, x, n)
          end subroutine
        end module
    """)
    assert facts.verdict is Verdict.UNKNOWN
    assert "the call at model.f90:14 passes one object as both" in facts.reason


@pytest.mark.parametrize("hint", ["", "!$acclimate injective(map)"])
def test_a_scatter_without_its_hint_is_serial(judge, hint):
    facts = judge(SCATTER.format(hint=hint))
    assert facts.verdict is Verdict.SERIAL
    assert not facts.conditions
    assert "!$acclimate injective(idx)" in facts.obstacles[0].remedy


def test_an_injective_table_read_at_one_place_twice_conflicts(judge):
    facts = judge("""
        subroutine outer(a, b, idx, n)
          integer :: n, i, idx(n)
          real :: a(n), b(n)
          !$acclimate injective(idx)
          do i = 2, n !<
            a(idx(i)) = b(i)
            a(idx(i-1)) = 0.0
          end do
        end subroutine
    """)
    assert facts.verdict is not Verdict.PARALLEL


def test_a_table_that_changes_in_the_loop_promises_nothing(judge):
    facts = judge("""
        subroutine outer(a, b, idx, n)
          integer :: n, i, idx(n)
          real :: a(n), b(n)
          !$acclimate injective(idx)
          do i = 2, n !<
            idx(i) = idx(i-1)
            a(idx(i)) = b(i)
          end do
        end subroutine
    """)
    assert facts.verdict is not Verdict.PARALLEL


def test_the_hint_parallel_does_not_override_a_proved_dependence(judge):
    facts = judge("""
        subroutine outer(a, n)
          integer :: n, i
          real :: a(n)
          !$acclimate parallel
          do i = 2, n !<
            a(i) = a(i-1)
          end do
        end subroutine
    """)
    assert facts.verdict is Verdict.SERIAL
    (finding,) = facts.findings
    assert (finding.kind, finding.claim) == ("hint", "acclimate parallel")
    assert finding.witnesses[0].distance == 1


def test_the_hint_private_does_not_override_a_carried_value(judge):
    facts = judge("""
        subroutine outer(a, n)
          integer :: n, i
          real :: a(n), t
          t = 0.0
          !$acclimate private(t)
          do i = 1, n !<
            a(i) = t
            t = a(i)
          end do
        end subroutine
    """)
    assert facts.verdict is Verdict.SERIAL
    assert [finding.claim for finding in facts.findings] == ["acclimate private(t)"]


def test_two_dummies_with_target_may_be_one(judge):
    facts = judge("""
        subroutine outer(a, b, n)
          integer :: n, i
          real, target :: a(:), b(:)
          do i = 2, n !<
            a(i) = b(i-1)
          end do
        end subroutine
    """)
    assert conditions(facts) == [("no-alias", ("a", "b"))]


# --- what holds under a condition ------------------------------------------------------------

SCATTER = """
    subroutine outer(a, b, idx, map, n)
      integer :: n, i, k, idx(n), map(n)
      real :: a(n), b(n)
      {hint}
      do i = 1, n !<
        k = idx(i) + 1
        a(k) = b(i)
      end do
    end subroutine
"""


def test_pointers_give_a_named_condition(judge):
    facts = judge(POINTERS.format(hint=""))
    assert facts.verdict is Verdict.PARALLEL
    assert conditions(facts) == [("no-alias", ("p", "q"))]
    assert facts.reason == "parallel if `p` and `q` do not share storage"
    assert facts.unproved == facts.conditions
    assert [at.first for at in facts.conditions[0].references] == [7, 7]


@pytest.mark.parametrize("hint", ["noalias(p, q)", "noalias(p)", "parallel"])
def test_a_promise_is_a_condition_with_its_place(judge, hint):
    facts = judge(POINTERS.format(hint=f"!$acclimate {hint}"))
    assert facts.verdict is Verdict.PARALLEL
    assert not facts.unproved
    assert [condition.promise.first for condition in facts.conditions] == [5]
    assert facts.reason == ""
    assert [hint.at.first for hint in facts.hints] == [5]


def test_a_promise_about_other_pointers_proves_nothing(judge):
    facts = judge(POINTERS.format(hint="!$acclimate noalias(p, n)"))
    assert facts.unproved


def test_an_injective_table(judge):
    facts = judge(SCATTER.format(hint="!$acclimate injective(idx)"))
    assert facts.verdict is Verdict.PARALLEL
    assert conditions(facts) == [("injective", ("idx",))]
    assert facts.conditions[0].promise.first == 5


def test_a_promise_holds_in_the_loops_inside(judge):
    facts = judge("""
        subroutine outer(a, b, idx, n, m)
          integer :: n, m, i, k, idx(n)
          real :: a(n, m), b(n, m)
          !$acclimate injective(idx)
          do k = 1, m
            do i = 1, n !<
              a(idx(i), k) = b(i, k)
            end do
          end do
        end subroutine
    """)
    assert facts.verdict is Verdict.PARALLEL
    assert conditions(facts) == [("injective", ("idx",))]


def test_pointer_components_of_elements(judge):
    facts = judge("""
        module m
          type field
            real, pointer :: v(:)
          end type
        contains
          subroutine outer(f, n)
            integer :: n, i
            type(field) :: f(n)
            do i = 1, n !<
              f(i)%v(1) = f(i)%v(2) + 1.0
            end do
          end subroutine
        end module
    """)
    assert facts.verdict is Verdict.PARALLEL
    assert ("no-alias", ("f%v", "f%v")) in conditions(facts)
    assert "`f%v` of different elements do not share storage" in facts.reason


def test_components_of_one_object_are_apart(judge):
    facts = judge("""
        module m
          type field
            real, allocatable :: u(:), v(:)
          end type
        contains
          subroutine outer(s, n)
            integer :: n, i
            type(field), pointer :: s
            do i = 2, n !<
              s%u(i) = s%v(i-1)
            end do
          end subroutine
        end module
    """)
    assert facts.verdict is Verdict.PARALLEL
    assert not facts.conditions


def test_one_component_of_two_objects_is_not(judge):
    facts = judge("""
        module m
          type field
            real, allocatable :: u(:)
          end type
        contains
          subroutine outer(s, t, n)
            integer :: n, i
            type(field), pointer :: s, t
            do i = 2, n !<
              s%u(i) = t%u(i-1)
            end do
          end subroutine
        end module
    """)
    assert conditions(facts) == [("no-alias", ("s%u", "t%u"))]


def test_the_hint_parallel_covers_what_is_not_proved(judge):
    facts = judge("""
        subroutine outer(a, n, m)
          integer :: n, m, i
          real :: a(n)
          !$acclimate parallel
          do i = 1, m !<
            a(i) = a(i+n/2)
          end do
        end subroutine
    """)
    assert facts.verdict is Verdict.PARALLEL
    assert [c.kind for c in facts.conditions] == [ConditionKind.INDEPENDENT]


def test_the_hint_private_covers_a_work_array_of_the_caller(judge):
    facts = judge("""
        subroutine outer(a, w, n, m)
          integer :: n, m, i, k
          real :: a(n, m), w(m)
          !$acclimate private(w)
          do i = 1, n !<
            do k = 1, m
              w(k) = a(i, k)
            end do
            a(i, 1) = w(m)
          end do
        end subroutine
    """)
    assert facts.verdict is Verdict.PARALLEL
    assert "w" in facts.private
    assert conditions(facts) == [("private", ("w",))]


@pytest.mark.parametrize(
    "body",
    [
        "a(idx(i)) = a(i)",  # a copy has no value where it is read
        "a(idx(i)) = 2.0",  # results
        "a(idx(i)) = b(i)\n b(i) = 2.0 * a(idx(i))",
        "q(idx(i)) = 2.0",
        "q(idx(i)) = b(i)\n b(i) = 2.0 * q(idx(i))",
        "a(i) = b(i)\n a(i+1) = 2.0 * a(i)",
    ],
)
def test_the_hint_private_does_not_cover_results(judge, body):
    name = body[0]
    facts = judge(f"""
        module m
          real :: q(99)
        contains
          subroutine outer(a, b, idx, n)
            integer :: n, i, idx(n)
            real :: a(n), b(n)
            !$acclimate private({name})
            do i = 1, n - 1 !<
              {body}
            end do
          end subroutine
        end module
    """)
    assert facts.verdict in (Verdict.SERIAL, Verdict.UNKNOWN), facts
    assert name not in facts.private
    assert [finding.claim for finding in facts.findings] == [f"acclimate private({name})"]


@pytest.mark.parametrize("condition", ["", "if (a(i) > 0.0) "])
def test_the_hint_private_does_not_lose_the_last_value_of_a_scalar(judge, condition):
    facts = judge(f"""
        subroutine outer(a, s, n)
          integer :: n, i
          real :: a(n), s
          !$acclimate private(s)
          do i = 1, n !<
            {condition}s = a(i)
          end do
        end subroutine
    """)
    assert facts.unproved == ()
    assert facts.last_values == ("s",) if not condition else facts.verdict is Verdict.REWRITE
    assert bool(facts.findings) == bool(condition)


def test_array_statements_have_conditions_too(judge):
    facts = judge("""
        subroutine outer(p, q, n)
          integer :: n
          real, pointer :: p(:), q(:)
          p(2:n) = q(1:n-1) !<
        end subroutine
    """)
    assert facts.verdict is Verdict.PARALLEL
    assert conditions(facts) == [("no-alias", ("p", "q"))]
