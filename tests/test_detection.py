"""The commands that score the gate say what they say on a small scale too. Nothing is timed."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

pytestmark = [pytest.mark.slow, pytest.mark.gfortran]


def score(script, *arguments):
    command = [sys.executable, str(ROOT / "benchmarks" / script), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=900)


def test_in_a_chaotic_model_the_gate_finds_what_the_end_of_the_run_hides(tmp_path):
    run = score("detection.py", "--quick", "--json", tmp_path / "d.json")
    assert run.returncode == 0, run.stdout + run.stderr
    told = json.loads((tmp_path / "d.json").read_text())
    faults = [line["alarms"] for line in told["table"] if line["size"] is not None]
    legitimate = [line["alarms"] for line in told["table"] if line["size"] is None]
    assert len(faults) >= 5
    assert all(alarms["acclimate"] for alarms in faults)
    assert not any(alarms["end of run"] for alarms in faults)
    assert not any(alarms["acclimate"] for alarms in legitimate)
    assert told["fresh"]["acclimate"] == 0
    assert told["predicted"] == pytest.approx(told["measured"], rel=0.2)


def test_a_bug_and_a_reordered_sum_are_told_apart():
    run = score("bug_or_chaos.py", "--count", 2, "--seed", 5)
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.splitlines()[-1] == "right: 2 of 2 bugs, 2 of 2 reordered sums"
