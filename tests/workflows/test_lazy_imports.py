"""A light command does not load what only a heavy one needs."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ACCLIMATE = Path(sys.executable).with_name("acclimate")
HEAVY = {"langgraph", "openai", "textual"}


def imported(*command: str | Path) -> set[str]:
    """Top-level names of every module that a Python program imports before it exits with 0."""
    run = subprocess.run(
        [sys.executable, "-X", "importtime", *command], cwd=ROOT, capture_output=True, text=True
    )
    trace, said = [], []
    for line in run.stderr.splitlines():
        (trace if line.startswith("import time:") else said).append(line)
    assert run.returncode == 0, "\n".join(said)
    return {line.rpartition("|")[2].strip().partition(".")[0] for line in trace}


def test_a_heavy_import_is_seen(tmp_path):
    program = tmp_path / "heavy.py"
    program.write_text("import langgraph.graph\nimport openai\n")
    assert imported(program) & HEAVY == {"langgraph", "openai"}


@pytest.mark.parametrize(
    "arguments",
    [("--help",), ("analyze", "--help"), ("analyze", "sample_model", "--json", "-")],
    ids=" ".join,
)
def test_light_commands_load_no_heavy_library(arguments):
    names = imported(ACCLIMATE, *arguments)
    assert "acclimate" in names
    assert names & HEAVY == set()
