"""Ice: water and enthalpy are kept, and each change of phase goes the way it should."""

import numpy as np
import pytest

pytestmark = pytest.mark.gfortran

CP, LV, LF, T0, P = 1004.5, 2.5e6, 3.34e5, 273.15, 5.0e4
CONVERT = """
  use constants, only: wp
  use saturation
  use ice_phase
  implicit none
  real(wp) :: t, qv, qc, qr, qi
  call init_saturation(5)
  t = {t}_wp
  qv = {humidity}_wp*qsat_ice(t, 5.0e4_wp)
  qc = {qc}_wp
  qr = {qr}_wp
  qi = {qi}_wp
  write (*, *) t, qv, qc, qr, qi
  call convert(t, 5.0e4_wp, 0.7_wp, qv, qc, qr, qi, 10.0_wp)
  write (*, *) t, qv, qc, qr, qi
"""


@pytest.fixture
def convert(compute):
    """convert(t, ...): temperature and mixing ratios before and after 10 s."""

    def convert(t, humidity=1.0, qc=0.0, qr=0.0, qi=0.0):
        numbers = compute(CONVERT.format(t=t, humidity=humidity, qc=qc, qr=qr, qi=qi))
        return numbers[:5], numbers[5:]

    return convert


WAYS = {
    "deposition": (255.0, 1.1, 0.0, 0.0, 1e-4),
    "sublimation": (255.0, 0.5, 0.0, 0.0, 1e-4),
    "nucleation": (255.0, 1.2, 0.0, 0.0, 0.0),
    "freezing": (225.0, 1.0, 1e-3, 5e-4, 0.0),
    "melting": (280.0, 1.0, 0.0, 0.0, 1e-3),
    "all that there is": (220.0, 0.1, 0.0, 0.0, 1e-9),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_water_and_enthalpy_are_kept(convert, way):
    before, after = convert(*way)
    assert after[1:].sum() == pytest.approx(before[1:].sum(), rel=1e-14)
    assert after[1:].min() >= 0.0

    def enthalpy(state):
        return CP * state[0] + LV * state[1] - LF * state[4]

    assert enthalpy(after) == pytest.approx(enthalpy(before), rel=1e-14)
    assert np.any(after != before)


@pytest.mark.parametrize(
    ("way", "sign"),
    [("deposition", 1), ("sublimation", -1), ("nucleation", 1), ("freezing", 1), ("melting", -1)],
)
def test_ice_grows_and_the_air_warms_or_the_other_way(convert, way, sign):
    before, after = convert(*WAYS[way])
    assert sign * (after[4] - before[4]) > 0.0
    assert sign * (after[0] - before[0]) > 0.0


def test_saturated_air_is_in_balance_with_ice(convert):
    before, after = convert(255.0, 1.0, qi=1e-4)
    np.testing.assert_allclose(after, before, rtol=1e-12)


def test_growth_does_not_overshoot_saturation(convert):
    _, (t, qv, _, _, _) = convert(255.0, 1.001, qi=5e-3)
    assert qv >= 0.999 * convert(t)[0][1]


def test_little_warmth_melts_little_ice(convert):
    _, after = convert(273.25, qi=1e-2)
    assert after[0] == pytest.approx(T0, abs=1e-12)
    assert after[4] == pytest.approx(1e-2 - CP * 0.1 / LF, rel=1e-9)


def test_water_does_not_freeze_at_once_above_minus_forty(convert):
    _, after = convert(250.0, qc=1e-3)
    assert after[2] == 1e-3


def test_ice_that_falls_is_on_the_ground_or_still_in_the_air(compute):
    numbers = compute("""
  use constants, only: wp
  use grid
  use ice_phase
  implicit none
  real(wp) :: content(nzmax), speed(nzmax), fallen
  rdz = 1.0e-2_wp
  content = 1.0e-4_wp
  speed = 0.8_wp
  call settle(10, content, speed, 500.0_wp, 5, fallen)
  write (*, *) fallen, content(1:10)
""")
    assert numbers[0] == pytest.approx(1e-4 * 0.8 * 500.0, rel=1e-12)  # steady at the ground
    assert numbers[0] + 100.0 * numbers[1:].sum() == pytest.approx(10 * 100.0 * 1e-4, rel=1e-12)


def test_saturation_over_ice_and_water(compute):
    """They meet at the melting point; at -20 C ice needs 82 % of the vapour (Murphy and Koop)."""
    ratio = compute("""
  use constants, only: wp
  use saturation
  implicit none
  call init_saturation(5)
  write (*, *) qsat_ice(273.15_wp, 5.0e4_wp)/qsat(273.15_wp, 5.0e4_wp)
  write (*, *) qsat_ice(253.15_wp, 5.0e4_wp)/qsat(253.15_wp, 5.0e4_wp)
""")
    assert ratio == pytest.approx([1.0, 0.82], rel=5e-3)


def test_a_cold_cloud_holds_ice_and_a_warm_one_none(simulate, rain_case):
    fields = simulate(run=rain_case | {"nsteps": 40}, columns={"radiation_every": 20}).fields(40)
    ice = fields["qi"].max(axis=(0, 1))
    assert ice[6:].max() > 1e-6  # above 4.5 km
    assert ice[:4].max() < 1e-12  # below 3 km
