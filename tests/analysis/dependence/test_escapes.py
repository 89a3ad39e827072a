"""Pointers that are only ever allocated, and each way in which one may come to be another's."""

import pytest

from acclimate.analysis.facts import Verdict

MODEL = """
module states
  implicit none
  type state
    real, pointer :: h(:) => null()
    real, pointer :: u(:) => null()
    real, allocatable :: flux(:)
  end type
  type level
    type(state) :: prog
  end type
  type(level), target :: levels(2)
  real, target :: spare(10)
  {declared}
contains
  subroutine make(n)
    integer, intent(in) :: n
    integer :: i
    do i = 1, 2
      allocate (levels(i)%prog%h(n), levels(i)%prog%u(n), levels(i)%prog%flux(n))
    end do
    {made}
  end subroutine
  subroutine step(n, old, new)
    integer, intent(in) :: n, old, new
    type(state), pointer :: a, b
    integer :: i
    a => levels(old)%prog
    b => levels(new)%prog
    do i = 1, n !<
      {body}
    end do
  end subroutine
  {other}
end module
{last}
"""
PROGRAM = """
program p
  use states
  call make(10)
  call step(10, 1, 2)
end program
"""


def model(*, declared="", made="", body="", other="", last=PROGRAM):
    return MODEL.format(declared=declared, made=made, body=body, other=other, last=last)


OWN = {
    "other components": "b%h(i) = a%u(i + 1)",
    "an allocatable one": "b%flux(i) = a%u(i + 1)",
    "the same one at the same place": "b%h(i) = a%h(i)",
    "a target": "b%h(i) = spare(i + 1)",
}


@pytest.mark.parametrize("body", OWN.values(), ids=OWN)
def test_what_is_only_allocated_has_storage_of_its_own(judge, body):
    facts = judge(model(body=body))
    assert (facts.verdict, facts.conditions) == (Verdict.PARALLEL, ())


def test_two_objects_may_still_be_one(judge):
    facts = judge(model(body="b%h(i) = a%h(i + 1)"))
    assert [c.names for c in facts.conditions] == [("b%h", "a%h")]


def test_pointers_in_different_elements_are_different(judge):
    body = "levels(i)%prog%h(1) = levels(i)%prog%h(2)"
    facts = judge(model(body=body))
    assert (facts.verdict, facts.conditions) == (Verdict.PARALLEL, ())


POINT = "subroutine point(p)\n  real, pointer :: p(:)\n  p => spare\n  end subroutine"
AIM = "subroutine aim(t)\n  real, target :: t(:)\n  view => t\n  end subroutine"
VIEW = "real, pointer :: view(:)"
U, W, SPARE = "a%u(i + 1)", "view(i + 1)", "spare(i + 1)"
EDGES = {
    "a pointer assignment": (U, {"made": "levels(1)%prog%h => levels(2)%prog%u"}),
    "a pointer to it": (W, {"made": "view => levels(1)%prog%h", "declared": VIEW}),
    "a copied object": (U, {"made": "levels(1)%prog = levels(2)%prog"}),
    "a copied object around it": (U, {"made": "levels(1) = levels(2)"}),
    "a structure constructor": (U, {"made": "levels(1)%prog = state(spare, spare, spare)"}),
    "a constructor as initial value": (
        U,
        {"declared": "type(state), save :: early = state(spare, null(), null())"},
    ),
    "a target in an initial value": (
        SPARE,
        {"declared": "type(state), save :: early = state(null(), spare, null())"},
    ),
    "a constructor as initial value of a component": (
        U,
        {
            "declared": "type box\n type(state) :: prog = state(spare, null(), null())\n"
            "end type\n type(box) :: boxes(3)"
        },
    ),
    "a constructor in DATA": (
        U,
        {"declared": "type(state) :: early\n data early / state(spare, null(), null()) /"},
    ),
    "a constructor as argument": (
        U,
        {
            "made": "call see(state(spare, spare, spare))",
            "other": "subroutine see(s)\n  type(state) :: s\n  end subroutine",
        },
    ),
    "sourced allocation": (
        U,
        {
            "made": "allocate (copy, source=levels(1))",
            "declared": "type(level), allocatable :: copy",
        },
    ),
    "a pointer dummy": (SPARE, {"made": "call point(levels(1)%prog%h)", "other": POINT}),
    "a target dummy": (
        W,
        {"made": "call aim(levels(1)%prog%h)", "other": AIM, "declared": VIEW},
    ),
    "a procedure from elsewhere": (
        U,
        {"made": "call far(levels(1)%prog%h, levels(1)%prog%u)"},
    ),
    "an object that is passed elsewhere": (U, {"made": "call far(levels(1))"}),
    "its address": (
        W,
        {"made": "call c_f_pointer(c_loc(levels(1)%prog%h), view, [10])", "declared": VIEW},
    ),
    "a statement that cannot be read": (SPARE, {"made": "levels(1)%prog%h => => spare"}),
    "ASSOCIATE": (
        SPARE,
        {"made": "associate (q => levels(1)%prog)\n q%h => spare\n end associate"},
    ),
    "no program": (U, {"last": ""}),
}


@pytest.mark.parametrize(("value", "edge"), EDGES.values(), ids=EDGES)
def test_what_a_pointer_may_reach_is_not_known_to_be_apart(judge, value, edge):
    facts = judge(model(body=f"b%h(i) = {value}", **edge))
    assert facts.conditions or facts.verdict is not Verdict.PARALLEL


@pytest.mark.parametrize("declared", [f"{VIEW} => spare", f"{VIEW}\n data view / spare /"])
def test_a_declared_target_is_not_known_to_be_apart(judge, declared):
    facts = judge(model(body="spare(i) = view(i + 1)", declared=declared))
    assert facts.conditions or facts.verdict is not Verdict.PARALLEL


def test_a_message_keeps_no_address(judge):
    edge = {"made": "call mpi_send(levels(1)%prog%h, n, 1, 2, 3, 4, i)"}
    assert not judge(model(body="b%h(i) = a%u(i + 1)", **edge)).conditions


def test_elements_of_copied_objects_may_have_one_target(judge):
    body = "levels(i)%prog%h(1) = levels(i)%prog%h(2)"
    facts = judge(model(body=body, made="levels(1) = levels(2)"))
    assert facts.conditions


def test_a_dummy_with_target_may_be_any_target(judge):
    source = (
        model(
            body="b%h(i) = 1.0",
            made="call mixed(9, spare)",
            other="""subroutine mixed(n, t)
    integer, intent(in) :: n
    real, target :: t(:)
    integer :: k
    do k = 1, n
      t(k) = spare(k + 1)
    end do
  end subroutine""",
        )
        .replace("!<", "")
        .replace("do k = 1, n", "do k = 1, n !<")
    )
    assert judge(source).verdict is Verdict.UNKNOWN
