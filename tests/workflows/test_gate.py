"""`acclimate gate`: every fault has its exit code and a message that says what and where."""

import json
import shutil
from pathlib import Path

import pytest

from acclimate.workflows._exit import Exit
from acclimate.workflows.cli import main

ROOT = Path(__file__).parents[2]
LORENZ = ROOT / "benchmarks" / "lorenz96"
SAMPLE = ROOT / "sample_model"
OWN = shutil.ignore_patterns("runs", "kept")

pytestmark = [pytest.mark.gfortran, pytest.mark.slow]


def copy(model, folder):
    return Path(shutil.copytree(model, folder, ignore=OWN))


def edit(model, file, before, after):
    text = (model / file).read_text()
    assert text.count(before) == 1, f"{file} has to hold once: {before}"
    (model / file).write_text(text.replace(before, after))


@pytest.fixture(scope="module")
def chaotic(tmp_path_factory):
    """Lorenz-96 with a baseline, tolerances and times."""
    model = copy(LORENZ, tmp_path_factory.mktemp("lorenz") / "model")
    edit(
        model,
        "acclimate.toml",
        "[gate.state]",
        '[gate.speed."lorenz.nml".run]\nnsteps = 400\n\n[gate.state]',
    )
    edit(model, "lorenz.nml", "nsteps = 120", "nsteps = 60")
    assert main(["gate", "baseline", "create", str(model)]) == Exit.DONE
    assert main(["gate", "tolerance", "estimate", str(model), "--members", "4"]) == Exit.DONE
    return model


@pytest.fixture
def model(chaotic, tmp_path):
    return copy(chaotic, tmp_path / "model")


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    """The sample model with a baseline, and without times."""
    model = copy(SAMPLE, tmp_path_factory.mktemp("sample") / "cumulet")
    assert main(["gate", "baseline", "create", str(model), "--no-speed"]) == Exit.DONE
    assert main(["gate", str(model), "--mode", "strict"]) == Exit.DONE
    return model


def gate(capfd, *words):
    """Exit code, standard output and standard error of a gate."""
    capfd.readouterr()
    code = main(["gate", *map(str, words)])
    told = capfd.readouterr()
    return code, told.out, told.err


# --- the baseline is not there, or not for this -------------------------------------------------


def test_no_baseline_is_no_verdict(tmp_path, capfd):
    model = copy(LORENZ, tmp_path / "model")
    code, _, err = gate(capfd, model)
    assert code == Exit.ENVIRONMENT
    assert "there is no baseline in" in err
    assert "acclimate gate baseline create" in err


@pytest.mark.parametrize(
    ("file", "before", "after", "told"),
    [
        ("acclimate.toml", '"-O2"', '"-O3"', "flags: '-O2 -ffp-contract=off' in the baseline"),
        ("lorenz.nml", "dt = 0.05", "dt = 0.04", "lorenz.nml run dt: 0.05 in the baseline, 0.04"),
    ],
)
def test_other_settings_are_not_comparable(model, capfd, file, before, after, told):
    edit(model, file, before, after)
    code, out, err = gate(capfd, model)
    assert (code, out) == (Exit.ENVIRONMENT, "")
    assert told in err


def test_a_model_that_does_not_build_is_told_at_its_line(model, capfd):
    edit(model, "src/lorenz.f90", "total = 0.0_wp", "total = 'none'")
    code, _, err = gate(capfd, model)
    assert code == Exit.ENVIRONMENT
    assert "src/lorenz.f90:19:1: error: lorenz96 does not build" in err


def test_a_damaged_baseline_is_told(model, capfd):
    next((model / "gate" / "objects").glob("??/*")).write_bytes(b"version https://git-lfs\n")
    code, _, err = gate(capfd, model)
    assert code == Exit.ENVIRONMENT
    assert "Git LFS" in err


