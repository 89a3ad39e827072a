"""The standard atmosphere, and the noise of the initial state."""

import numpy as np
import pytest

pytestmark = pytest.mark.gfortran

# U.S. Standard Atmosphere 1976, table 1: height [m], temperature [K], pressure [Pa]
TABLE = [
    (0.0, 288.150, 101325.0),
    (5000.0, 255.650, 54020.0),
    (11000.0, 216.650, 22632.0),
    (15000.0, 216.650, 12045.0),
    (20000.0, 216.650, 5474.9),
    (30000.0, 226.650, 1171.9),
]


def test_it_is_the_published_one(compute):
    text = """
  implicit none
  double precision, external :: tstd, pstd
"""
    for height, _, _ in TABLE:
        text += f"  write (*, *) tstd({height}d0), pstd({height}d0)\n"
    found = compute(text).reshape(-1, 2)
    np.testing.assert_allclose(found, [row[1:] for row in TABLE], rtol=1e-4)


STILL_AIR = {
    "run": {"case_name": "standard", "nx": 8, "ny": 4, "nz": 20, "nsteps": 5},
    "physics": {"moist": False, "turbulence": False, "surface": False},
    "dynamics": {"u_mean": 0.0, "u_shear": 0.0},
}


def test_a_model_of_it_has_its_temperatures_and_rests(simulate):
    fields = simulate(**STILL_AIR).fields(5)
    theta = fields["rho_theta_m"] / fields["rho"]
    temperature = theta * (287.0 * fields["rho_theta_m"] / 1e5) ** (287.0 / 717.5)
    height = (np.arange(20) + 0.5) * 500.0
    np.testing.assert_allclose(temperature[3, 2], 288.15 - 6.5e-3 * height, atol=1.5)
    assert np.abs(fields["rho_w"]).max() < 1e-9


def test_noise_is_small_random_and_the_same_in_each_run(simulate, dry_case):
    def theta(amp, steps=0):
        run = STILL_AIR["run"] | {"nsteps": steps}
        off = dict.fromkeys(("radiation", "soil", "convection", "ice", "tracers"), False)
        columns = off | {"nudging": False, "noise_amp": amp}
        fields = simulate(run=run, physics=dry_case, columns=columns).fields(steps)
        return fields["rho_theta_m"] / fields["rho"]

    noise = theta(0.5) - theta(0.0)
    assert np.abs(noise[:, :, 2:]).max() < 1e-9  # above 1 km
    assert 0.4 < np.abs(noise[:, :, :2]).max() <= 0.5
    assert abs(noise[:, :, :2].mean()) < 0.1
    assert len(np.unique(noise[:, :, :2])) == 8 * 4 * 2
    np.testing.assert_array_equal(theta(0.5), theta(0.5))
