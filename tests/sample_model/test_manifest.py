"""The manifest says what is there."""

import subprocess
import tomllib

import f90nml
import pytest


@pytest.fixture
def manifest(model):
    return tomllib.loads((model / "acclimate.toml").read_text())


def test_its_globs_name_every_source(manifest, model):
    named = {path for glob in manifest["model"]["sources"] for path in model.glob(glob)}
    assert named == {path for path in (model / "src").iterdir() if path.suffix != ".inc"}


def test_its_overrides_and_its_step_count_are_namelist_variables(manifest, model):
    for name, groups in manifest["run"]["short"].items():
        namelist = f90nml.read(model / name)
        for group, values in groups.items():
            assert values.keys() <= namelist[group].keys()
    steps = manifest["steps"]
    assert steps["variable"] in f90nml.read(model / steps["namelist"])[steps["group"]]


@pytest.mark.gfortran
def test_the_short_run_writes_what_it_promises(manifest, simulate):
    run = simulate(**manifest["run"]["short"]["namelist.nml"])
    for glob in manifest["run"]["outputs"]:
        assert list(run.folder.glob(glob)), glob


@pytest.mark.gfortran
@pytest.mark.needs("gcov")
def test_the_short_run_executes_every_kernel(manifest, build, simulate):
    """By gcov: each statement of the time loop is reached, but for messages and stops."""
    executable = build(flags=["-O0", "--coverage"])
    simulate(executable, **manifest["run"]["short"]["namelist.nml"])
    kernels = ["halo", "advection", "acoustic", "dynamics", "surface_layer", "turbulence"]
    kernels += ["microphysics", "diagnostics", "saturation", "tridag"]
    kernels += ["columns", "radiation", "shortwave", "land", "ice", "tracer", "bmadj", "convection"]
    kernels += ["nudging", "statistics"]
    notes = [str(next(executable.parent.glob(f"*{name}.gcno"))) for name in kernels]
    report = subprocess.run(
        ["gcov", "--stdout", *notes],
        cwd=executable.parent,
        capture_output=True,
        text=True,
        timeout=60,
    )
    missed = [line for line in report.stdout.splitlines() if line.lstrip().startswith("#####")]
    # gfortran puts the copying of a derived type at the end of its module
    allowed = ("stop", "write (*", "end module")
    assert not [line for line in missed if not any(word in line.lower() for word in allowed)]


@pytest.mark.gfortran
def test_free_form_is_standard_fortran(build):
    """One build as Fortran 2008; gfortran refuses a line beyond column 132 by itself."""
    build(flags=["-std=f2008", "-fall-intrinsics", "-fsyntax-only"])
