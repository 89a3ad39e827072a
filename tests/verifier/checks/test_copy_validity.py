"""Copies followed by reading alone. Right programs first: none may be reported."""

import pytest

from acclimate.verifier.checks.copy_validity import copy_validity
from acclimate.verifier.copies import walk
from acclimate.verifier.evidence import Light, Outcome

PORT = """\
module fields
  implicit none
  integer, parameter :: n = 8
  real, allocatable :: a(:), b(:)
contains
  subroutine setup
    integer :: i
    allocate (a(n), b(n))
    a = 1.0
    b = 0.0
    !$acc enter data copyin(a) create(b)
    !$acc parallel loop default(present)
    do i = 1, n
      b(i) = 2.0*a(i)
    end do
  end subroutine setup
  subroutine advance(x, y)
    real, intent(in) :: x(:)
    real, intent(inout) :: y(:)
    integer :: i
    !$acc parallel loop default(present)
    do i = 1, n
      y(i) = y(i) + x(i)
    end do
  end subroutine advance
  subroutine force(strength)
    real, intent(in) :: strength
    integer :: i
    do i = 1, n
      a(i) = strength*i
    end do
    !$acc update device(a)
  end subroutine force
  subroutine tell
    !$acc update self(b)
    print *, b
  end subroutine tell
end module fields
program p
  use fields
  integer :: step
  call setup
  do step = 1, 3
    call force(real(step))
    call advance(a, b)
    call tell
  end do
end program p
"""
SWITCHED = PORT.replace(
    "    !$acc parallel loop default(present)\n",
    "    !$acc update self(a, b) if(.not. acc_on('fields'))\n"
    "    !$acc parallel loop default(present) if(acc_on('fields'))\n",
)


def found(program, text: str) -> list[tuple[str, int | None]]:
    told = list(copy_validity(program(text)))
    assert all((e.outcome, e.light) == (Outcome.FAILS, Light.DATA) for e in told)
    return [(e.message, e.line) for e in told]


def replaced(was: str, now: str) -> str:
    assert was in PORT
    return PORT.replace(was, now, 1)


SCALAR_OF_AN_OBJECT = (
    replaced(
        "  real, allocatable ::",
        "  type settings\n    real :: strength = 1.0\n  end type\n  type(settings) :: s\n"
        "  real, allocatable ::",
    )
    .replace(
        "    do i = 1, n\n      a(i) = strength*i\n    end do\n    !$acc update device(a)\n",
        "    !$acc parallel loop default(present)\n"
        "    do i = 1, n\n      a(i) = strength*i\n    end do\n",
    )
    .replace("call force(real(step))", "call force(s%strength)")
)


def test_a_component_named_in_a_kernel_has_to_be_there(program):
    text = SCALAR_OF_AN_OBJECT.replace("a(i) = strength*i", "a(i) = s%strength*i")
    ((message, _),) = found(program, text)
    assert "'s%strength' has to be on the device here" in message


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(PORT, id="whole"),
        pytest.param(
            replaced("    a = 1.0\n", "    a = 1.0\n    if (n > 4) return\n"),
            id="may not be reached",
        ),
        pytest.param(
            replaced("    !$acc update self(b)\n", "    if (n > 4) return\n").replace(
                "    print *, b\n", "    print *, b(2)\n"
            ),
            id="read where it may never come to",
        ),
        pytest.param(
            replaced("      a(i) = strength*i\n", "      a(2*i - 1) = strength\n").replace(
                "    !$acc update device(a)\n", ""
            ),
            id="other elements",
        ),
        pytest.param(
            replaced("      b(i) = 2.0*a(i)\n", "      if (a(i) > 0.0) b(i) = 2.0\n")
            .replace("    call advance(a, b)\n", "")
            .replace("    !$acc update self(b)\n", "")
            .replace("    print *, b\n", "    print *, b(7)\n"),
            id="some elements",
        ),
        pytest.param(
            replaced("    !$acc update device(a)\n", "    call send(a)\n")
            + "subroutine send(x)\n  real :: x(*)\n  !$acc update device(x(1:8))\nend subroutine\n",
            id="updated under another name",
        ),
        pytest.param(
            replaced("real, allocatable ::", "real, allocatable, target ::").replace(
                "    !$acc update device(a)\n", ""
            ),
            id="may have another name",
        ),
        pytest.param(
            replaced("    !$acc update device(a)\n", "    !$acc update device(a) if(n > 4)\n"),
            id="updated on a condition",
        ),
        pytest.param(
            replaced("    !$acc update device(a)\n", "    call acc_update_device(a)\n"),
            id="updated by a call",
        ),
        pytest.param(SWITCHED, id="under switches"),
        pytest.param(
            replaced("    !$acc update device(a)\n", "")
            .replace("    call force(real(step))\n", "    if (step == 4) call force(1.0)\n")
            .replace("    call advance(a, b)\n", "    if (step < 4) call advance(a, b)\n"),
            id="one or the other",
        ),
        pytest.param(SCALAR_OF_AN_OBJECT, id="a scalar dummy that stands for a component"),
    ],
)
def test_what_may_be_right_is_not_reported(program, text):
    assert found(program, text) == []


