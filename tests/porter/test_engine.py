"""The rule engine on whole small models: plans, edits, exclusion, determinism."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from acclimate.analysis.index import ProjectIndex
from acclimate.porter import engine
from acclimate.porter.plan import LoopState
from acclimate.porter.rewrite import Feedback, Refusal, Rewrite


@pytest.fixture
def index(models: Any) -> ProjectIndex:
    found: ProjectIndex = models.column()
    return found


def test_a_unit_left_out_stays_on_the_host(index: ProjectIndex) -> None:
    plan = engine.plan(index, frozenset({"main::dynamics"}))
    assert not any(kernel.unit == "main::dynamics" for kernel in plan.kernels)
    refused = [d for d in plan.loops if d.unit == "main::dynamics"]
    assert refused and all(d.state is LoopState.REFUSED for d in refused)
    assert all(d.refusal and "original" in d.refusal.reason for d in refused)


def test_a_loop_left_out_stays_on_the_host(index: ProjectIndex) -> None:
    kernel = next(k for k in engine.plan(index).kernels if k.unit == "main::physics")
    plan = engine.plan(index, frozenset({str(kernel.at)}))
    assert not any(k.at == kernel.at for k in plan.kernels)


def test_a_missing_rewrite_is_not_papered_over(models: Any, index: ProjectIndex) -> None:
    plan = engine.plan(index)
    rewrites = models.proposals(plan, index)
    rewrites.pop("main::physics")
    with pytest.raises(ValueError, match="main::physics"):
        engine.assemble(plan, rewrites, index)


def test_feedback_ends_in_a_refusal(index: ProjectIndex) -> None:
    plan = engine.plan(index)
    feedback = Feedback("main::physics", 1, ("wrong",))
    said = engine.propose(plan, "main::physics", index, feedback)
    assert isinstance(said, Refusal) and "wrong" in said.reason


def test_a_unit_turned_back_still_keeps_its_brackets(index: ProjectIndex) -> None:
    plan = engine.plan(index, frozenset({"main"}))
    said = engine.propose(plan, "main", index, Feedback("main", 1, ("wrong",)))
    assert isinstance(said, Rewrite) and not said.offloaded
    assert any("update self" in line for edit in said.edits for line in edit.text)


def test_unknown_unit_is_an_error(index: ProjectIndex) -> None:
    with pytest.raises(KeyError):
        engine.propose(engine.plan(index), "nowhere", index)


def test_every_loop_is_decided(index: ProjectIndex) -> None:
    plan = engine.plan(index)
    decided = {(d.at.file, d.at.first) for d in plan.loops}
    loops = {(loop.at.file, loop.at.first) for loop in index.loops if loop.kind == "do"}
    assert loops and loops <= decided
    for decision in plan.loops:
        assert (decision.state is LoopState.REFUSED) == (decision.refusal is not None)


def test_plan_is_plain_json_in_dependency_order(index: ProjectIndex) -> None:
    plan = engine.plan(index)
    assert json.loads(json.dumps(plan.to_json()))["kernels"]
    order = [unit.unit for unit in plan.units]
    assert order.index("state::lookup") < order.index("main::dynamics") < order.index("main")


def test_porting_twice_changes_nothing(models: Any, index: ProjectIndex) -> None:
    kernels = len(engine.plan(index).kernels)
    for file, text in models.ported(index).items():
        (models.folder / file).write_text(text)
    again = engine.plan(models.read())
    assert again.changed_units == ()
    assert len(again.kernels) == kernels


SCRIPT = """
import sys
from pathlib import Path
from acclimate.analysis.index import index_project
from acclimate.analysis.tree.manifest import Manifest
from acclimate.porter import engine
manifest = Manifest(root=Path(sys.argv[1]), name="test", sources=("main.f90", "state.f90"))
print(engine.plan(index_project(manifest)).to_json())
"""


@pytest.mark.slow
def test_the_hash_seed_does_not_matter(models: Any, index: ProjectIndex) -> None:
    outputs = set()
    for seed in ("0", "1", "77"):
        argv = [sys.executable, "-c", SCRIPT, str(models.folder)]
        env = os.environ | {"PYTHONHASHSEED": seed}
        result = subprocess.run(
            argv, env=env, capture_output=True, text=True, check=True, timeout=120
        )
        outputs.add(result.stdout)
    assert len(outputs) == 1 and "parallel loop" in outputs.pop()


def test_only_edited_lines_differ(models: Any, index: ProjectIndex) -> None:
    plan = engine.plan(index)
    for file, text in models.ported(index).items():
        edits = [e for unit in plan.units for e in unit.edits if e.file == file]
        replaced = {n for e in edits if not e.inserts for n in range(e.first, e.last + 1)}
        lines = index.project.texts[file].decode().split("\n")
        kept = [line for n, line in enumerate(lines, 1) if n not in replaced]
        new = iter(text.split("\n"))
        assert all(line in new for line in kept)


def test_identity_check_sees_a_changed_byte(index: ProjectIndex) -> None:
    original = index.project.texts["state.f90"]
    changed = original.replace(b"integer :: n", b"integer ::  n")
    with pytest.raises(ValueError, match="outside an edit"):
        engine.check_identity(original, changed, list(engine.plan(index).units[0].edits) or [])


@pytest.mark.gfortran
def test_port_prints_what_the_model_prints(
    models: Any, index: ProjectIndex, tmp_path: Path
) -> None:
    (tmp_path / "port").mkdir()
    ported = models.ported(index)
    for file, data in index.project.texts.items():
        (tmp_path / "port" / file).write_text(ported.get(file, data.decode()))
    printed = set()
    for folder, flags in ((tmp_path, []), (tmp_path / "port", ["-fopenacc", "-foffload=disable"])):
        argv = ["gfortran", *flags, "-O1", "state.f90", "main.f90", "-o", "model"]
        subprocess.run(argv, cwd=folder, check=True, timeout=120)
        result = subprocess.run(
            ["./model"], cwd=folder, capture_output=True, text=True, check=True, timeout=60
        )
        printed.add(result.stdout)
    assert len(printed) == 1 and len(printed.pop().split()) == 3
