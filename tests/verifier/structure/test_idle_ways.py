"""When does a procedure do nothing that its caller can see?"""

import pytest

from acclimate.analysis.ir import Unit
from acclimate.analysis.project import read_project
from acclimate.analysis.tree.manifest import Manifest
from acclimate.verifier.structure.idle_ways import Left, idle_lines, left_behind
from acclimate.verifier.structure.size_facts import ways

HEAD = """\
subroutine s(n, m, a, w, b, k)
  implicit none
  integer, intent(in) :: n, m
  real, intent(inout) :: a(n), w(n, 0:m), b(:)
  integer, intent(inout) :: k
  integer :: i, j
  real :: t
"""


@pytest.fixture
def version(tmp_path):
    def make(body: str, before: str = "", use: str = "", declared: str = "") -> Unit:
        head = HEAD.replace("  implicit none\n", f"{use}  implicit none\n")
        (tmp_path / "s.f90").write_text(f"{before}{head}{declared}{body}end subroutine s\n")
        manifest = Manifest(root=tmp_path, name="s", sources=("s.f90",))
        return read_project(manifest).units["s"]

    return make


@pytest.mark.parametrize(
    ("condition", "body"),
    [
        ("n < 1", "k = 0\n"),  # an effect
        ("n < 1", "do i = 0, n\n a(1) = 0.\n k = k + 1\nend do\n"),  # one iteration
        ("n < 1", "do i = 1, m\n b(i) = 0.\nend do\n"),  # of another size
        ("n < 1", "call other(n)\n"),
        ("n < 1", "print *, n\n"),
        ("n < 1", "t = f(n)\n"),  # an external function
        ("n < 2", "a = 0.\n"),
        ("t < 1", "a = 0.\n"),  # no whole number, and set
        ("n < 1 .or. m < 5", "a = 0.\n"),
        ("n /= 1", "a = 0.\n"),
        ("n < 1", "if (m > 3) stop\n"),
        ("n < 1", "do while (t < 3.)\n t = t + 1.\nend do\n"),
        ("n < 1", "if (n > 0) return\nk = 1\n"),  # the way that is not taken
        ("n < 1", "do k = 1, n\nend do\n"),  # the index is the caller's
        ("n < 1", "w(1, 0) = 1.\nb(1) = 0.\n"),
    ],
)
def test_what_may_be_seen_is_no_nothing(version, condition, body):
    assert not all(
        left_behind(version(body), f) == Left() for f in condition_of(version, condition)
    )


@pytest.mark.parametrize(
    ("condition", "body"),
    [
        ("n < 1", "do i = 1, n\n k = k + 1\nend do\n"),
        ("n <= 0", "do i = n, 1, -1\n k = k + 1\nend do\n"),
        ("n == 0", "a = 0.\nw(:, :) = 1.\n"),
        ("1 > n", "do j = 0, m\n t = 0.\n do i = 1, n\n  w(i, j) = t\n end do\nend do\n"),
        ("n < 1 .or. m < 0", "do j = 0, m\n do i = 1, n\n  k = k + i\n end do\nend do\n"),
        (".not. (n >= 1 .and. m >= 0)", "w = 0.\n"),
        ("n < 1 .and. m > 3", "a = 0.\n"),
        ("n < 1", "if (n < 1) return\nk = 1\n"),
        ("n < 1", "if (n > 0) then\n k = 1\nelse\n t = 2.\nend if\n"),
    ],
)
def test_empty_arrays_and_loops_do_nothing(version, condition, body):
    assert all(left_behind(version(body), f) == Left() for f in condition_of(version, condition))


@pytest.mark.parametrize(
    "original",
    [
        "associate (n => m)\n if (n < 1) k = 7\nend associate\n",
        "block\n integer :: n\n n = m\n if (n < 1) k = 7\nend block\n",
    ],
)
def test_names_of_inner_scopes_are_not_the_procedure_s(version, original):
    assert not lines(version(original), version(original.replace("7", "5")))


def test_a_module_s_array_has_its_own_extents(version):
    with_module = """\
module sizes
  integer, parameter :: n = 10
  real :: f(n)
end module sizes
"""
    body = "if (n < 1) then\n f(1) = 7.\n return\nend if\n"
    port = version(body, before=with_module, use="  use sizes, only: f\n")
    assert not lines(port, version("f(1) = 5.\n", with_module, "  use sizes, only: f\n"))


def test_what_is_kept_from_call_to_call_may_be_seen(version):
    saved = version("kept = 1\n", use="", declared="  integer, save :: kept\n")
    assert not all(left_behind(saved, f) == Left() for f in condition_of(version, "n < 1"))


def condition_of(version, condition: str):
    asked = version(f"if ({condition}) t = 0.\n").body[0]
    return ways(asked.branches[0].condition, wanted=True)


def lines(port: Unit, original: Unit) -> frozenset[int]:
    return idle_lines(port, original, original)


RETURN = "if (n < 1) return\n"
LOOP = "do i = 1, n\n k = k + a(i)\nend do\n"


@pytest.mark.parametrize(
    ("port", "original"),
    [
        (RETURN + LOOP, LOOP + "k = 1\n"),
        (f"if (n < 1) return; if (m > 5) k = 7\n{LOOP}", LOOP),  # two on one line
        (f"if (n < 1) then\n if (m > 3) return\n k = 0\n return\nend if\n{LOOP}", "k = 0\n"),
        (f"if (n > 0) k = n\n{LOOP}", LOOP),
        (f"a(1) = 0.\n{RETURN}{LOOP}", LOOP),  # not an element of `a` then
        (f"j = m/n\n{RETURN}{LOOP}", LOOP),
        (f"t = a(1)\n{RETURN}{LOOP}", LOOP),
        (f"j = k .foo. m\n{RETURN}{LOOP}", LOOP),
        (f"if (j == .foo. m) t = 1.\n{RETURN}{LOOP}", LOOP),
        (f"!$acc enter data copyin(k)\n{RETURN}{LOOP}", LOOP),
        (f"!$acc update self(b)\n{RETURN}{LOOP}", LOOP),
        (RETURN + LOOP, f"if (m > 0) call more(n)\n{LOOP}"),
    ],
)
def test_a_way_that_may_do_more_wants_a_run(version, port, original):
    assert not lines(version(port), version(original))


def test_a_return_in_front_of_nothing_is_excused(version):
    port = version(f"t = 0.\nif (n < 1 .or. m < 0) then\n return\nend if\n{LOOP}")
    rows = "do j = 0, m\n t = a(n)/2.\n do i = 1, n\n  w(i, j) = t\n end do\nend do\n"
    assert lines(port, version(rows)) == {*range(port.body[1].at.first, port.body[1].end.last + 1)}


def test_a_number_that_both_set_is_no_difference(version):
    loop = "do i = 1, n\n k = k + 1\nend do\n"
    port = version(f"k = 0\nif (n < 1) return\n{loop}")
    assert lines(port, version(f"k = 0\n{loop}")) == {port.body[1].at.first}
    assert not lines(port, version(loop))
    assert not lines(port, version(f"k = 1\n{loop}"))
    assert not lines(port, version(f"k = 0\n{loop}if (n < m) k = 2\n"))
    assert not lines(port, version(f"if (m > 2) then\n k = 0\nend if\n{loop}"))