def test_a_switch_hides_nothing(program):
    text = SWITCHED.replace("    !$acc update self(b)\n", "")
    message, line = found(program, text)[0]
    assert "b" in message and line == text.split("\n").index("    print *, b") + 1


@pytest.mark.parametrize(
    ("was", "now", "line", "message"),
    [
        pytest.param(
            "    !$acc update device(a)\n", "", 23, "'a' is read by a kernel", id="no update device"
        ),
        pytest.param(
            "    !$acc update self(b)\n", "", 35, "'b' is read on the host", id="no update self"
        ),
        pytest.param(
            "      b(i) = 2.0*a(i)\n    end do\n",
            "      if (a(i) > 0.0) b(i) = 2.0\n    end do\n    print *, b\n",
            16,
            "'b' is read on the host",
            id="written on a condition, read as a whole",
        ),
        pytest.param("update device(a)", "update self(a)", 32, "older value", id="device to self"),
        pytest.param("update self(b)", "update device(b)", 35, "older value", id="self to device"),
        pytest.param(
            "copyin(a)", "create(a)", 14, "nothing brings to the device", id="create for copyin"
        ),
        pytest.param(
            " create(b)", "", 14, "'b' has to be on the device here", id="not mapped at all"
        ),
        pytest.param(
            "    !$acc parallel loop default(present)\n    do i = 1, n\n      y(i)",
            "    do i = 1, n\n      y(i)",
            22,
            "'b' is read on the host",
            id="kernel on the host",
        ),
    ],
)
def test_a_value_that_no_way_brings_is_reported_where_it_is_used(program, was, now, line, message):
    told = found(program, replaced(was, now))
    assert [(at, message in text) for text, at in told[:1]] == [(line, True)], told


def test_a_declared_table_is_followed_too(program):
    text = replaced("  real, allocatable :: a(:), b(:)\n",
                    "  real :: a(n), b(n)\n  !$acc declare create(a, b)\n")  # fmt: skip
    text = text.replace("    allocate (a(n), b(n))\n", "").replace(
        "    !$acc enter data copyin(a) create(b)\n", "    !$acc update device(a)\n"
    )
    assert found(program, text) == []
    assert len(found(program, text.replace("    !$acc update device(a)\n", ""))) >= 1


SUM = """\
program p
  real :: a(8), total
  integer :: i
  a = 1.0
  total = 0.0
  !$acc parallel loop {clauses} reduction(+:total)
  do i = 1, 8
    total = total + a(i)
  end do
  print *, total
end program p
"""


@pytest.mark.parametrize(
    ("clauses", "lines"),
    [
        ("", []),
        ("copyin(a) copy(total)", []),
        ("copyin(a, total)", [10]),
        ("copyin(a) create(total)", [10]),
        ("copyin(a) present(total)", []),
    ],
)
def test_the_result_of_a_reduction_has_to_come_back(program, clauses, lines):
    assert [line for _, line in found(program, SUM.format(clauses=clauses))] == lines


def test_a_sum_in_a_variable_that_stays_on_the_device_has_to_be_fetched(program):
    text = SUM.format(clauses="default(present)").replace(
        "  !$acc parallel", "  !$acc enter data copyin(a, total)\n  !$acc parallel"
    )
    assert [line for _, line in found(program, text)] == [11]
    fetched = text.replace("  print", "  !$acc update self(total)\n  print")
    assert found(program, fetched) == []


def test_a_program_of_too_many_ways_is_left_to_the_runs(program, monkeypatch):
    wrong = replaced("    !$acc update self(b)\n", "")
    assert found(program, wrong)
    monkeypatch.setattr(walk, "_WORK", 20)
    assert not found(program, wrong)
