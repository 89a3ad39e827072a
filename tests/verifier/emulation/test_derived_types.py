"""Structures with allocatable components: the order that works, and what breaks it."""

import pytest

from acclimate.verifier.running.emulation import POISONS

pytestmark = pytest.mark.gfortran

STATE = """\
module states
  implicit none
  type :: state
    integer :: n = 0
    real(8) :: dt = 0
    real(8), allocatable :: a(:, :), b(:)
  end type
contains
  subroutine setup(s)
    type(state), intent(inout) :: s
    s%n = 4
    s%dt = 0.5d0
    allocate (s%a(0:3, 5), s%b(4))
    s%a = 1
    s%b = 2
  end subroutine
end module
program p
  use states
  implicit none
  type(state) :: s
  integer :: i, j
  call setup(s)
  {enter}
  {between}
  !$acc parallel loop collapse(2) {clause}
  do j = 1, 5
    do i = 1, s%n
      s%a(i - 1, j) = s%a(i - 1, j) + s%b(i) * s%dt
    end do
  end do
  {after}
  print *, nint(sum(s%a))
end program
"""
STRUCTURE_FIRST = "!$acc enter data copyin(s)\n  !$acc enter data copyin(s%a, s%b)"


def state(
    enter: str = STRUCTURE_FIRST,
    between: str = "",
    clause: str = "default(present)",
    after: str = "!$acc update self(s%a)",
) -> str:
    return STATE.format(enter=enter, between=between, clause=clause, after=after)


@pytest.mark.parametrize(
    ("source", "kind", "words"),
    [
        pytest.param(
            state(enter="!$acc enter data copyin(s%a, s%b)\n  !$acc enter data copyin(s)"),
            "partially-present",
            [],
            id="components before the structure",
        ),
        pytest.param(
            state(enter="!$acc enter data copyin(s%a, s%b)"),
            "partially-present",
            [],
            id="no structure",
        ),
        pytest.param(
            state(between="!$acc update device(s)"), "attached-copy", ["40"], id="update device(s)"
        ),
        pytest.param(
            state(after="!$acc update self(s%a)\n  !$acc update self(s)"),
            "attached-copy",
            ["40"],
            id="update self(s)",
        ),
        pytest.param(
            state(between="!$acc update device(s%a)"),
            "component-update",
            ["40"],
            id="update device of a component",
        ),
        pytest.param(
            state(enter="").replace(
                "  call setup(s)",
                "  !$acc enter data copyin(s)\n  call setup(s)\n"
                "  !$acc enter data copyin(s%a, s%b)\n  !$acc update device(s%n, s%dt)",
            ),
            "stale-descriptor",
            ["40"],
            id="structure before allocate",
        ),
        pytest.param(
            state(enter="!$acc enter data copyin(s%a, s%b)", clause="present(s%a, s%b)")
            .replace("1, s%n", "1, 4")
            .replace("* s%dt", "* 0.5d0"),
            "stale-descriptor",
            ["40"],
            id="components alone",
        ),
        pytest.param(
            state(after="!$acc exit data delete(s)\n  !$acc exit data delete(s%a, s%b)"),
            "exit-absent",
            ["20"],
            id="structure leaves first",
        ),
    ],
)
def test_what_breaks_it_is_named(emulate, source, kind, words):
    run = emulate(source)
    assert run.kinds == {kind}
    assert run.words == words


@pytest.mark.parametrize("poison", POISONS)
@pytest.mark.parametrize(
    "source",
    [
        pytest.param(state(), id="default(present)"),
        pytest.param(state(clause="present(s)"), id="present(s)"),
        pytest.param(
            state(clause="copyin(s)", enter="!$acc enter data copyin(s)")
            .replace("{between}", "")
            .replace("  !$acc parallel", "  !$acc enter data copyin(s%a, s%b)\n  !$acc parallel"),
            id="copy clause on present data",
        ),
        pytest.param(
            state(after="!$acc exit data copyout(s%a) delete(s%b)\n  !$acc exit data delete(s)"),
            id="copyout of a component",
        ),
        pytest.param(
            state(
                enter="!$acc data copyin(s)\n  !$acc data copy(s%a) copyin(s%b)",
                after="!$acc end data\n  !$acc end data",
            ),
            id="regions",
        ),
        pytest.param(
            state(
                between="s%a = 1\n  associate (x => s%a)\n  !$acc update device(x)\n  end associate"
            ),
            id="update device by another name",
        ),
    ],
)
def test_the_order_that_works(emulate, source, poison):
    run = emulate(source, poison=poison)
    assert (run.code, run.words, run.kinds) == (0, ["40"], set())


def test_a_scalar_component_lives_on_the_device(emulate):
    assert emulate(state(between="s%dt = 5")).words == ["40"]
    assert emulate(state(between="s%dt = 5\n  !$acc update device(s%dt)")).words == ["220"]


def test_types_in_types_and_arrays_of_types(emulate):
    source = """\
program p
  implicit none
  type :: inner
    real(8), allocatable :: q(:)
    real(8) :: z
  end type
  type :: outer
    type(inner) :: one, two(2)
    type(inner), allocatable :: many(:)
  end type
  type(outer) :: g
  integer :: i
  allocate (g%many(2))
  allocate (g%{part}%q(8))
  g%{part}%q = 1
  g%{part}%z = 3
  !$acc enter data copyin(g)
  !$acc enter data copyin(g%many)
  !$acc enter data copyin(g%{part}%q)
  !$acc parallel loop default(present)
  do i = 1, 8
    g%{part}%q(i) = g%{part}%q(i) + g%{part}%z
  end do
  !$acc update self(g%{part}%q)
  print *, nint(sum(g%{part}%q))
end program
"""
    for part in ("one", "two(2)", "many(2)"):
        run = emulate(source.format(part=part))
        assert (run.words, run.kinds) == (["32"], set())
