"""Statistics against what numpy makes of the same fields."""

import numpy as np
import pytest

pytestmark = pytest.mark.gfortran

FOURIER = """
  use constants, only: wp
  implicit none
  integer, parameter :: n = {n}
  real(wp) :: x(2, n)
  integer :: i
  do i = 1, n
    x(1, i) = sin(real(i*i, wp))
    x(2, i) = cos(3.0_wp*real(i, wp))
  end do
  write (*, *) x
  call fft(n, x)
  write (*, *) x
  call fftinv(n, x)
  write (*, *) x
"""


@pytest.mark.parametrize("n", [1, 2, 3, 8, 12, 30, 49, 97, 100])
def test_the_transform_is_that_of_numpy_and_goes_back(compute, n):
    numbers = compute(FOURIER.format(n=n)).reshape(3, n, 2)
    before, spectrum, after = numbers[..., 0] + 1j * numbers[..., 1]
    np.testing.assert_allclose(spectrum, np.fft.fft(before), atol=1e-11)
    np.testing.assert_allclose(after, before, atol=1e-13)


@pytest.fixture(scope="module")
def lines():
    """Rows of stats.txt by name."""

    def lines(run):
        rows = np.loadtxt((run.folder / "stats.txt").read_text().splitlines(), ndmin=2)
        names = {"step": 0, "wind": 1, "place": slice(2, 5), "tops": slice(5, 14)}
        names |= {"power": slice(14, 19), "air": 19, "water": 20, "heat": 21}
        return {name: rows[:, columns] for name, columns in names.items()}

    return lines


@pytest.fixture
def cloudy(simulate, rain_case):
    """A run of 20 steps with one line of statistics, without nudging."""
    run = rain_case | {"nsteps": 20, "diag_every": 20}
    return simulate(run=run, columns={"radiation_every": 20, "nudging": False})


def test_the_strongest_updraught_and_its_place(cloudy, lines):
    fields, told = cloudy.fields(20), lines(cloudy)
    w = 0.5 * (fields["rho_w"][:, :, :-1] + fields["rho_w"][:, :, 1:]) / fields["rho"]
    assert told["wind"][0] == pytest.approx(w.max(), rel=1e-13)
    i, j, k = (int(number) - 1 for number in told["place"][0])
    assert w[i, j, k] == pytest.approx(w.max(), rel=1e-13)


def test_every_column_is_counted_once_by_its_cloud_top(cloudy, lines, rain_case):
    fields, told = cloudy.fields(20), lines(cloudy)
    cloud = fields["qc"] + fields["qi"] > 1e-6
    highest = np.where(cloud.any(axis=2), cloud.shape[2] - cloud[:, :, ::-1].argmax(axis=2), 0)
    height = (highest - 0.5) * rain_case["dz"]
    bins = np.where(highest > 0, np.minimum(1 + height // 2000.0, 8), 0).astype(int)
    np.testing.assert_array_equal(told["tops"][0], np.bincount(bins.flat, minlength=9))
    assert 0 < told["tops"][0][0] < told["tops"][0].sum() == rain_case["nx"] * rain_case["ny"]


def test_the_spectrum_is_that_of_numpy(cloudy, lines, rain_case):
    fields, told = cloudy.fields(20), lines(cloudy)
    k = rain_case["nz"] // 2
    rho = fields["rho"]
    w = 2.0 * fields["rho_w"][:, :, k] / (rho[:, :, k - 1] + rho[:, :, k])
    power = (np.abs(np.fft.rfft(w, axis=0)) ** 2).mean(axis=1) / len(w) ** 2
    power[1:-1] *= 2.0  # nx is even
    np.testing.assert_allclose(told["power"][0], power[:5], rtol=1e-9)
    assert power.sum() == pytest.approx((w**2).mean(), rel=1e-12)  # Parseval


def test_column_physics_change_heat_but_neither_air_nor_water(cloudy, lines):
    told, mass = lines(cloudy), cloudy.diagnostics()["mass"][0]
    assert abs(told["air"][0]) < 1e-13 * mass
    assert abs(told["water"][0]) < 1e-13 * mass
    assert abs(told["heat"][0]) > 1e-8 * mass
