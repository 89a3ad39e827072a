"""When does a procedure do nothing that its caller can see?"""

import pytest

from acclimate.analysis.project import read_project
from acclimate.analysis.tree.manifest import Manifest
from acclimate.verifier.structure.idle_ways import Version, idle_lines, left_behind, ways

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
    def make(body: str, before: str = "", use: str = "", declared: str = "") -> Version:
        head = HEAD.replace("  implicit none\n", f"{use}  implicit none\n")
        (tmp_path / "s.f90").write_text(f"{before}{head}{declared}{body}end subroutine s\n")
        project = read_project(Manifest(root=tmp_path, name="s", sources=("s.f90",)))
        return Version(project, project.units["s"])

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
    assert not all(left_behind(version(body), f) == {} for f in condition_of(version, condition))


@pytest.mark.parametrize(
    ("condition", "body"),
    [
        ("n < 1", "do i = 1, n\n k = k + 1\nend do\n"),
        ("n <= 0", "do i = n, 1, -1\n k = k + 1\nend do\n"),
        ("n == 0", "a = 0.\nw(:, 0) = 1.\n"),
        ("1 > n", "do j = 0, m\n t = 0.\n do i = 1, n\n  w(i, j) = t\n end do\nend do\n"),
        ("n < 1 .or. m < 0", "do j = 0, m\n do i = 1, n\n  k = k + i\n end do\nend do\n"),
        (".not. (n >= 1 .and. m >= 0)", "w = 0.\n"),
        ("n < 1 .and. m > 3", "a = 0.\n"),
        ("n < 1", "if (n < 1) return\nk = 1\n"),
        ("n < 1", "if (n > 0) then\n k = 1\nelse\n t = 2.\nend if\n"),
        ("size(b) < 1", "do i = 1, size(b)\n k = k + 1\nend do\n"),
        ("n < 1", "t = sqrt(real(m))\nwhere (a > t) a = t\n"),
    ],
)
def test_empty_arrays_and_loops_do_nothing(version, condition, body):
    assert all(left_behind(version(body), f) == {} for f in condition_of(version, condition))


@pytest.mark.parametrize(
    "original",
    [
        "associate (n => m)\n if (n < 1) k = 7\nend associate\n",
        "block\n integer :: n\n n = m\n if (n < 1) k = 7\nend block\n",
    ],
)
def test_names_of_inner_scopes_are_not_the_procedure_s(version, original):
    assert not idle_lines(version(original), version(original.replace("7", "5")))


def test_a_module_s_array_has_its_own_extents(version):
    with_module = """\
module sizes
  integer, parameter :: n = 10
  real :: f(n)
end module sizes
"""
    body = "if (n < 1) then\n f(1) = 7.\n return\nend if\n"
    port = version(body, before=with_module, use="  use sizes, only: f\n")
    assert not idle_lines(port, version("f(1) = 5.\n", with_module, "  use sizes, only: f\n"))


def test_what_is_kept_from_call_to_call_may_be_seen(version):
    saved = version("kept = 1\n", use="", declared="  integer, save :: kept\n")
    assert not all(left_behind(saved, f) == {} for f in condition_of(version, "n < 1"))


def condition_of(version, condition: str):
    asked = version(f"if ({condition}) t = 0.\n").unit.body[0]
    return ways(asked.branches[0].condition, wanted=True)


def test_only_the_idle_way_is_excused(version):
    loop = "do i = 1, n\n k = k + a(i)\nend do\n"
    port = version(f"if (n > 0) then\n{loop}end if\n")
    first = port.unit.body[0].at.first
    assert idle_lines(port, version(loop)) == {first}
    assert not idle_lines(port, version(loop + "k = 1\n"))
    assert not idle_lines(version(f"if (n > 0) k = n\n{loop}"), version(loop))


def test_a_number_that_both_set_is_no_difference(version):
    loop = "do i = 1, n\n k = k + 1\nend do\n"
    port = version(f"k = 0\nif (n < 1) return\n{loop}")
    assert idle_lines(port, version(f"k = 0\n{loop}")) == {port.unit.body[1].at.first}
    assert not idle_lines(port, version(loop))
    assert not idle_lines(port, version(f"k = 1\n{loop}"))
    assert not idle_lines(port, version(f"k = 0\n{loop}if (n < m) k = 2\n"))
    assert not idle_lines(port, version(f"if (m > 2) then\n k = 0\nend if\n{loop}"))
