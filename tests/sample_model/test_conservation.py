"""What must not change: dry air, and water less what rained plus what evaporated."""

import math

import numpy as np
import pytest

pytestmark = pytest.mark.gfortran

STEPS = 40
WATER = ("qv", "qc", "qr", "qi")


def drift(before, after):
    return abs(after - before) / before


def dry_air(fields):
    """Dry air per cell volume, summed exactly."""
    return math.fsum(fields["rho"].flat)


def water(fields, dz):
    """Water in the air plus rain on the ground less evaporation [kg m-3], summed exactly."""
    air = fields["rho"] * sum(fields[name] for name in WATER)
    ground = (fields["rain"] - fields["evap"]) / dz
    return math.fsum(air.flat) + math.fsum(ground.flat)


@pytest.fixture
def rained_out(simulate, rain_case):
    def rained_out(**more):
        def state(steps):
            run = simulate(run=rain_case | {"nsteps": steps}, **more)
            return run.fields(steps)

        return state(0), state(STEPS)

    return rained_out


@pytest.mark.parametrize("columns", [None, {"radiation_every": 4}], ids=["bare", "columns"])
def test_dry_air_is_conserved_to_rounding(rained_out, columns):
    before, after = rained_out(**({} if columns is None else {"columns": columns}))
    assert drift(dry_air(before), dry_air(after)) < 1e-14


@pytest.mark.parametrize("columns", [None, {"radiation_every": 4}], ids=["bare", "columns"])
def test_water_is_conserved_to_rounding_while_it_rains(rained_out, rain_case, columns):
    before, after = rained_out(**({} if columns is None else {"columns": columns}))
    assert after["rain"].max() > 0.1  # kg m-2
    assert after["evap"].max() > 0.001
    assert drift(water(before, rain_case["dz"]), water(after, rain_case["dz"])) < 1e-14


def test_no_water_turns_negative(rained_out):
    _, after = rained_out(columns={"radiation_every": 10})
    assert min(after[name].min() for name in WATER) > -1e-18


def test_the_halo_edges_are_not_special(simulate, rain_case):
    """A run shifted by half the domain in x gives the shifted answer, and so in y."""
    uniform = {"tskin_excess": 0.0}
    run = simulate(run=rain_case | {"nsteps": 5}, physics=uniform).fields(5)
    # the pattern of the initial cloud has period nx and is odd about its middle in y
    for name in ("rho", "rho_theta_m", "qv", "qc", "qr"):
        shifted = np.roll(np.roll(run[name], 6, axis=0), 3, axis=1)
        np.testing.assert_allclose(run[name], shifted, rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize(
    ("edit", "check"),
    [
        (("acoustic.f90", "call halo_one(pu, nz)", "continue"), 0),
        (("microphysics.F90", "+ dts*above\n", "+ 0.99_wp*dts*above\n"), 1),
        (("microphysics.F90", "qc = qc + cond", "qc = qc + 1.01_wp*cond"), 1),
        (("advection.F90", "fx(i, j, k)*scl(i - 1, j, k)", "fx(i, j, k)*scl(i, j, k)"), 2),
    ],
    ids=["stale halo", "rain that is lost", "cloud from nothing", "limiter of the wrong cell"],
)
def test_a_leak_is_seen(build, rained_out, rain_case, edit, check):
    before, after = rained_out(executable=build(edits=[edit], flags=["-O1"]))
    drifts = (
        drift(dry_air(before), dry_air(after)) > 1e-14,
        drift(water(before, rain_case["dz"]), water(after, rain_case["dz"])) > 1e-14,
        min(after[name].min() for name in WATER) < -1e-18,
    )
    assert drifts[check]
