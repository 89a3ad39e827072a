"""A run without an update shows what the update is there for."""

from dataclasses import replace

import pytest

from acclimate.analysis.problems import Problem
from acclimate.analysis.source import Lines, apply_edits
from acclimate.analysis.tree.manifest import Manifest, RunSpec
from acclimate.verifier.mutants import left_out
from acclimate.verifier.mutants.left_out import LoggedPort, Role, logged_port
from acclimate.verifier.mutants.sampling import chosen_operators, every_mutant
from acclimate.verifier.mutants.single_updates import Update, single_updates
from acclimate.verifier.mutants.trial import Excuse, Fate, Rungs, Trial, trial
from acclimate.verifier.running.emulation import POISONS
from acclimate.verifier.subject import Subject
from acclimate.verifier.texts.source_file import SourceFile
from acclimate.verifier.toolchains import toolchain

PORT = """\
program p
  implicit none
  real(8) :: a(40), same(40), unread(40), never(40), b(40)
  integer :: i
  a = 1; same = 2; unread = 3; never = 4; b = 5
  !$acc enter data copyin(a, same, unread, never, b)
  !$acc update device(same)
  b = 6
  !$acc update &
  !$acc device(b) if(a(1) > 0)
  !$acc parallel loop default(present)
  do i = 1, 40
    a(i) = a(i) + same(i) + b(i)
    unread(i) = 0
  end do
  !$acc update self(a, unread)
  if (sum(a) < 0) then
    !$acc update device(never)
  end if
  print *, sum(a)
  !$acc exit data delete(a, same, unread, never, b)
end program
"""
A, UNREAD = (Update(Lines("p.f90", 16, 16), "self", name) for name in ("a", "unread"))
SAME = Update(Lines("p.f90", 7, 7), "device", "same")
B = Update(Lines("p.f90", 9, 10), "device", "b")
NEVER = Update(Lines("p.f90", 18, 18), "device", "never")


@pytest.mark.parametrize("form", ["free", "fixed"])
def test_each_variable_gets_a_directive_and_no_other_statement_another_line(form):
    text = PORT if form == "free" else "      x = 1\n!$acc update self(x,\n!$acc& y)\n      y = 2\n"
    file = SourceFile("p.f90", text.encode(), form, 72)
    single = single_updates([file])
    lines: dict[int, str] = {}
    row = 1
    for line in apply_edits(file.data, single.edits["p.f90"]).decode().splitlines():
        if line.startswith("# "):
            row = int(line.split()[1])
            continue
        lines[row] = line
        row += 1
    for number, line in enumerate(text.splitlines(), start=1):
        if not any(
            update.at.first <= number <= update.at.last for update in single.places.values()
        ):
            assert lines[number] == line
    for (_, number), update in single.places.items():
        assert update.variable in lines[number] or "&" in lines[number - 1]
        assert sum(name in lines[number] for name in ("unread", "same", "never")) < 2


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> LoggedPort:
    root = tmp_path_factory.mktemp("port")
    (root / "p.f90").write_text(PORT)
    manifest = Manifest(root, "p", ("p.f90",), run=RunSpec(time_limit=20))
    return logged_port(Subject(None, manifest, toolchain("gfortran"), root / "work"))


@pytest.mark.gfortran
def test_what_an_update_has_done_is_counted_by_variable(port):
    assert port.findings == ()
    assert {update: found.role for update, found in port.copies.items()} == {
        A: Role.BRINGS,
        UNREAD: Role.BRINGS,
        B: Role.BRINGS,
        SAME: Role.IDLE,
        NEVER: Role.NONE,
    }


@pytest.mark.gfortran
def test_what_is_read_stale_without_an_update_is_named(port):
    without = port.without([A], POISONS[0])
    assert {f.kind for f in without.findings} == {"stale-on-host"}
    assert {f.at.line for f in without.findings} <= {17, 20}
    assert without.difference
    (finding,) = port.without([B], POISONS[0]).findings
    assert (finding.kind, finding.at.line) == ("stale-on-device", 13)
    assert not port.brings_unused([A])


@pytest.mark.gfortran
def test_a_run_that_ends_well_and_reports_nothing_shows_nothing(port, monkeypatch):
    silent = replace(port.whole[POISONS[0]], summaries=())
    assert silent.run.ok
    monkeypatch.setattr(left_out, "_emulated", lambda *given: silent)
    with pytest.raises(Problem, match="has made all of them"):
        port.without([UNREAD], POISONS[0])


@pytest.mark.gfortran
def test_what_nothing_reads_is_not_missed(port):
    without = port.without([UNREAD], POISONS[0])
    assert (without.findings, without.difference) == ((), "")
    assert port.brings_unused([UNREAD])


@pytest.mark.gfortran
@pytest.mark.parametrize(
    ("update", "fate", "excuse"),
    [
        (A, Fate.KILLED, Excuse.NONE),
        (UNREAD, Fate.SURVIVED, Excuse.UNUSED),
        (SAME, Fate.SURVIVED, Excuse.EQUAL_COPIES),
        (NEVER, Fate.SURVIVED, Excuse.UNREACHED),
    ],
)
def test_a_survivor_is_excused_by_what_was_measured_only(port, material, update, fate, excuse):
    operators = chosen_operators(["drop_update_self", "drop_update_device"])
    every = every_mutant(material(PORT, "p.f90"), operators)
    (mutant,) = (m for found in every.values() for m in found if m.updates == (update,))
    read = Trial(Fate.SURVIVED, "inconclusive", 0.0)
    found = trial(port.subject, mutant, Rungs.ALL, read, port)
    assert (found.fate, found.excuse) == (fate, excuse)
    assert found.check == ("access_log" if fate is Fate.KILLED else "")