@pytest.mark.parametrize(
    "words",
    [
        ["PATH", "--no-such-option"],
        ["PATH", "--replace"],
        ["baseline", "destroy", "PATH"],
        ["baseline", "create", "PATH", "--mode", "strict"],
        ["baseline", "create", "PATH"],  # there is one
        ["tolerance", "estimate", "PATH", "--members", "1"],
        ["no/such/model"],
    ],
)
def test_misuse(chaotic, capfd, words):
    try:
        code, _, _ = gate(capfd, *(str(chaotic) if word == "PATH" else word for word in words))
    except SystemExit as end:  # argparse's own way
        code = end.code
    assert code == Exit.MISUSED


def test_a_tolerance_without_a_reason_is_misuse_at_its_line(model, capfd):
    file = model / "gate" / "tolerances.toml"
    file.write_text('schema = 1\n\n[[tolerance]]\nvariable = "*"\ncheck = "run"\nabs = 1.0\n')
    code, _, err = gate(capfd, model)
    assert code == Exit.MISUSED
    assert "tolerances.toml:4:1: error: the entry for '*' has no reason" in err


# --- numbers ------------------------------------------------------------------------------------


def test_nan_in_both_runs_fails(tmp_path, capfd):
    model = copy(LORENZ, tmp_path / "model")
    edit(
        model,
        "src/state_file.f90",
        "write (unit) x\n",
        "write (unit) x, sqrt(min(0.0_wp, -abs(x(1))))\n",
    )
    assert main(["gate", "baseline", "create", str(model)]) == Exit.DONE
    code, out, _ = gate(capfd, model)
    assert code == Exit.REJECTED
    assert "NaN in both runs" in out


def test_zero_variables_matched_fails(chaotic, capfd):
    code, out, _ = gate(capfd, chaotic, "--variables", "theta*")
    assert code == Exit.REJECTED
    assert "no variable of the baseline matches theta*" in out


def test_a_crash_is_a_failure_of_the_port(model, capfd):
    edit(
        model,
        "src/main.f90",
        "call step_rk4(x, dt)\n    if",
        "if (step == 7) error stop 'lost'\n    if",
    )
    code, out, _ = gate(capfd, model)
    assert code == Exit.REJECTED
    assert "the port ended with exit code 1" in out


FAULTS = {
    "one ulp": ("if (step == 5) now%qv(3, 3, 3) = nearest(now%qv(3, 3, 3), 1.0_wp)", "qv", 5),
    "one point": ("if (step == 3) now%rth(4, 4, 4) = now%rth(4, 4, 4)*1.0001_wp", "rho_theta_m", 3),
}


@pytest.mark.parametrize(("line", "variable", "step"), FAULTS.values(), ids=FAULTS)
def test_sample_one_value_is_found_where_it_is(sample, tmp_path, capfd, line, variable, step):
    port = copy(sample, tmp_path / "port")
    edit(
        port,
        "src/cumulet.f90",
        "    call halo_state(now)\n",
        f"    {line}\n    call halo_state(now)\n",
    )
    code, out, _ = gate(capfd, port, "--mode", "strict")
    assert code == Exit.REJECTED
    first = next(text for text in out.splitlines() if text.startswith("'"))
    assert first.startswith(f"'dump_*.fld:{variable}' at step {step} (")
    assert "differs in" in first


CHANGES = {
    "a flipped sign": ("src/microphysics.F90", "qv = qv + gone", "qv = qv - gone", "qv"),
    "a real(4) literal": ("src/microphysics.F90", "= 1.6_wp + 124.9_wp", "= 1.6 + 124.9_wp", "q"),
}  # fmt: skip


@pytest.mark.parametrize(("file", "before", "after", "variable"), CHANGES.values(), ids=CHANGES)
def test_sample_changed_physics_fails(sample, tmp_path, capfd, file, before, after, variable):
    port = copy(sample, tmp_path / "port")
    edit(port, file, before, after)
    code, out, _ = gate(capfd, port)
    assert code == Exit.REJECTED
    assert any(text.startswith(f"'dump_*.fld:{variable}") for text in out.splitlines())


def test_sample_a_variable_no_longer_written_fails(sample, tmp_path, capfd):
    port = copy(sample, tmp_path / "port")
    edit(port, "src/dump.f90", "    call put_2d(unit, 'evap', evap)\n", "")
    code, out, _ = gate(capfd, port)
    assert code == Exit.REJECTED
    assert "'dump_*.fld:evap': is no longer written [missing]" in out


