"""The bugs of a published port, found by replay alone: nothing is read side by side."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from acclimate.analysis.tree.manifest import load_manifest
from acclimate.verifier.replay.replaying import UnitReplay, replay_units
from acclimate.verifier.subject import Subject
from acclimate.verifier.toolchains import toolchain

pytestmark = [pytest.mark.gfortran, pytest.mark.slow]

SAMPLE = Path(__file__).parents[3] / "sample_model"
UNITS = {
    "update dropped": "tridag",
    "rotation copied": "microphysics::sedimentation",
    "case missing": "turbulence_mod::eddy_diffusivity",
    "terms dropped": "advection::scalar_fluxes",
    "condition lost": "turbulence_mod::mix_scalar",
}


@pytest.fixture(scope="module")
def replayed(tmp_path_factory, published) -> Callable[..., dict[str, UnitReplay]]:
    """The replay of the procedures that the edits of these names are in."""
    folder = tmp_path_factory.mktemp("published")

    def run(*names: str) -> dict[str, UnitReplay]:
        root = folder / f"port-{len(list(folder.iterdir()))}"
        shutil.copytree(SAMPLE, root)
        for name in names:
            file, changes = published(name)
            text = (root / file).read_text()
            for old, new in changes:
                assert text.count(old) == 1
                text = text.replace(old, new)
            (root / file).write_text(text)
        original = load_manifest(SAMPLE)
        subject = Subject(
            original, replace(original, root=root), toolchain("gfortran"), folder / "work"
        )
        return {found.unit: found for found in replay_units(subject, list(UNITS.values()))}

    return run


def test_each_bug_is_found_in_its_procedure(replayed):
    found = replayed(*UNITS)
    for name, unit in UNITS.items():
        assert found[unit].failures, name


def test_the_same_rewrites_done_right_leave_the_same(replayed):
    found = replayed("update kept", "rotation with another scalar", "condition as a block")
    for unit, replay in found.items():
        assert replay.failures == (), unit
        assert replay.calls, unit
        assert replay.values, unit


def test_an_update_dropped_where_nothing_counts_the_elements_is_found_in_its_callers(replayed):
    found = replayed("update dropped")
    assert "acoustic::vertical_implicit" in found["tridag"].around
    assert {failure.unit for failure in found["tridag"].failures} == set(found["tridag"].around)
    assert not found["microphysics::sedimentation"].failures
