"""Radiation of a column: known solutions, limits, and where the energy goes."""

import numpy as np
import pytest

pytestmark = pytest.mark.gfortran

SIGMA = 5.67e-8
N = 20
DECLARE = f"""
  use constants
  use grid, only: nzmax
  use radiation_mod
  use shortwave
  implicit none
  integer, parameter :: n = {N}
  real(wp), dimension(nzmax) :: t, mass, qv, qc, net
  real(wp) :: down, layer(5)
  integer :: k
  mass = 500.0_wp
  qv = 5.0e-3_wp
  qc = 0.0_wp
  do k = 1, n
    t(k) = 300.0_wp - 4.0_wp*real(k, wp)
  end do
"""
WRITE = "\n  write (*, *) net(1:n + 1), down\n"


@pytest.fixture
def thermal(compute):
    """thermal(statements, thickness): upward flux at the top, and the flux down at the ground."""

    def thermal(statements="", thickness=1.0):
        text = f"{DECLARE}\n  call init_radiation({thickness}_wp)\n  {statements}\n"
        text += "  call longwave_column(n, t, mass, qv, qc, 300.0_wp, net, down)" + WRITE
        *net, down = compute(text)
        return -net[N], down, np.array(net)

    return thermal


@pytest.fixture
def solar(compute):
    """solar(statements, mu, albedo): net flux at the faces and the flux down at the ground."""

    def solar(statements="", mu=0.5, albedo=0.2):
        text = f"{DECLARE}\n  {statements}\n  call shortwave_column(n, mass, qv, qc, 1000.0_wp, "
        text += f"{mu}_wp, {albedo}_wp, net, down)" + WRITE
        *net, down = compute(text)
        return np.array(net), down

    return solar


@pytest.fixture
def layer(compute):
    """layer(tau, ssa, asym, mu): diffuse reflection, transmission, those of the beam, the beam."""

    def layer(*properties):
        arguments = ", ".join(f"{value}_wp" for value in properties)
        parts = ", ".join(f"layer({part})" for part in range(1, 6))
        return compute(
            f"{DECLARE}\n  call two_stream({arguments}, {parts})\n  write (*, *) layer\n"
        )

    return layer


def test_air_as_warm_as_the_ground_radiates_like_it(thermal):
    lost, down, _ = thermal("t = 300.0_wp")
    assert lost == pytest.approx(SIGMA * 300.0**4, rel=1e-12)
    assert 0.5 * lost < down < lost


def test_air_that_absorbs_nothing_neither_radiates_nor_warms(thermal):
    lost, down, net = thermal(thickness=0.0)
    assert (down, lost) == (0.0, pytest.approx(SIGMA * 300.0**4, rel=1e-12))
    assert np.ptp(net) < 1e-10


def test_more_absorber_above_a_warm_ground_lets_less_out_and_sends_more_down(thermal):
    thin, thick, cloudy = thermal(), thermal(thickness=2.0), thermal("qc(10) = 1.0e-3_wp")
    assert thick[0] < thin[0] and thick[1] > thin[1]
    assert cloudy[0] < thin[0] and cloudy[1] > thin[1]


def test_an_opaque_cloud_radiates_at_its_own_temperature(thermal):
    lost, _, _ = thermal("qc(n) = 1.0e-2_wp")
    assert lost == pytest.approx(SIGMA * 220.0**4, rel=1e-6)


@pytest.mark.parametrize("mu", [0.05, 0.5, 1.0])
@pytest.mark.parametrize("tau", [0.1, 3.0, 50.0])
def test_a_layer_that_absorbs_nothing_loses_no_light(layer, tau, mu):
    rdif, tdif, rdir, tdir, beam = layer(tau, 1.0, 0.85, mu)
    assert rdif + tdif == pytest.approx(1.0, abs=1e-4)
    assert rdir + tdir + beam == pytest.approx(1.0, abs=1e-3)
    assert min(rdif, tdif, rdir, tdir, beam) >= 0.0


def test_a_layer_that_scatters_nothing_follows_beers_law(layer):
    rdif, tdif, rdir, tdir, beam = layer(0.7, 0.0, 0.0, 0.5)
    assert (rdir, tdir) == (0.0, 0.0)
    assert beam == pytest.approx(np.exp(-1.4), rel=1e-12)
    # Eddington's approximation: gamma1 = 7/4, gamma2 = -1/4
    assert tdif == pytest.approx(np.exp(-np.sqrt(3.0) * 0.7), rel=0.02)
    assert abs(rdif) < 0.08


def test_thick_cloud_reflects_as_the_two_stream_limit_says(layer):
    """Without absorption R = gamma*t/(1 + gamma*t), gamma = (1 - g)*3/4, t after delta scaling."""
    rdif, *_ = layer(20.0, 1.0, 0.85, 0.5)
    g = 0.85 / 1.85
    depth = 0.75 * (1.0 - g) * (1.0 - 0.85**2) * 20.0
    assert rdif == pytest.approx(depth / (1.0 + depth), rel=1e-3)


@pytest.mark.parametrize("cloud", ["", "qc(5:8) = 5.0e-4_wp"], ids=["clear", "cloudy"])
def test_sunlight_is_reflected_or_absorbed_and_warms_every_layer(solar, cloud):
    net, down = solar(cloud)
    assert 0.0 < net[0] < net[-1] < 1000.0
    assert net[0] == pytest.approx(0.8 * down, rel=1e-12)
    assert np.all(np.diff(net) > 0.0)


def test_cloud_shades_the_ground_and_brightens_the_planet(solar):
    clear, cloudy = solar(), solar("qc(5:8) = 5.0e-4_wp")
    assert cloudy[1] < 0.5 * clear[1]
    assert cloudy[0][-1] < clear[0][-1]


def test_a_white_ground_under_clean_air_returns_all(solar):
    net, _ = solar("qv = 0.0_wp", albedo=1.0)
    assert np.abs(net).max() < 0.1  # of 1000; the formulas need a little absorption


def test_the_sun_stands_where_it_should(compute):
    text = DECLARE + "  write (*, *) cosine_of_zenith({}_wp, {}, {}_wp)\n"

    def mu(*when):
        return compute(text.format(*when))[0]

    assert mu(35.0, 172, 12.0) == pytest.approx(np.cos(np.radians(35.0 - 23.45)), abs=1e-3)
    assert mu(0.0, 80, 18.0) == pytest.approx(0.0, abs=1e-12)
    assert mu(80.0, 355, 12.0) < 0.0
    assert mu(50.0, 100, 9.0) == pytest.approx(mu(50.0, 100, 15.0), rel=1e-12)


def test_the_air_cools_at_night_and_the_sun_warms_it(simulate, rain_case):
    def heating(hour):
        columns = {"hour": hour, "soil": False}
        run = simulate(run=rain_case | {"nsteps": 1}, columns=columns)
        return run.fields(1)["radiative_heating"].mean()

    assert heating(0.0) < 0.0
    assert heating(12.0) > heating(0.0)
