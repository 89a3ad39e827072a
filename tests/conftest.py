"""Checks that want a tool say so with a marker, and the run says how many went undecided.

`needs(command)`, `gfortran` and `offload` (see pyproject.toml) skip a test whose tool is missing.
A skipped check is not a passed one: the summary counts them by tool, and prints the count at zero.

Nothing is kept between runs: a test that wants a cache names its folder.
"""

import os
import shutil
import subprocess
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

os.environ["ACCLIMATE_CACHE"] = "none"

# How long an example takes is the machine's affair.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

INCONCLUSIVE = "inconclusive: needs "
NVPTX = "the nvptx offload compiler"


def pytest_runtest_setup(item: pytest.Item) -> None:
    for tool in wanted(item):
        if not available(tool):
            pytest.skip(INCONCLUSIVE + tool)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reasons = [report.longrepr[2] for report in terminalreporter.stats.get("skipped", [])]
    tools = Counter(
        reason.partition(INCONCLUSIVE)[2] for reason in reasons if INCONCLUSIVE in reason
    )
    if not tools:
        terminalreporter.write_line("inconclusive: 0")
    for tool, count in sorted(tools.items()):
        terminalreporter.write_line(f"inconclusive: {count} checks need {tool}")


def wanted(item: pytest.Item) -> list[str]:
    """Tools that a test's markers ask for."""
    tools = [tool for marker in item.iter_markers("needs") for tool in marker.args]
    if item.get_closest_marker("gfortran"):
        tools.append("gfortran")
    if item.get_closest_marker("offload"):
        tools += ["gfortran", NVPTX]
    return tools


@cache
def available(tool: str) -> bool:
    if tool != NVPTX:
        return shutil.which(tool) is not None
    asked = ["gfortran", "-print-prog-name=accel/nvptx-none/mkoffload"]
    answer = subprocess.run(asked, capture_output=True, text=True, check=True)
    return Path(answer.stdout.strip()).is_absolute()
