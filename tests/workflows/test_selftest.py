"""`acclimate selftest`: what it prints, writes and ends with. Only what reads is climbed here."""

import json

import pytest

from acclimate.workflows._exit import Exit
from acclimate.workflows.cli import main

PORT = """\
program p
  implicit none
  integer, parameter :: n = 8
  real(8) :: a(n), total, t
  integer :: i
  total = 0
  a = 1
  !$acc data copyin(a)
  !$acc parallel loop private(t) reduction(+:total)
  do i = 1, n
    t = 2*a(i)
    total = total + t
  end do
  !$acc end data
  print *, total
end program p
"""


@pytest.fixture
def selftest(tmp_path, capsys):
    for side in ("original", "port"):
        (tmp_path / side).mkdir()
        lines = PORT.splitlines(keepends=True)
        kept = [x for x in lines if side == "port" or "!$acc" not in x]
        (tmp_path / side / "p.f90").write_text("".join(kept))

    def run(*words: str) -> tuple[int, str, str]:
        places = [str(tmp_path / side / "p.f90") for side in ("original", "port")]
        code = main(["selftest", *places, "--rungs", "static", *words])
        return code, *capsys.readouterr()

    return run


def test_an_unknown_operator_is_misuse(selftest):
    code, _, errors = selftest("--operators", "drop_everything")
    assert code == Exit.MISUSED
    assert "no operator called 'drop_everything'" in errors


def test_operators_without_a_place_are_misuse(selftest):
    code, _, errors = selftest("--operators", "drop_atomic")
    assert code == Exit.MISUSED
    assert "nothing to change" in errors


@pytest.mark.gfortran
def test_every_fault_found_ends_with_0(selftest):
    code, text, _ = selftest("--operators", "drop_reduction", "reduction_operator")
    assert code == Exit.DONE
    assert "100.0 % of the faults of directives were found" in text
    assert "killed by clause_lint (static)" in text


@pytest.mark.gfortran
def test_what_reading_does_not_find_is_no_success(selftest, tmp_path):
    report = tmp_path / "told.json"
    code, _, _ = selftest("--operators", "drop_mapping", "--json", str(report))
    assert code == Exit.INCONCLUSIVE
    told = json.loads(report.read_text())
    (kind,) = [m for m in told["mutants"] if m["operator"] == "drop_mapping"][:1]
    assert (kind["standing"], kind["line"], kind["file"]) == ("open", 8, "p.f90")
    assert told["counts"]["open"] == len(told["mutants"])
