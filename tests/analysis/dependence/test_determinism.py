"""The same verdicts for any order of Python's sets."""

import os
import subprocess
import sys
from pathlib import Path

CASES = Path(__file__).parents[1] / "cases"
FILES = ("12_exit_cycle.f90", "18_reductions.f90", "20_last_value.f90", "40_automatic_private.f90")

PROGRAM = """
import sys
from pathlib import Path
from acclimate.analysis.dependence.judging import judge_loops
from acclimate.analysis.tree.manifest import load_manifest
from acclimate.analysis.project import read_project
for file in sys.argv[1:]:
    for facts in judge_loops(read_project(load_manifest(Path(file)))):
        print(facts)
"""


def printed(seed: int) -> str:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *(str(CASES / file) for file in FILES)],
        env={**os.environ, "PYTHONHASHSEED": str(seed)},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    return done.stdout


def test_hash_seed_does_not_matter():
    first = printed(1)
    assert first.count("LoopFacts(") > 10
    assert printed(2) == first
