import numpy as np
import pytest

pytestmark = pytest.mark.gfortran

# Bryan and Fritsch (2002), dry: 20 km by 10 km, 2 K, neutral air, here at twice their spacing
DRY_THERMAL = {
    "case_name": "warm_bubble",
    "nx": 100,
    "ny": 1,
    "nz": 50,
    "dx": 200.0,
    "dy": 200.0,
    "dz": 200.0,
    "nsteps": 250,
    "dump_every": 0,
    "diag_every": 25,
}
STILL = {"dt_max": 4.0, "khoriz": 0.0, "sponge_depth": 0.0, "u_mean": 0.0, "u_shear": 0.0}


def rises(diagnostics):
    """Whether the warm air climbs all the time, from 2 km to above 5.5 km."""
    height = diagnostics["zcentroid"]
    return bool(np.all(np.diff(height) > 0) and height[-1] > 5500.0)


@pytest.fixture
def thermal(simulate, dry_case):
    def thermal(**more):
        groups = {"run": DRY_THERMAL, "dynamics": STILL, "physics": dry_case | {"theta_amp": 2.0}}
        return simulate(**groups, **more)

    return thermal


@pytest.mark.slow
def test_the_dry_thermal_rises_like_the_published_one(thermal):
    run = thermal()
    diagnostics = run.diagnostics()
    assert rises(diagnostics)
    assert 12.0 < diagnostics["wmax"][-1] < 15.0
    assert 1.6 < diagnostics["thpmax"][-1] < 2.1
    assert diagnostics["thpmin"][-1] > -0.2
    # mirror symmetric about the middle of the domain
    w = run.fields(250)["rho_w"]
    np.testing.assert_allclose(w, w[::-1], atol=1e-6 * np.abs(w).max())


@pytest.mark.slow
def test_buoyancy_of_the_wrong_sign_does_not_pass(build, thermal):
    edit = ("dynamics.f90", "*rdz + buoy)", "*rdz - buoy)")
    run = thermal(executable=build(edits=[edit]), expect=None)
    assert run.process.returncode == 1 or not rises(run.diagnostics())


def test_the_moist_thermal_makes_a_cloud(simulate):
    run = simulate(run={"nx": 24, "ny": 12, "nsteps": 60, "dump_every": 0})
    diagnostics = run.diagnostics()
    assert diagnostics["wmax"][-1] > 2.0
    assert diagnostics["zcentroid"][-1] > 1.5 * diagnostics["zcentroid"][0]
    assert diagnostics["qcmax"][-1] > 1e-4
    cloud = run.fields(60)["qc"].max(axis=(0, 1)).nonzero()[0]
    assert cloud.min() > 0  # its base is above the ground


def test_air_at_rest_stays_at_rest(simulate, dry_case):
    run = simulate(
        run=DRY_THERMAL | {"nsteps": 20}, dynamics=STILL, physics=dry_case | {"theta_amp": 0.0}
    )
    assert max(np.abs(run.fields(20)[name]).max() for name in ("rho_u", "rho_w")) < 1e-9
