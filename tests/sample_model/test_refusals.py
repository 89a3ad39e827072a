import subprocess

import pytest

pytestmark = pytest.mark.gfortran


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ({"run": {"case_name": "hurricane"}}, 'unknown case_name "hurricane"'),
        ({"run": {"nz": 3}}, "nz must lie between 4 and nzmax - 1"),
        ({"run": {"dx": -1.0}}, "dx, dy and dz must be positive"),
        ({"dynamics": {"beta": 2.0}}, "beta must lie between 0 and 1"),
        ({"dynamics": {"no_such_variable": 1}}, "cannot read namelist group &dynamics"),
        ({"physics": {"turbulence": False}}, "surface fluxes need turbulence"),
        ({"physics": {"table_density": 5000}}, "saturation table cannot hold"),
        ({"columns": {"radiation": False}}, "soil needs radiation"),
        ({"physics": {"moist": False}, "columns": {}}, "ice and convection need moist"),
        ({"columns": {"profile_every": 0.0}}, "profile_every must be positive"),
        ({"columns": {"wetness": 1.5}}, "wetness must lie between 0 and 1"),
        ({"run": {"dump_prefix": "no/such/folder/"}}, "cannot write"),
    ],
)
def test_bad_values_stop_the_model_with_a_message(simulate, rain_case, groups, message):
    small = {"run": rain_case | {"nsteps": 0} | groups.pop("run", {})}
    failed = simulate(expect=1, **small, **groups)
    assert message in failed.process.stdout


def test_a_missing_namelist_is_named(cumulet, tmp_path):
    process = subprocess.run([cumulet], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert process.returncode == 1
    assert '"namelist.nml" not found' in process.stdout


def test_a_missing_group_is_named(cumulet, model, tmp_path):
    text = (model / "namelist.nml").read_text()
    (tmp_path / "namelist.nml").write_text(text.replace("&physics", "&fysics"))
    process = subprocess.run([cumulet], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert process.returncode == 1
    assert "cannot read namelist group &physics" in process.stdout


def test_an_unstable_run_stops(simulate, rain_case):
    """A time step far beyond what the sedimentation and the advection of momentum bear."""
    failed = simulate(
        expect=1,
        run=rain_case | {"nsteps": 200},
        dynamics={"dt_max": 200.0, "cfl_target": 50.0},
    )
    assert "unstable run" in failed.process.stdout
