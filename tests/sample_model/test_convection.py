"""Convective adjustment of one column: enthalpy and water are kept, stable air is left alone."""

import numpy as np
import pytest

pytestmark = pytest.mark.gfortran

N, CP, LV = 24, 1004.5, 2.5e6
COLUMN = f"""
  use constants
  use grid, only: nzmax
  implicit none
  integer, parameter :: n = {N}
  real(wp), dimension(nzmax) :: t, q, p, mass, dt, dq, work
  real(wp) :: rained, z
  integer :: k, top
  do k = 1, n
    z = 500.0_wp*(real(k, wp) - 0.5_wp)
    t(k) = {{surface}}_wp - {{lapse}}_wp*z
    p(k) = 1.0e5_wp*(t(k)/{{surface}}_wp)**(grav/(rd*{{lapse}}_wp))
    q(k) = {{humidity}}_wp*0.622_wp*611.2_wp*exp(17.67_wp*(t(k) - 273.15_wp)/(t(k) - 29.65_wp))/p(k)
    mass(k) = 500.0_wp*p(k)/(rd*t(k))
  end do
  q(1) = 0.018_wp
  call bmadj(n, t, q, p, mass, {{relax}}_wp, 0.7_wp, dt, dq, work, rained, top)
  write (*, *) rained, real(top, wp), dt(1:n), dq(1:n), mass(1:n), t(1:n), work(1:n)
"""


@pytest.fixture
def adjust(compute):
    """adjust(...): rain, top level, changes of temperature and vapour, mass, air, parcel."""

    def adjust(surface=300.0, lapse=5.5e-3, humidity=0.95, relax=0.1):
        text = COLUMN.format(surface=surface, lapse=lapse, humidity=humidity, relax=relax)
        rained, top, *profiles = compute(text)
        return rained, int(top), *np.reshape(profiles, (5, N))

    return adjust


def test_stable_air_is_left_alone(adjust):
    rained, top, dt, dq, *_ = adjust(lapse=2.0e-3)
    assert (rained, top) == (0.0, 0)
    assert not dt.any() and not dq.any()


def test_moist_air_rains_and_is_heated_by_what_condensed(adjust):
    rained, top, dt, dq, mass, *_ = adjust()
    assert rained > 0.1 and top > 10
    assert (mass * dq).sum() == pytest.approx(-rained, rel=1e-12)
    assert CP * (mass * dt).sum() == pytest.approx(LV * rained, rel=1e-12)


def test_dry_air_does_not_rain_but_is_stirred(adjust):
    rained, top, dt, dq, mass, *_ = adjust(humidity=0.3)
    assert rained == 0.0 and top > 10
    assert abs((mass * dq).sum()) < 1e-12 * (mass * np.abs(dq)).sum()
    assert abs((mass * dt).sum()) < 1e-12 * (mass * np.abs(dt)).sum()
    assert dq.any()


def test_nothing_changes_above_the_parcel(adjust):
    _, top, dt, dq, *_ = adjust()
    assert top < N
    assert not dt[top:].any() and not dq[top:].any() and not dt[0]


def test_the_parcel_follows_the_moist_adiabat(adjust):
    """It keeps its equivalent potential temperature (Bolton 1980, eq. 39) within 1.5 K."""
    _, top, _, _, mass, t, parcel = adjust()
    p = 287.0 * t * mass / 500.0
    base = 2 + int(np.argmax(parcel[1:top] != t[1:top]))

    def theta_e(k):
        e = 611.2 * np.exp(17.67 * (parcel[k] - 273.15) / (parcel[k] - 29.65))
        r = 0.622 * e / (p[k] - e)
        theta = parcel[k] * (1e5 / p[k]) ** (0.2854 * (1.0 - 0.28 * r))
        return theta * np.exp((3376.0 / parcel[k] - 2.54) * r * (1.0 + 0.81 * r))

    assert theta_e(top - 1) == pytest.approx(theta_e(base), abs=5.0)
    assert theta_e(base + 4) == pytest.approx(theta_e(base), abs=1.5)


def test_the_changes_are_in_proportion_to_the_time(adjust):
    once, twice = adjust(relax=0.1), adjust(relax=0.2)
    np.testing.assert_allclose(twice[2], 2.0 * once[2], rtol=1e-12, atol=1e-18)
    np.testing.assert_allclose(twice[3], 2.0 * once[3], rtol=1e-12, atol=1e-18)
