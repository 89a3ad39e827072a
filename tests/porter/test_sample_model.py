"""The rule engine on the sample model: what it edits, and that it leaves the rest alone."""

from collections import Counter
from pathlib import Path

import pytest

from acclimate.analysis.index import ProjectIndex, index_project
from acclimate.analysis.source import Edit
from acclimate.analysis.tree.manifest import load_manifest
from acclimate.porter import engine
from acclimate.porter.plan import LoopState, PortPlan
from acclimate.porter.rewrite import Rewrite

SAMPLE = Path(__file__).parents[2] / "sample_model"

Port = tuple[ProjectIndex, PortPlan, list[Edit], dict[str, bytes]]


@pytest.fixture(scope="module")
def port() -> Port:
    index = index_project(load_manifest(SAMPLE))
    plan = engine.plan(index)
    said = {unit: engine.propose(plan, unit, index) for unit in plan.changed_units}
    rewrites = {unit: answer for unit, answer in said.items() if isinstance(answer, Rewrite)}
    edits = [edit for rewrite in rewrites.values() for edit in rewrite.edits]
    return index, plan, edits, engine.assemble(plan, rewrites, index)


def test_every_byte_outside_the_edited_lines_is_the_originals(port: Port) -> None:
    index, _, edits, files = port
    assert files
    for file, data in files.items():
        mine = [edit for edit in edits if edit.file == file]
        replaced = {n for e in mine if not e.inserts for n in range(e.first, e.last + 1)}
        lines = index.project.texts[file].splitlines(keepends=True)
        kept = [line for number, line in enumerate(lines, 1) if number not in replaced]
        new = [text.encode() + b"\n" for edit in mine for text in edit.text]
        ported = data.splitlines(keepends=True)
        assert Counter(ported) == Counter(kept) + Counter(new)
        rest = iter(ported)
        assert all(line in rest for line in kept), "the original's lines changed their order"


def test_only_files_with_ported_loops_are_touched(port: Port) -> None:
    """A loop is ported if it is in a kernel, or in a routine that kernels call (`tridag.f`)."""
    index, plan, _, files = port
    changed = {file for file, data in files.items() if data != index.project.texts[file]}
    kernels = {kernel.at.file for kernel in plan.kernels}
    routines = {loop.at.file for loop in plan.loops if loop.state is LoopState.IN_ROUTINE}
    assert changed and changed <= kernels | routines
    assert {"src/tridag.f", "src/shortwave.f90"} <= changed - kernels
    assert "src/constants.f90" not in files and "src/cumulet.f90" not in files


def test_the_saturation_table_is_filled_on_the_device_and_comes_back(port: Port) -> None:
    _, _, _, files = port
    lines = [line.strip() for line in files["src/saturation.f90"].decode().split("\n")]
    assert "!$acc declare copyin(eitab, estab, ntab, rdtab)" in lines
    fill = lines.index("do n = 1, ntab")
    assert lines[fill - 1].startswith("!$acc parallel loop")
    assert lines[lines.index("end do", fill) + 1] == "!$acc update self(eitab, estab)"


def test_no_generated_line_is_too_long(port: Port) -> None:
    _, _, edits, _ = port
    for edit in edits:
        limit = 72 if edit.file.endswith(".f") else 132
        assert all(len(text) <= limit for text in edit.text), edit


def test_a_port_needs_no_second_port(port: Port, tmp_path: Path) -> None:
    index, _, _, files = port
    for file, data in {**index.project.texts, **files}.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_bytes(data)
    for file in (SAMPLE / "acclimate.toml", SAMPLE / "namelist.nml", *SAMPLE.glob("src/*.inc")):
        (tmp_path / file.relative_to(SAMPLE)).write_bytes(file.read_bytes())
    again = engine.plan(index_project(load_manifest(tmp_path)))
    assert again.changed_units == ()
