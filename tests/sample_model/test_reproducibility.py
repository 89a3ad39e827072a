"""The same bytes from run to run and at every optimisation level, and no undefined value."""

import pytest

pytestmark = pytest.mark.gfortran

CHECKED = (
    *("-O0", "-g", "-fcheck=all", "-finit-real=snan", "-finit-integer=-99999"),
    "-ffpe-trap=invalid,zero,overflow",
)


@pytest.fixture
def outputs(simulate, rain_case):
    def outputs(**executable):
        run = rain_case | {"nsteps": 6, "dump_every": 3, "diag_every": 2}
        return simulate(run=run, columns={"radiation_every": 2}, **executable).outputs()

    return outputs


def test_two_runs_write_the_same_bytes(outputs):
    assert outputs() == outputs()


@pytest.mark.parametrize(
    "flags", [("-O0", "-ffp-contract=off"), ("-O1", "-ffp-contract=off"), CHECKED], ids=" ".join
)
def test_optimisation_does_not_change_a_bit(build, outputs, flags):
    assert outputs(executable=build(flags=flags)) == outputs()


def test_a_last_bit_is_seen(build, outputs):
    edit = ("advection.F90", "f = f/60.0_wp", "f = f*(1.0_wp/60.0_wp)")
    assert outputs(executable=build(edits=[edit])) != outputs()


@pytest.mark.parametrize("define", ["-DLOW_ORDER_ADVECTION", "-DNO_RAIN_EVAPORATION"])
def test_each_macro_builds_another_model(build, outputs, define):
    assert outputs(executable=build(flags=("-O1", define))) != outputs()


def test_the_default_run_is_the_same_unoptimised(build, simulate):
    whole = {"run": {"nsteps": 20, "dump_every": 10}, "columns": {}}
    assert simulate(**whole).outputs() == simulate(build(flags=("-O0",)), **whole).outputs()


def test_a_restart_of_another_grid_is_refused(simulate, rain_case):
    first = simulate(run=rain_case | {"nsteps": 2, "dump_every": 1})
    dump = str(first.folder / "dump_000001.fld")
    restart = {"restart_file": dump, "restart_step": 1, "nsteps": 2}
    run = simulate(run=rain_case | restart | {"nx": 14}, expect=1)
    assert 'does not hold "rho" on this grid' in run.process.stdout


def test_a_run_goes_on_from_a_dump_to_the_same_bytes(simulate, rain_case):
    columns = {"radiation_every": 3}
    whole = simulate(run=rain_case | {"nsteps": 6, "dump_every": 1}, columns=columns)
    (whole.folder / "r").symlink_to(whole.folder / "dump_000004.fld")
    restart = {"restart_file": str(whole.folder / "r"), "restart_step": 4, "nsteps": 6}
    later = simulate(run=rain_case | restart | {"dump_every": 1}, columns=columns)
    for name in ("dump_000005.fld", "dump_000006.fld"):
        assert (later.folder / name).read_bytes() == (whole.folder / name).read_bytes()
