"""Which programs take nothing in."""

import pytest

from acclimate.analysis.project import read_project
from acclimate.analysis.tree.manifest import Manifest
from acclimate.verifier.trials.closed_programs import is_closed

TEXT = """\
program p
  implicit none
  real :: a(8)
  integer :: i
  logical :: there
  a = 1.0
  print *, sum(sqrt(a))
end program p
"""


def closed(root, statement: str) -> bool:
    (root / "p.f90").write_text(TEXT.replace("  print", f"  {statement}\n  print"))
    manifest = Manifest(root=root, name="p", sources=("p.f90",))
    return is_closed(read_project(manifest), manifest)


@pytest.mark.parametrize(
    "statement",
    [
        "open (1, file='restart.flag', status='old', iostat=i)",
        "open (1, file='out.txt')",
        "open (1, file='out.txt', status=trim('old'))",
        "if (a(1) > 0) open (1, file='out.txt', status='unknown')",
        "inquire (file='restart.flag', exist=there)",
        "read (*, *) i",
        "call random_number(a)",
        "call get_environment_variable('X', length=i)",
        "call system_clock(i)",
        "i = iargc()",
        "i = time()",
        "i = getpid()",
        "call elsewhere(a)",
    ],
)
def test_a_program_that_asks_for_anything_is_not_closed(tmp_path, statement):
    assert not closed(tmp_path, statement)


@pytest.mark.parametrize(
    "statement",
    [
        "open (1, file='out.txt', status='replace')",
        "open (1, status='SCRATCH')",
        "write (*, *) max(a(1), 2.0)",
        "a = cshift(a, 1)",
    ],
)
def test_a_program_that_only_computes_and_writes_is(tmp_path, statement):
    assert closed(tmp_path, statement)
