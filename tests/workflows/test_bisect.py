"""`acclimate bisect`: exactly the wrong units, in few trials, also when killed on the way."""

import json
import math
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from acclimate.analysis.index import index_project
from acclimate.analysis.tree.manifest import load_manifest
from acclimate.porter import engine
from acclimate.porter.rewrite import Rewrite
from acclimate.workflows._exit import Exit
from acclimate.workflows.cli import main

SAMPLE = Path(__file__).parents[2] / "sample_model"
ACCLIMATE = Path(sys.executable).with_name("acclimate")
pytestmark = [pytest.mark.gfortran, pytest.mark.slow]


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """The sample model, with a short run, built once."""
    model = tmp_path_factory.mktemp("bisect") / "model"
    shutil.copytree(SAMPLE, model, ignore=shutil.ignore_patterns(".acclimate", "gate"))
    return model


@pytest.fixture(scope="module")
def migrated(original):
    """Its port by the rules, without the ladder."""
    index = index_project(load_manifest(original))
    plan = engine.plan(index)
    said = {unit: engine.propose(plan, unit, index) for unit in plan.changed_units}
    rewrites = {unit: answer for unit, answer in said.items() if isinstance(answer, Rewrite)}
    port = original.with_name("migrated")
    shutil.copytree(original, port, ignore=shutil.ignore_patterns(".acclimate"))
    for file, text in engine.assemble(plan, rewrites, index).items():
        (port / file).write_bytes(text)
    return port


@pytest.fixture
def port(migrated, tmp_path):
    return Path(shutil.copytree(migrated, tmp_path / "port"))


def break_at(port, file, before, after):
    path = port / "src" / file
    text = path.read_text()
    assert text.count(before) == 1, f"{file} has to hold once: {before}"
    path.write_text(text.replace(before, after))
    return text[: text.index(before)].count("\n") + 1


SIGN = ("microphysics.F90", "    qv = qv + gone\n", "    qv = qv - gone\n", "evaporate")
BUOYANCY = ("dynamics.f90", "0.5_wp*grav*(stg", "0.51_wp*grav*(stg", "slow_tendencies")
LAYER = ("surface_layer.f90", "(wet(i, j)*qsat", "(1.01_wp*wet(i, j)*qsat", "surface_fluxes")
STRESS = ("turbulence.f90", "ri >= ric", "ri >= 2.0*ric", "eddy_diffusivity")


def bisect(*words):
    report = words[1].parent / "bisect.json"
    code = main(["bisect", *map(str, words), "--json", str(report)])
    return code, json.loads(report.read_text())


def test_a_right_port_has_no_culprit(original, port):
    code, told = bisect(original, port)
    assert (code, told["culprits"], told["trials"]) == (Exit.DONE, [], 1)
    assert told["suspects"] >= 20


def test_four_wrong_units_are_named_at_their_lines_though_it_was_killed_twice(
    original, port, tmp_path
):
    report = tmp_path / "bisect.json"
    faults = [SIGN, BUOYANCY, LAYER, STRESS]
    lines = {f"{f[0]}:{f[3]}": break_at(port, *f[:3]) for f in faults}
    command = [ACCLIMATE, "bisect", original, port, "--json", report]
    for kill in (1, 2):
        with subprocess.Popen(
            command, start_new_session=True, stderr=subprocess.DEVNULL
        ) as process:
            wait_for_trials(original, 6 * kill)
            os.kill(process.pid, signal.SIGKILL)
    told = subprocess.run([*command, "--max-runs", "14"], capture_output=True, text=True)
    assert told.returncode == Exit.BUDGET
    assert "the same command with more goes on" in told.stdout
    assert subprocess.run(command, capture_output=True).returncode == Exit.REJECTED
    told = json.loads(report.read_text())
    units = {one["units"][0].replace("::", " ").split()[-1]: one for one in told["culprits"]}
    assert {f"{Path(c['file']).name}:{u}": c["line"] for u, c in units.items()} == lines
    assert all(one["told"].startswith("dump_*.fld:") for one in told["culprits"])
    assert told["suspects"] >= 20
    assert 14 <= told["earlier"] < told["trials"]
    assert told["trials"] <= 2 * math.log2(told["suspects"]) * len(faults) + 5


def wait_for_trials(model, count):
    """Until the journal holds so many trials."""
    for _ in range(6000):
        for journal in model.glob(".acclimate/gate/bisect/*/journal.jsonl"):
            if journal.read_text().count("\n") >= count:
                return
        time.sleep(0.05)
    raise AssertionError("the search does not go on")
