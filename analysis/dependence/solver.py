"""Z3 in a process of its own: is a formula of linear integer arithmetic satisfiable?

The limit that counts is one of steps, not of time, so that the answer is the same on every
machine. The limits of time and memory are for what goes wrong; without an answer, and without
z3, a formula counts as satisfiable.
"""

import shutil
import subprocess
import sys
from functools import cache, lru_cache
from pathlib import Path

STEPS = 400_000  # z3's rlimit: some tens of milliseconds
SECONDS = 10
MEGABYTES = 500


@cache
def solver() -> str | None:
    """The z3 of this environment, else the one on the path."""
    beside = Path(sys.executable).parent / "z3"
    return str(beside) if beside.is_file() else shutil.which("z3")


@lru_cache(maxsize=4096)
def is_unsatisfiable(formula: str) -> bool:
    """Is it proved that no integers satisfy the SMT-LIB text?"""
    return answer(formula).strip() == "unsat"


def answer(script: str, *, steps: int = STEPS, seconds: int = SECONDS) -> str:
    """What z3 prints for SMT-LIB commands; "" where there is no z3 or it came to no good end.

    `steps` is for each check by itself, `seconds` for all of them.
    """
    z3 = solver()
    if z3 is None:
        return ""
    limits = (f"rlimit={steps}", f"-T:{seconds}", f"-memory:{MEGABYTES}")
    try:
        run = subprocess.run(
            [z3, "-in", "-smt2", *limits],
            input=script,
            capture_output=True,
            text=True,
            timeout=2 * seconds,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return run.stdout
