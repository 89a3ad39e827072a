"""The acceptance of the whole ladder: a right port passes, one defect is named with its place."""

from shutil import rmtree

import pytest

from acclimate.verifier.ladder import examine

pytestmark = [pytest.mark.gfortran, pytest.mark.slow]

KEEP = "    !$acc parallel loop gang vector private(c, d, b, k) present(theta)\n"
SUM = "    !$acc&  reduction(+:rained) present(theta, q, exner)\n"
CARRIED = "    do k = 2, nz\n      p(k)"

DEFECTS = {
    "a copyin dropped": (
        ("state.f90", "copyin(theta, q, exner)", "copyin(theta, q) create(exner)"),
        ("data", "physics.f90", 16),
    ),
    "a mapping dropped": (
        ("state.f90", "copyin(theta, q, exner)", "copyin(theta, q)"),
        ("data", "physics.f90", 12),
    ),
    "an update self dropped": (
        ("column.f90", "  !$acc update self(theta, q)\n", ""),
        ("data", "dynamics.f90", 40),
    ),
    "a private array dropped": (
        ("physics.f90", KEEP, KEEP.replace("c, d, ", "")),
        ("races", "physics.f90", 31),
    ),
    "a private scalar dropped": (
        ("physics.f90", " private(qs, dq)", ""),
        ("races", "physics.f90", 12),
    ),
    "a reduction dropped": (
        ("physics.f90", SUM, SUM.replace("reduction(+:rained) ", "")),
        ("races", "physics.f90", 12),
    ),
    "a carried loop parallelised": (
        ("dynamics.f90", CARRIED, "    !$acc parallel loop copy(p) copyin(theta)\n" + CARRIED),
        ("races", "dynamics.f90", 39),
    ),
    "a sign flipped": (
        ("physics.f90", "q(i,k) - dq\n", "q(i,k) + dq\n"),
        ("numerics", "physics.f90", 18),
    ),
    "an array too short": (
        ("physics.f90", "d(40), b", "d(11), b"),
        ("races", "physics.f90", 36),
    ),
    "a loop too short": (
        (
            "dynamics.f90",
            "    do k = 1, nz\n      theta(0,k)",
            "    do k = 2, nz\n      theta(0,k)",
        ),
        ("numerics", "dynamics.f90", 9),
    ),
}


@pytest.mark.parametrize(("change", "place"), DEFECTS.values(), ids=DEFECTS)
def test_one_defect_is_named_with_file_line_and_light(column, failures, change, place):
    subject = column(change)
    examination = examine(subject)
    assert examination.assessment.verdict == "reject"
    assert place in failures(list(examination.assessment.evidence))


def test_a_right_port_is_accepted_and_measured(column):
    said: list[str] = []
    examination = examine(column(), said.append)
    lights = {"data": "holds", "races": "holds", "numerics": "holds", "device": "inconclusive"}
    assert (examination.assessment.verdict, examination.assessment.lights) == ("accept", lights)
    assert examination.launches_per_step == 5
    assert examination.bytes_per_step == 0
    assert "difference of two runs" in examination.per_step_basis
    assert examination.totals["launches"] == 30
    assert ("physics.f90", 29) in {(k.file, k.line) for k in examination.kernels}
    assert 18 in examination.executed_lines["physics.f90"]
    assert sum(line.startswith("check host_run (") for line in said) == 1


def test_the_second_examination_runs_nothing(column):
    subject = column()
    first = examine(subject)
    again = examine(subject)
    assert again.cached
    assert again.assessment == first.assessment
    assert again.kernels == first.kernels


def test_an_interrupted_examination_goes_on_with_the_check_it_was_in(program):
    text = "program p\n  print *, 1.5\nend program p\n"
    port = text.replace("1.5", "3.0/2.0")

    def killed(said: str) -> None:
        if said.startswith("check bounds"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        examine(program(port, text), killed)
    said: list[str] = []
    resumed = examine(program(port, text), said.append)
    assert [line.split()[1] for line in said if line.startswith("check")][0] == "bounds"
    assert not any("original-again" in line for line in said)
    rmtree(program(port, text).work / "examinations")
    whole = examine(program(port, text))
    assert resumed.assessment == whole.assessment
    assert resumed.timings.keys() == whole.timings.keys()


def test_without_an_original_the_other_rungs_judge(column):
    examination = examine(column(original=False))
    assert examination.assessment.verdict == "inconclusive"
    assert examination.assessment.lights["numerics"] == "inconclusive"
    assert examination.assessment.lights["data"] == "holds"


def test_stopping_at_the_first_failure_still_names_a_place(column, failures):
    change = ("column.f90", "  !$acc update self(theta, q)\n", "")
    examination = examine(column(change), stop_at_first_failure=True)
    assert ("data", "dynamics.f90", 40) in failures(list(examination.assessment.evidence))


def test_an_unported_program_is_accepted_as_it_is(program):
    text = "program p\n  print *, 1.5\nend program p\n"
    assert examine(program(text, text)).assessment.verdict == "accept"
