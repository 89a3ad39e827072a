"""Land surface: heat and water are kept, and the soil conducts as theory says."""

import math

import numpy as np
import pytest

pytestmark = pytest.mark.gfortran

DZ = np.array([0.03, 0.05, 0.10, 0.20, 0.40, 0.80])
COND, CAP = 1.0, 2.0e6
CONDUCT = """
  use constants, only: wp
  use land
  implicit none
  real(wp) :: t(nsoil)
  integer :: n
  t = 290.0_wp
  {}
  do n = 1, {}
    call conduct(t, {}_wp, 10.0_wp)
  end do
  write (*, *) t
"""


@pytest.fixture
def soil(compute):
    """soil(heat, seconds, start): temperatures of the layers after heating the top."""

    def soil(heat, seconds, start=""):
        return compute(CONDUCT.format(start, seconds // 10, heat))

    return soil


def test_soil_of_one_temperature_stays_so(soil):
    np.testing.assert_allclose(soil(0.0, 3600), 290.0, rtol=1e-14)


def test_the_soil_holds_the_heat_that_entered(soil):
    gained = CAP * (DZ * (soil(100.0, 7200) - 290.0)).sum()
    assert gained == pytest.approx(100.0 * 7200, rel=1e-10)


def test_heat_flows_from_warm_to_cold_and_is_kept(soil):
    start = "t(1) = 310.0_wp"
    after = soil(0.0, 7200, start)
    assert np.all(np.diff(after[:4]) < 0.0)
    assert (DZ * after).sum() == pytest.approx((DZ * 290.0).sum() + 0.03 * 20.0, rel=1e-13)


def test_the_top_warms_as_a_half_space_does(soil):
    """Constant flux into a half-space (Carslaw and Jaeger 1959, section 2.9).

    The coarse layers are worth 4 %.
    """
    seconds, flux = 6 * 3600, 100.0
    length = 2.0 * math.sqrt(COND / CAP * seconds)
    depth = 0.5 * DZ[0]
    exact = length / math.sqrt(math.pi) * math.exp(-((depth / length) ** 2))
    exact = flux / COND * (exact - depth * math.erfc(depth / length))
    assert soil(flux, seconds)[0] - 290.0 == pytest.approx(exact, rel=0.05)


def island(nx, ny):
    """The land points, in the order of the compressed arrays."""
    x = (np.arange(nx) + 0.5) / nx - 0.5
    y = (np.arange(ny) + 0.5) / ny - 0.5
    inside = (x[:, None] / 0.3) ** 2 + (y[None, :] / 0.35) ** 2 <= 1.0
    return [(i, j) for j in range(ny) for i in range(nx) if inside[i, j]]


@pytest.fixture
def day_on_land(simulate, rain_case):
    def day_on_land(hour, wetness=0.5):
        columns = {"hour": hour, "wetness": wetness, "radiation_every": 4}
        return simulate(run=rain_case | {"nsteps": 40}, columns=columns).fields(40)

    return day_on_land


@pytest.mark.parametrize("wetness", [0.5, 1.0])
def test_soil_water_is_what_fell_less_what_evaporated_and_ran_off(day_on_land, wetness):
    after = day_on_land(12.0, wetness)
    where = tuple(np.array(island(*after["rain"].shape)).T)
    assert len(where[0]) == len(after["soil_water"]) > 10
    start = np.minimum(wetness * (1.0 + ((where[0] + 0.5) / len(after["rain"]) - 0.5) / 0.3), 1.0)
    change = after["soil_water"] - 150.0 * start
    came = after["rain"][where] - after["evap"][where] - after["soil_runoff"]
    late = after["rain"][where] - after["soil_fallen"]  # fell in the last step
    np.testing.assert_allclose(change, came - late, atol=1e-10)
    assert (after["soil_runoff"].max() > 0.1) == (wetness == 1.0)


def test_land_is_warmer_than_the_sea_at_noon_and_cooler_at_night(day_on_land):
    for hour, sign in ((12.0, 1.0), (0.0, -1.0)):
        skin = day_on_land(hour)["skin"]
        where = tuple(np.array(island(*skin.shape)).T)
        sea = np.ones(skin.shape, dtype=bool)
        sea[where] = False
        assert sign * (skin[where].mean() - skin[sea].mean()) > 0.5


def test_dry_soil_is_hotter_than_wet_soil(day_on_land):
    assert day_on_land(12.0, 0.1)["soil_skin"].mean() > day_on_land(12.0, 1.0)["soil_skin"].mean()