def test_sample_tolerances_can_be_estimated(sample, tmp_path, capfd):
    """What its acclimate.toml calls prognostic is: each field, changed alone, changes a step."""
    model = copy(sample, tmp_path / "model")
    code, out, err = gate(capfd, "tolerance", "estimate", model, "--members", "2")
    assert code == Exit.DONE, err
    assert "tolerances.toml" in out + err


def test_within_tolerance_is_accepted_where_bits_differ(model, capfd):
    edit(
        model,
        "src/lorenz.f90",
        "do i = 1, size(x)\n      total",
        "do i = size(x), 1, -1\n      total",
    )
    assert gate(capfd, model, "--no-speed", "--mode", "strict")[0] == Exit.REJECTED
    code, out, _ = gate(capfd, model, "--no-speed")
    assert code == Exit.DONE, out
    assert "20 single steps replayed" in out
    assert gate(capfd, model, "--no-speed", "--mode", "statistical")[0] == Exit.DONE


def test_beyond_the_horizon_nothing_is_passed(model, capfd):
    edit(
        model,
        "src/lorenz.f90",
        "do i = 1, size(x)\n      total",
        "do i = size(x), 1, -1\n      total",
    )
    file = model / "gate" / "tolerances.toml"
    text = file.read_text()
    head = "\n".join(
        line for line in text.split("[[tolerance]]")[0].splitlines() if "horizon" not in line
    )
    run = next(entry for entry in text.split("[[tolerance]]") if 'check = "run"' in entry)
    file.write_text(head + "\nhorizon = 0\n\n[[tolerance]]" + run)
    code, out, _ = gate(capfd, model, "--no-speed", "--json", "-")
    findings = {(row["check"], row["finding"]) for row in json.loads(out)["rows"]}
    assert ("run", "no power") in findings
    assert (
        code == Exit.REJECTED
    )  # no tolerance is given for a step, which then has to keep its bits


# --- speed --------------------------------------------------------------------------------------


def test_the_same_numbers_in_more_time_are_slower_and_named(model, capfd):
    file = model / "gate" / "baseline.json"
    told = json.loads(file.read_text())
    for kernel in told["times"]["kernels"]:
        if kernel["name"] == "lorenz::tendency":
            kernel["seconds"] = [seconds / 4 for seconds in kernel["seconds"]]
    file.write_text(json.dumps(told))
    code, out, _ = gate(capfd, model)
    assert code == Exit.SLOWER
    assert "lorenz::tendency: " in out
    assert out.splitlines()[-1].startswith("verdict: slower (0 of ")


# --- what is written ----------------------------------------------------------------------------


def test_an_update_shows_old_against_new_and_needs_its_flag(model, capfd):
    edit(model, "src/lorenz.f90", "forcing = 8.0_wp", "forcing = 8.5_wp")
    before = (model / "gate" / "baseline.json").read_bytes()
    code, out, err = gate(capfd, "baseline", "update", model, "--no-speed")
    assert (code, (model / "gate" / "baseline.json").read_bytes()) == (Exit.DONE, before)
    assert "old mean" in out
    assert "--replace puts the new baseline in place" in err
    assert gate(capfd, "baseline", "update", model, "--replace", "--no-speed")[0] == Exit.DONE
    assert gate(capfd, model, "--no-speed")[0] == Exit.DONE
    assert gate(capfd, "baseline", "show", model)[0] == Exit.DONE


def test_the_original_must_still_be_the_baseline(model, chaotic, capfd, tmp_path):
    assert gate(capfd, model, "--no-speed", "--original", chaotic)[0] == Exit.DONE
    other = copy(chaotic, tmp_path / "other")
    edit(other, "src/lorenz.f90", "forcing = 8.0_wp", "forcing = 8.5_wp")
    code, _, err = gate(capfd, model, "--no-speed", "--original", other)
    assert code == Exit.ENVIRONMENT
    assert "does not give the numbers of the baseline" in err
