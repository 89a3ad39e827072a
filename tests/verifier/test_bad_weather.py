"""Runs in bad weather: each fails the numerics light with a message of its own."""

import pytest

from acclimate.analysis.tree.manifest import Manifest
from acclimate.analysis.tree.run_spec import RunSpec
from acclimate.verifier.checks.host_run import host_run
from acclimate.verifier.evidence import Light, Outcome
from acclimate.verifier.running import runs
from acclimate.verifier.subject import Subject
from acclimate.verifier.toolchains import toolchain

pytestmark = pytest.mark.gfortran

GOOD = """\
program p
  implicit none
  real(8) :: x(8)
  integer :: i
  do i = 1, 8
    x(i) = sqrt(real(i - 0, 8))
  end do
  open (7, file='x.unf', form='unformatted')
  write (7) x
  close (7)
  open (8, file='log.txt')
  write (8, '(a,es24.16)') 'sum ', sum(x)
  write (8, '(a,es24.16)') 'top ', maxval(x)
  close (8)
  print *, 'success'
end program p
"""
NOTHING = "program p\nend program p\n"
NAN = GOOD.replace("i - 0", "i - 3")
LAST = "  print *, 'success'\n"
CUT = (
    "  open (7, file='x.unf', access='stream', status='old')\n"
    "  write (7) 640\n  close (7)\n"  # the record says more than there is
)
WEATHER = {
    "NaN in both": (NAN, NAN, "first in both runs"),
    "missing variable": (GOOD, GOOD.replace("file='x.unf'", "file='y.unf'"), "x.unf: no output"),
    "zero compared": (NOTHING, NOTHING, "not one value was compared"),
    "shape changed": (GOOD, GOOD.replace("write (7) x", "write (7) x(1:7)"), "shape"),
    "truncated dump": (GOOD, GOOD.replace(LAST, CUT + LAST), "truncated"),
    "success and a bad exit": (GOOD, GOOD.replace(LAST, LAST + "  stop 3\n"), "exit code 3"),
    "never ends": (GOOD, GOOD.replace(LAST, "  do while (x(1) > 0)\n  end do\n"), "did not end"),
    "eats memory": (
        GOOD,
        GOOD.replace(LAST, "  block\n    real(8), allocatable :: b(:)\n"
                           "    allocate (b(10**9))\n    b = 1\n  end block\n"),
        "memory",
    ),
    "eats disk": (
        GOOD,
        GOOD.replace(LAST, "  open (9, file='big', access='stream')\n  do i = 1, 10**7\n"
                           "    write (9) x\n  end do\n"),
        "wrote more than 4 MiB",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WEATHER)
def test_a_bad_run_fails_and_says_what_was_bad(name, tmp_path, work, monkeypatch):
    monkeypatch.setattr(runs, "_LARGEST_OUTPUT", 4)  # MiB
    original, port, message = WEATHER[name]
    sides = []
    for side, text in (("original", original), ("port", port)):
        folder = tmp_path / side
        folder.mkdir()
        (folder / "p.f90").write_text(text)
        outputs = () if text is NOTHING else ("x.unf", "log.txt")
        spec = RunSpec(outputs=outputs, time_limit=2, memory_limit=512)
        sides.append(Manifest(folder, "p", ("p.f90",), flags=("-O1",), run=spec))
    subject = Subject(sides[0], sides[1], toolchain("gfortran"), work)
    failed = [e for e in host_run(subject) if e.outcome is Outcome.FAILS]
    assert {e.light for e in failed} == {Light.NUMERICS}
    assert failed
    assert message in failed[0].message
