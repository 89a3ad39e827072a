"""Effects of procedures: transitive, from bodies and never from INTENT."""

import pytest

from acclimate.analysis.dependence.procedures import Summaries
from acclimate.analysis.dependence.records import Trait
from acclimate.analysis.effects import Effects, EffectsTable, Reach

MODEL = """
    module state
      real :: total = 0.0, factor = 2.0
    contains
      subroutine leaf(x, y, n)
        integer, intent(in) :: n
        real, intent(in) :: x(n)
        real, intent(out) :: y(n)
        integer :: i
        do i = 1, n
          y(i) = factor*x(i)
        end do
      end subroutine
      subroutine middle(x, y, n)
        integer :: n
        real :: x(n), y(n)
        call leaf(x, y, n)
        total = total + y(1)
      end subroutine
      subroutine top(x, n)
        integer :: n
        real :: x(n), work(n)
        call middle(x, work, n)
        print *, work(1)
      end subroutine
      subroutine lies(a, b, c)
        real, intent(in) :: a
        real, intent(out) :: b
        real :: c
        c = b
        b = a
      end subroutine
      subroutine careless(a)
        real, intent(in) :: a
        call change(a)
      end subroutine
      subroutine change(a)
        real :: a
        a = 1.0
      end subroutine
      subroutine perhaps(a, flag)
        real :: a
        logical :: flag
        if (flag) return
        a = 1.0
      end subroutine
      subroutine surely(a, flag)
        real :: a
        logical :: flag
        if (flag) then
          a = 2.0
          return
        end if
        a = 1.0
      end subroutine
      recursive subroutine ping(n)
        integer :: n
        factor = 1.0
        call pong(n - 1)
      end subroutine
      recursive subroutine pong(n)
        integer :: n
        total = 1.0
        if (n > 0) call ping(n - 1)
      end subroutine
      subroutine counter(n)
        integer :: n
        integer, save :: calls = 0
        calls = calls + 1
        n = calls
      end subroutine
    end module
"""


@pytest.fixture
def effects(read_model):
    project = read_model(MODEL)
    table = EffectsTable(Summaries(project))

    def of(name: str) -> Effects:
        return table.of(project.units[f"state::{name}"])

    return of


def names(places) -> set[str]:
    return {place.name for place in places}


def test_effects_reach_through_calls(effects):
    top = effects("top")
    assert names(top.reads) == {"x", "n", "factor", "total"}
    assert names(top.writes) == {"total"}
    assert top.does(Trait.IO)
    assert top.calls == ("state::middle", "state::leaf")


def test_local_arrays_do_not_show(effects):
    assert "work" not in names(effects("top").writes | effects("top").reads)


def test_where_places_live(effects):
    assert {p.name: p.reach for p in effects("middle").writes} == {
        "y": Reach.DUMMY,
        "total": Reach.SHARED,
    }
    assert {p.reach for p in effects("counter").writes} == {Reach.DUMMY, Reach.SAVED}


def test_intent_is_checked_against_the_body(effects):
    contradictions = " ".join(effects("lies").contradictions)
    assert "`b` is INTENT(OUT) but may be read" in contradictions
    assert names(effects("lies").reads) == {"a", "b"}


def test_intent_in_does_not_hide_a_write_in_a_callee(effects):
    assert names(effects("careless").writes) == {"a"}
    assert "`a` is INTENT(IN) but written" in effects("careless").contradictions[0]


def test_sure_writes_hold_on_every_path(effects):
    assert names(effects("surely").must_writes) == {"a"}
    assert names(effects("perhaps").must_writes) == set()
    assert names(effects("perhaps").writes) == {"a"}


@pytest.mark.parametrize("name", ["ping", "pong"])
def test_recursion_is_settled_not_half_finished(effects, name):
    assert names(effects(name).writes) == {"factor", "total"}
    assert effects(name).does(Trait.RECURSION)


HOST = """
    module hosts
      real :: dt, dx(3)
      integer :: n
      namelist /grid/ dt, dx
    contains
      subroutine outer(p, q)
        real, intent(in) :: p
        real :: q
        call inner
      contains
        subroutine inner
          q = p + 1.0
        end subroutine
      end subroutine
      subroutine caller(x, m)
        integer :: m
        real :: x(m)
        call outer(x(1), x(m))
      end subroutine
      subroutine take(unit)
        integer :: unit
        read (unit, nml=grid)
      end subroutine
      subroutine give(unit)
        integer :: unit
        write (unit, grid)
      end subroutine
    end module
    subroutine elsewhere(unit)
      use hosts, only: set => grid
      integer :: unit
      read (unit, set)
    end subroutine
"""


@pytest.fixture
def hosted(read_model):
    project = read_model(HOST)
    table = EffectsTable(Summaries(project))
    return lambda name: table.of(project.units[name])


def test_what_a_contained_procedure_does_to_a_dummy_of_its_host_is_done_to_the_argument(hosted):
    """It used to stay with the dummy: callers of the host heard nothing of their own arguments."""
    assert {(p.name, p.reach) for p in hosted("hosts::outer").reads} == {("p", Reach.DUMMY)}
    caller = hosted("hosts::caller")
    assert names(caller.reads) == {"m", "x"}
    assert names(caller.writes) == {"x"}


def test_a_group_stands_for_its_members(hosted):
    assert names(hosted("hosts::take").writes) == {"dt", "dx"}
    assert names(hosted("hosts::give").reads) == {"dt", "dx", "unit"}
    assert names(hosted("hosts::give").writes) == set()
    elsewhere = hosted("elsewhere")  # which has no names of its own for them
    assert names(elsewhere.writes) == {"dt", "dx"}
    assert not elsewhere.must_writes
