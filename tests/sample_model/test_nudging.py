"""The relaxation zone: what it pulls to, where, and how fast."""

import numpy as np
import pytest

pytestmark = pytest.mark.gfortran

ZONE = """
  use constants, only: wp
  use grid
  use state
  use nudging_mod
  implicit none
  nx = 12
  ny = 4
  nz = 6
  dx = 100.0_wp
  dy = 100.0_wp
  dz = 1000.0_wp
  call setup_grid(0.0_wp, 0.0_wp)
  call allocate_state()
  now%rho = 1.0_wp
  call setup_nudging(300.0_wp, 10.0_wp, 0.0_wp)
"""
PULL = """
  call nudge(now, {time}_wp, {dt}_wp, 600.0_wp)
  write (*, *) now%{what}(1:nx, 2, 3)
"""
FOR_EVER = 1.0e15  # a step so long that the edge takes the wind of the large scale


def wind(time):
    """The wind turns once in 12 hours; it is linear in time between its profiles."""
    older = 300.0 * (time // 300.0)
    share = (time - older) / 300.0
    angle = 2.0 * np.pi * np.array([older, older + 300.0]) / 43200.0
    return 10.0 * np.array([np.cos(angle), -np.sin(angle)]) @ np.array([1.0 - share, share])


@pytest.fixture
def pull(compute):
    """pull(time, dt, what, earlier): momenta along x after one pull, and after others before."""

    def pull(time, dt=FOR_EVER, what="ru", earlier=()):
        steps = [PULL.format(time=at, dt=1.0, what=what) for at in earlier]
        text = ZONE + "".join(steps) + PULL.format(time=time, dt=dt, what=what)
        return compute(text)[-12:]

    return pull


@pytest.mark.parametrize("time", [0.0, 150.0, 300.0, 1000.0])
def test_the_large_scale_is_linear_between_its_profiles(pull, time):
    found = [pull(time, what=what)[0] for what in ("ru", "rv")]
    np.testing.assert_allclose(found, wind(time), rtol=1e-9, atol=1e-9)


def test_it_does_not_matter_how_often_it_is_asked(pull):
    often = pull(1850.0, earlier=[100.0 * n for n in range(18)])
    np.testing.assert_allclose(often[0], pull(1850.0)[0], rtol=1e-9)


@pytest.mark.parametrize(("what", "axis"), [("ru", 0), ("rv", 1)])
def test_only_the_edges_are_pulled_and_the_outer_ones_most(pull, what, axis):
    moved = pull(150.0, dt=60.0, what=what)
    n = np.minimum(np.arange(1, 13), np.arange(12, 0, -1))
    share = 0.1 * (np.maximum(5 - n, 0) / 4.0) ** 2
    expected = share / (1.0 + share) * wind(150.0)[axis]
    np.testing.assert_allclose(moved, expected, rtol=1e-13, atol=1e-16)
    assert not moved[4:8].any()


def test_a_long_step_does_not_overshoot(pull):
    moved = pull(0.0, dt=1.0e9)
    assert moved[0] == pytest.approx(10.0, rel=1e-5)
    assert moved.max() <= 10.0


def test_a_run_is_drawn_to_the_turning_wind_at_its_edges(simulate, rain_case):
    """After two minutes the large scale has turned to v = -0.17 m/s. Dry air is kept."""

    def after(nudging):
        run = rain_case | {"nsteps": 20}
        columns = {"radiation_every": 20, "nudging": nudging, "edge_time": 60.0}
        wind = {"u_mean": 10.0, "u_shear": 0.0}
        return simulate(run=run, columns=columns, dynamics=wind).fields(20)

    free, drawn = after(False), after(True)
    assert drawn["rho"].sum() == pytest.approx(free["rho"].sum(), rel=1e-13)
    turned = drawn["rho_v"] / drawn["rho"] - free["rho_v"] / free["rho"]
    at_edge, inside = turned[[0, -1]].mean(), turned[5:7].mean()
    assert -0.17 < at_edge < -0.03
    assert abs(inside) < 0.2 * abs(at_edge)
