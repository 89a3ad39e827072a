"""Inertia-free gravity waves in a channel (Skamarock and Klemp 1994) against linear theory."""

import numpy as np
import pytest

pytestmark = pytest.mark.gfortran

NX, NZ, DX, TOP = 300, 20, 1000.0, 10000.0
N, WIND, TIME, AMP, HALF_WIDTH = 0.01, 20.0, 3000.0, 0.01, 5000.0
CHANNEL = {
    "case_name": "gravity_wave",
    "nx": NX,
    "ny": 1,
    "nz": NZ,
    "dx": DX,
    "dz": TOP / NZ,
    "nsteps": 250,
    "dump_every": 0,
    "diag_every": 250,
}
FLOW = {"dt_max": 12.0, "khoriz": 0.0, "sponge_depth": 0.0, "u_mean": WIND, "u_shear": 0.0}
X = (np.arange(NX) + 0.5) * DX
Z = (np.arange(NZ) + 0.5) * TOP / NZ


def linear_theory(scale_height):
    """theta' at mid-depth after TIME: each wavenumber k oscillates with its own frequency,

    omega^2 = N^2 k^2 / (k^2 + m^2 + 1/(4 Hs^2)), m = pi/depth (Gill 1982, chapter 6),
    carried by the mean wind.
    """
    k = 2.0 * np.pi * np.fft.fftfreq(NX, DX)
    m = np.pi / TOP
    omega = N * np.abs(k) / np.sqrt(k**2 + m**2 + 0.25 / scale_height**2)
    start = AMP / (1.0 + ((X - NX * DX / 3.0) / HALF_WIDTH) ** 2)
    phase = np.cos(omega * TIME) * np.exp(-1j * k * WIND * TIME)
    return np.fft.ifft(np.fft.fft(start) * phase).real


def crest_speed(theta):
    """Speed relative to the wind of the two crests that run apart [m s-1]."""
    middle = int((NX / 3.0 * DX + WIND * TIME) / DX)
    left, right = theta[:middle].argmax(), middle + theta[middle:].argmax()
    return (X[right] - X[left]) / (2.0 * TIME)


@pytest.fixture
def wave(simulate, dry_case):
    def wave(bv_freq):
        physics = dry_case | {"theta_amp": AMP, "bv_freq": bv_freq}
        fields = simulate(run=CHANNEL, dynamics=FLOW, physics=physics).fields(250)
        theta = (fields["rho_theta_m"] / fields["rho"])[:, 0, :]
        base = 300.0 * np.exp(bv_freq**2 * Z / 9.81)
        rho = fields["rho"][:, 0, :].mean(axis=0)
        scale_height = (Z[-1] - Z[0]) / np.log(rho[0] / rho[-1])
        middle = slice(NZ // 2 - 1, NZ // 2 + 1)
        mid_depth = ((theta - base)[:, middle] / np.sin(np.pi * Z[middle] / TOP)).mean(axis=1)
        return mid_depth, linear_theory(scale_height)

    return wave


@pytest.mark.slow
def test_the_wave_travels_as_theory_says(wave):
    model, theory = wave(N)
    assert crest_speed(model) == pytest.approx(crest_speed(theory), rel=0.02)
    assert np.linalg.norm(model - theory) < 0.1 * np.linalg.norm(theory)


@pytest.mark.slow
def test_a_tenth_more_stability_does_not_pass(wave):
    model, theory = wave(1.1 * N)
    assert crest_speed(model) != pytest.approx(crest_speed(theory), rel=0.02)
    assert np.linalg.norm(model - theory) > 0.1 * np.linalg.norm(theory)
