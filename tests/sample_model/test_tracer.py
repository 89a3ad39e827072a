"""Tracer advection: exact where it can be, monotone, and nothing is lost."""

import math

import numpy as np
import pytest

pytestmark = pytest.mark.gfortran

NX, NY, NZ = 12, 8, 10
FLOW = """
  use constants, only: wp
  use grid
  use state
  use halo, only: halo_one
  use tracer_mod
  implicit none
  real(wp), allocatable :: q(:, :, :), rhos(:, :, :)
  real(wp) :: x, y, z, start
  integer :: i, j, k, n
  nx = 12
  ny = 8
  nz = 10
  dx = 100.0_wp
  dy = 100.0_wp
  dz = 100.0_wp
  call setup_grid(0.0_wp, 0.0_wp)
  call allocate_state()
  call allocate_field(q, nz)
  call allocate_field(rhos, nz)
  rhos = 1.0_wp
  do k = 1, nz
    do j = 1, ny
      do i = 1, nx
        x = real(i, wp)
        y = real(j, wp)
        z = real(k, wp)
        q(i, j, k) = merge(1.0_wp, 0.0_wp, i > 3 .and. i < 8 .and. j > 2 .and. j < 6 .and. k > 3)
        avu(i, j, k) = 20.0_wp*sin(0.52359877_wp*x + 0.3_wp*z)
        avv(i, j, k) = 15.0_wp*cos(0.78539816_wp*y + x)
        if (k > 1) avw(i, j, k) = 10.0_wp*sin(x + y + z)
      end do
    end do
  end do
"""
CARRY = """
  call halo_one(avu, nz)
  call halo_one(avv, nz)
  start = sum(rhos(1:nx, 1:ny, 1:nz)*q(1:nx, 1:ny, 1:nz))
  do n = 1, {steps}
    rhos = 1.0_wp
    call advect_tracer(q, rhos, {dt}_wp)
  end do
  write (*, *) start, sum(rhos(1:nx, 1:ny, 1:nz)*q(1:nx, 1:ny, 1:nz))
  write (*, *) q(1:nx, 1:ny, 1:nz)
"""


@pytest.fixture
def carry(compute):
    """carry(statements, steps, dt): mass before and after, and the field after."""

    def carry(statements="", steps=1, dt=1.0):
        text = FLOW + statements + CARRY.format(steps=steps, dt=dt)
        before, after, *q = compute(text)
        return before, after, np.reshape(q, (NX, NY, NZ), order="F")

    return carry


STILL = "avu = 0.0_wp\navv = 0.0_wp\navw = 0.0_wp\n"


def test_no_flow_carries_nothing(carry):
    _, _, start = carry(STILL)
    _, _, later = carry(STILL, steps=3)
    np.testing.assert_array_equal(start, later)


def test_a_courant_number_of_one_moves_the_field_by_a_cell(carry):
    _, _, start = carry(STILL)
    for axis, wind in enumerate(("avu", "avv")):
        _, _, moved = carry(STILL + f"{wind} = 100.0_wp\n")
        np.testing.assert_allclose(moved, np.roll(start, 1, axis=axis), atol=1e-14)


def test_a_constant_stays_constant_in_any_flow(carry):
    _, _, q = carry("q = 7.0_wp\n")
    np.testing.assert_allclose(q, 7.0, rtol=1e-14)


def test_a_step_keeps_the_mass_and_makes_no_extremum(carry):
    before, after, q = carry()
    assert after == pytest.approx(before, rel=1e-14)
    assert q.min() >= -1e-15 and q.max() <= 1.0 + 1e-14
    assert 0.0 < q[q > 0].min() < 1.0


def test_the_order_of_directions_goes_by_turns(carry):
    """The mirror image in the diagonal of x and y needs the other order."""
    square = "q = 0.0_wp\nq(4:6, 4:6, :) = 1.0_wp\navw = 0.0_wp\n"
    wind = "avu = 30.0_wp*q\navv = 10.0_wp\n"
    mirrored = "avv = 30.0_wp*q\navu = 10.0_wp\n"
    middle = (slice(1, 8), slice(1, 8))
    _, _, one = carry(square + wind)
    _, _, same_order = carry(square + mirrored)
    _, _, other_order = carry(square + mirrored + "forward = .false.\n")
    np.testing.assert_allclose(
        one[middle], other_order[middle].transpose(1, 0, 2), rtol=1e-12, atol=1e-15
    )
    assert np.abs(one[middle] - same_order[middle].transpose(1, 0, 2)).max() > 1e-3


@pytest.fixture
def after(simulate, rain_case):
    return simulate(run=rain_case | {"nsteps": 40}, columns={"radiation_every": 20}).fields(40)


def mass(fields, name):
    return math.fsum((fields["rho"] * fields[name]).flat)


def test_dust_is_carried_and_kept(simulate, rain_case, after):
    start = simulate(run=rain_case | {"nsteps": 0}, columns={}).fields(0)
    assert mass(after, "dust") == pytest.approx(mass(start, "dust"), rel=1e-13)
    assert after["dust"].min() >= 0.0 and after["dust"].max() <= 1.0 + 1e-12
    assert np.abs(after["dust"] - start["dust"]).max() > 0.1


def test_the_air_holds_the_radon_that_the_land_gave(after, rain_case):
    land = len(after["soil_skin"])
    given = 3.7 * land * float(after["time"])
    decayed = 2.098e-6 * float(after["time"])
    assert mass(after, "radon") * rain_case["dz"] == pytest.approx(given, rel=decayed)
    assert mass(after, "radon") * rain_case["dz"] < given
    assert np.all(np.diff(after["radon"].mean(axis=(0, 1))[:4]) < 0.0)
