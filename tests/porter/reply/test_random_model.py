"""A model that answers at random with wrong replies, for 500 units: nothing of it lands."""

import random
from functools import cache
from pathlib import Path

import pytest

from acclimate.analysis.index import index_project
from acclimate.analysis.source import apply_edits
from acclimate.analysis.tree.manifest import load_manifest
from acclimate.porter.author.claims import claim_objections
from acclimate.porter.reply.objection import UnsafeReply
from acclimate.porter.reply.proposal import propose_from
from acclimate.verifier.building.variant import variant_tree
from acclimate.verifier.evidence import Outcome
from acclimate.verifier.ladder import examine
from acclimate.verifier.subject import Subject
from acclimate.verifier.toolchains import toolchain

VALLEY = Path(__file__).parent / "valley.f90"
REPLIES = sorted((Path(__file__).parent / "hostile").glob("*.md"))
UNIT = "valley::sweep"
RUNGS = frozenset({"source_equality", "structure", "host_build", "host_run", "value_classes"})


@pytest.fixture(scope="module")
def reasons(ground_of, tmp_path_factory):
    """What speaks against one reply; each is judged once, whatever number of units gets it."""
    work = tmp_path_factory.mktemp("random")
    manifest = load_manifest(VALLEY)
    before, ground = index_project(manifest), ground_of(UNIT)

    @cache
    def judge(path):
        try:
            said = propose_from(path.read_text().split("\n---\n", 1)[1], ground)
        except UnsafeReply as unsafe:
            return unsafe.notes
        changed = {ground.file: apply_edits(ground.data, said.edits)}
        port = variant_tree(manifest, changed, work / path.stem)
        claims = tuple(map(str, claim_objections(before, index_project(port), UNIT)))
        return claims or measured(port)

    def measured(port):
        subject = Subject(manifest, port, toolchain("gfortran"), work / "verifier")
        found = examine(subject, only=RUNGS, stop_at_first_failure=True).assessment.evidence
        doubts = [e for e in found if e.outcome is Outcome.FAILS or e.unsettled]
        return tuple(f"{e.check}: {e.message}" for e in doubts)

    return judge


@pytest.mark.slow
@pytest.mark.gfortran
def test_of_500_units_none_gets_a_wrong_port(reasons):
    chosen = random.Random(20261130).choices(REPLIES, k=500)
    landed = {path.stem for path in chosen if not reasons(path)}
    assert landed == set()
    assert {path.stem for path in chosen} == {path.stem for path in REPLIES}  # each was drawn
