"""Builds the sample model once per session and runs it on edited namelists.

ACCLIMATE_SAMPLE names another tree to test, a port for instance, ACCLIMATE_SAMPLE_FLAGS what it
is built with besides: "-fopenacc -foffload=disable" runs its kernels on the host.
"""

import os
import re
import subprocess
from dataclasses import dataclass
from graphlib import TopologicalSorter
from pathlib import Path

import f90nml
import numpy as np
import pytest

from acclimate.verifier.outputs import fieldstream

MODEL = Path(os.environ.get("ACCLIMATE_SAMPLE") or Path(__file__).parents[2] / "sample_model")
FLAGS = tuple(os.environ.get("ACCLIMATE_SAMPLE_FLAGS", "").split())
OPTIMISED = ("-O2", "-ffp-contract=off")
DIAGNOSTICS = (
    *("step", "time", "dt", "nsound", "mass", "water", "rained", "evaporated", "energy"),
    *("wmin", "wmax", "thpmin", "thpmax", "zcentroid", "qcmax", "qrmax"),
)

DRY = {"moist": False, "turbulence": False, "surface": False}
SWITCHES = ("radiation", "soil", "convection", "ice", "tracers", "nudging", "statistics")
BARE = {"noise_amp": 0.0} | dict.fromkeys(SWITCHES, False)  # no physics of whole columns
RAIN = {"case_name": "rain", "nx": 12, "ny": 6, "nz": 16, "dz": 750.0, "diag_every": 1}


@dataclass(frozen=True)
class Run:
    folder: Path
    process: subprocess.CompletedProcess[str]

    def fields(self, step):
        """Prognostic fields at a step, interior only, by name, indexed [i, j, k]."""
        fields = fieldstream.read(self.folder / f"dump_{step:06d}.fld")
        return {name: interior(field) for name, field in fields.items()}

    def diagnostics(self):
        """Columns of diag.txt by name, one value per diagnostic step."""
        text = (self.folder / "diag.txt").read_text().split("# profile")[0]
        rows = np.loadtxt(text.splitlines(), ndmin=2)
        return dict(zip(DIAGNOSTICS, rows.T, strict=True))

    def outputs(self):
        """Bytes of every file the run wrote."""
        files = [*self.folder.glob("dump_*.fld"), *self.folder.glob("*.txt")]
        return {file.name: file.read_bytes() for file in sorted(files)}


def interior(field):
    """Values without the halo, which lies below index 1 and as wide above."""
    return field.values[tuple(slice(1 - low, low - 1 if low < 1 else None) for low in field.lower)]


def in_build_order(sources):
    """The sources, each behind the modules it uses."""
    text = {source: source.read_text().lower() for source in sources}
    home = {
        name: source
        for source in sources
        for name in re.findall(r"^module (\w+)$", text[source], re.M)
    }
    uses = {
        source: {home[name] for name in re.findall(r"^ *use (\w+)", text[source], re.M)}
        for source in sources
    }
    return list(TopologicalSorter(uses).static_order())


@pytest.fixture(scope="session")
def model():
    """The folder of the sample model."""
    return MODEL


@pytest.fixture(scope="session")
def build(tmp_path_factory):
    """build(flags, edits): the model's executable; edits are (file, old, new) on its sources."""

    def build(flags=OPTIMISED, edits=()):
        folder = tmp_path_factory.mktemp("cumulet")
        sources = []
        for original in sorted((MODEL / "src").iterdir()):
            copy = folder / original.name
            text = original.read_text()
            for file, old, new in edits:
                if file == original.name:
                    assert text.count(old) == 1, f"{file} has to hold once: {old}"
                    text = text.replace(old, new)
            copy.write_text(text)
            if copy.suffix != ".inc":
                sources.append(copy)
        command = ["gfortran", *flags, *FLAGS, "-o", "cumulet", *in_build_order(sources)]
        subprocess.run(command, cwd=folder, check=True, timeout=300)
        return folder / "cumulet"

    return build


@pytest.fixture(scope="session")
def library(tmp_path_factory):
    """The model's modules as objects, for programs that call a single one of them."""
    folder = tmp_path_factory.mktemp("library")
    sources = [path for path in (MODEL / "src").iterdir() if path.suffix != ".inc"]
    sources = [path for path in in_build_order(sorted(sources)) if path.stem != "cumulet"]
    command = ["gfortran", "-O1", "-ffp-contract=off", *FLAGS, "-c", *map(str, sources)]
    subprocess.run(command, cwd=folder, check=True, timeout=300)
    return folder


@pytest.fixture
def compute(library, tmp_path):
    """compute(declarations and statements): the numbers that a program of them writes."""

    def compute(text):
        (tmp_path / "driver.f90").write_text(f"program driver\n{text}\nend program driver\n")
        objects = sorted(map(str, library.glob("*.o")))
        command = ["gfortran", *FLAGS, "-I", str(library), "driver.f90", *objects, "-o", "driver"]
        subprocess.run(command, cwd=tmp_path, check=True, timeout=60)
        run = subprocess.run(
            ["./driver"], cwd=tmp_path, check=True, capture_output=True, text=True, timeout=60
        )
        return np.array(run.stdout.split(), dtype=float)

    return compute


@pytest.fixture(scope="session")
def cumulet(build):
    """The executable as the manifest builds it."""
    return build()


@pytest.fixture
def simulate(cumulet, tmp_path_factory):
    """simulate(run=..., dynamics=..., physics=..., columns=...): a run on the edited namelist.

    Without `columns` there is no physics of whole columns; with it, all that the default namelist
    has but for what it says. The run has to end with the status `expect`; None: any.
    """

    def simulate(executable=cumulet, expect=0, *, columns=BARE, **groups):
        groups["columns"] = columns
        folder = tmp_path_factory.mktemp("run")
        f90nml.patch(MODEL / "namelist.nml", groups, folder / "namelist.nml")
        process = subprocess.run(
            [executable], cwd=folder, capture_output=True, text=True, timeout=300
        )
        assert expect in (None, process.returncode), process.stdout + process.stderr
        return Run(folder, process)

    return simulate


@pytest.fixture
def dry_case():
    """Namelist values of a dry run without subgrid physics."""
    return DRY


@pytest.fixture
def rain_case():
    """Namelist values of a small cloud that rains out."""
    return RAIN
