"""Twenty ports of the cases that are wrong in the way ports are: each is rejected for its numbers,
at a line that was changed; and rewrites of the same statements that are right are accepted."""

import json
from pathlib import Path

import pytest

from acclimate.analysis.tree.manifest import Manifest
from acclimate.analysis.tree.run_spec import RunSpec
from acclimate.verifier.evidence import Outcome
from acclimate.verifier.ladder import Examination, examine
from acclimate.verifier.subject import Subject
from acclimate.verifier.toolchains import toolchain

pytestmark = [pytest.mark.gfortran, pytest.mark.slow]

CASES = Path(__file__).parents[1] / "analysis" / "cases"
WRONG = json.loads((Path(__file__).parent / "wrong_ports.json").read_text())
RIGHT = {
    "16": (
        "  a(2:n) = a(1:n-1)          !@ parallel-with-temp",
        "  do i = n, 2, -1\n    a(i) = a(i-1)\n  end do",
    ),
    "59": (
        "  do j = 1, n !@ serial reason=wavefront\n    do i = 1, n !@ serial reason=wavefront\n",
        "  do i = 1, n\n    do j = 1, n\n",
    ),
    "70": (
        "    if (a(i) > 0d0) then\n      b(i) = 1d0/a(i)\n    else\n      b(i) = 0d0\n    end if",
        "    if (.not. a(i) > 0d0) then\n      b(i) = 0d0\n"
        "    else\n      b(i) = 1d0/a(i)\n    end if",
    ),
}


def _examined(
    tmp_path: Path, work: Path, case: str, find: str, put: str
) -> tuple[Examination, set[int]]:
    """The port examined up to its first located failure, and the lines it was changed at."""
    (source,) = CASES.glob(f"{case}_*")
    text = source.read_text(encoding="latin-1")
    assert text.count(find) == 1
    manifests = []
    for side, content in (("original", text), ("port", text.replace(find, put))):
        root = tmp_path / side
        root.mkdir()
        (root / source.name).write_text(content, encoding="latin-1")
        run = RunSpec(time_limit=10, memory_limit=512)
        manifests.append(Manifest(root, "case", (source.name,), flags=("-O1",), run=run))
    first = text[: text.index(find)].count("\n") + 1
    changed = set(range(first, first + put.count("\n") + 2))
    subject = Subject(manifests[0], manifests[1], toolchain("gfortran"), work)
    return examine(subject, stop_at_first_failure=True), changed


@pytest.mark.parametrize("row", WRONG, ids=lambda row: f"{row['case']} {row['what']}")
def test_a_wrong_port_is_rejected_for_its_numbers_at_a_changed_line(row, tmp_path, work):
    put = row["replace"].replace("; ", "\n")
    found, changed = _examined(tmp_path, work, row["case"], row["find"], put)
    lights = found.assessment.lights
    assert found.assessment.verdict == "reject"
    assert {name for name, outcome in lights.items() if outcome == Outcome.FAILS} == {"numerics"}
    failed = [e for e in found.assessment.evidence if e.outcome is Outcome.FAILS]
    assert any(e.line in changed for e in failed)


@pytest.mark.parametrize("case", RIGHT)
def test_a_right_rewrite_of_the_same_statements_is_accepted(case, tmp_path, work):
    found, _ = _examined(tmp_path, work, case, *RIGHT[case])
    failed = [e.message for e in found.assessment.evidence if e.outcome is Outcome.FAILS]
    assert failed == []
    assert found.assessment.verdict == "accept"
