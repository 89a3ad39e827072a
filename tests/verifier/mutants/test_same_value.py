"""Only a statement that never had another value is as right as the port in these runs."""

import pytest

from acclimate.analysis.source import Lines
from acclimate.analysis.tree.manifest import Manifest, RunSpec
from acclimate.verifier.mutants.mutant import Family, Mutant
from acclimate.verifier.mutants.same_value import has_same_value
from acclimate.verifier.subject import Subject
from acclimate.verifier.toolchains import toolchain

pytestmark = pytest.mark.gfortran

PORT = """\
module state
  implicit none
  integer :: total, begun = 0
  type cell
    integer :: level
  end type cell
contains
  subroutine clear(first)
    integer, intent(inout) :: first
    integer, save :: calls
    integer :: sums(first + 1), again(4)
    calls = 0
    sums = 0
    again(1) = 0
    first = 0
    total = total + first + calls + sums(1) + again(1)
  end subroutine clear
end module state
program p
  use state
  implicit none
  integer :: shared, one, other, given
  type(cell) :: place
  common /block/ shared
  equivalence (one, other)
  real(8) :: x(4), third
  real(8), allocatable :: y(:)
  integer :: i, n, k
  k = 0
  total = 0
  begun = 0
  shared = 0
  one = 0
  place%level = 0
  given = 0
  given = 0*1
  call clear(given)
  allocate (y(4))
  y(1) = 0
  n = 4
  n = 4 + 0
  third = 1.0d0/3.0d0
  do i = 1, n
    x(i) = real(i, 8)
    if (x(i) < 9.0d0 .or. n > 5) then
      x(i) = x(i) + third
    else if (n == 3) then
      x(i) = 0
    end if
    if (i == 9) x(i) = 0
10  x(i) = 2*x(i)
  end do
  print *, x, y(1), k, total, begun, shared, other, place%level, given
end program p
"""


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Subject:
    root = tmp_path_factory.mktemp("port")
    (root / "p.f90").write_text(PORT)
    manifest = Manifest(root, "p", ("p.f90",), run=RunSpec(time_limit=20))
    return Subject(manifest, manifest, toolchain("gfortran"), root / "work")


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("real(i, 8)", "real(real(i, 8), 4)", True),
        ("1.0d0/3.0d0", "real(1.0d0/3.0d0, 4)", False),
        (".or. n > 5", ".or. n > 6", True),
        (".or. n", ".and. n", False),
        ("x(i) = x(i) + third", "x(i) = x(i) + third*n/4", True),
        ("x(i) = x(i) + third", "x(n) = x(i) + third", False),
        ("n = 4", "continue", False),
        ("n = 4 + 0", "continue", True),
        ("k = 0", "continue", False),  # the memory may hold another value
        ("y(1) = 0", "continue", False),
        ("total = 0", "continue", False),  # the memory of a module holds zeros
        ("  begun = 0", "  continue", True),  # its declaration says the same
        ("shared = 0", "continue", False),
        ("one = 0", "continue", False),
        ("place%level = 0", "continue", False),
        ("calls = 0", "continue", False),
        ("sums = 0", "continue", False),
        ("again(1) = 0", "continue", False),
        ("first = 0", "continue", False),  # what is handed over may be any of these
        ("given = 0*1", "continue", True),
        ("do i = 1, n", "do i = 1, n + 0", False),  # no question of one value
        ("else if (n == 3)", "else if (n == 2)", False),
        ("if (i == 9) x", "if (i == 8) x", True),
        ("if (i == 9) x", "if (i == 2) x", False),
        ("if (i == 9) x(i) = 0", "if (i == 9) x(i) = 1", False),  # two questions
        ("10  x(i) = 2*x", "10  x(i) = 2.0*x", False),  # a jump would go round the question
    ],
)
def test_it_is_asked_before_every_execution(base, old, new, same):
    rows = PORT.split("\n")
    row = next(n for n, text in enumerate(rows, start=1) if old in text)
    before = rows[row - 1]
    unit = "p" if row > rows.index("program p") else "state::clear"
    mutant = Mutant(
        "any", Family.STATEMENT, Lines("p.f90", row, row), unit, "", (before,),
        (before.replace(old, new),),
    )  # fmt: skip
    assert has_same_value(base, mutant) is same
