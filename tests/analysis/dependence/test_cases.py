"""The tagged cases: what each `!@` tag says of a statement against the verdict on it."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from acclimate.analysis.dependence.judging import judge_loops
from acclimate.analysis.facts import LoopFacts
from acclimate.analysis.manifest import load_manifest
from acclimate.analysis.project import read_project

CASES = Path(__file__).parents[1] / "cases"

# Tag -> verdict, where they are called differently. A directive does not change a verdict.
VERDICTS = {"parallel-with-temp": "rewrite", "already-ported": "parallel"}

# Tags the analysis does not agree with, each for a reason.
KNOWN_MISSES = {
    # The DO statement of the branch that the preprocessor leaves out.
    ("30_cpp_mid_statement.F90", 26): None,
    # A coarray statement that is no loop; it is opaque, and every loop with it is refused.
    ("48_coarray.f90", 9): None,
    # A sum whose order the program chooses; atomic updates keep the sum, not the order.
    ("64_sum_order.f90", 17): "atomic",
}


@dataclass(frozen=True)
class Tag:
    file: str
    line: int
    text: str

    @property
    def word(self) -> str:
        return self.text.split()[0].partition("=")[0]

    def names(self, clause: str) -> set[str]:
        found = re.search(rf"(?<![a-z]){clause}=(\S+)", self.text)
        return set(found[1].lower().split(",")) if found else set()

    def reductions(self) -> set[tuple[str, str]]:
        found = re.search(r"reduction=(\S+)", self.text)
        parts = found[1].split("|") if found else []
        return {
            (part.partition(":")[0], name.lower())
            for part in parts
            for name in part.partition(":")[2].split(",")
        }


def tags() -> list[Tag]:
    found = []
    for file in sorted(CASES.glob("*.[fF]*")):
        lines = file.read_bytes().decode("latin-1").splitlines()
        for number, line in enumerate(lines, 1):
            if "!@" in line:
                found.append(Tag(file.name, number, line.partition("!@")[2].strip()))
    return found


@cache
def judged(file: str) -> dict[int, LoopFacts]:
    return {f.at.first: f for f in judge_loops(read_project(load_manifest(CASES / file)))}


def test_there_are_tags():
    assert len(tags()) >= 79


@pytest.mark.parametrize("tag", tags(), ids=lambda tag: f"{tag.file}:{tag.line}")
def test_tag(tag):
    facts = judged(tag.file).get(tag.line)
    if (tag.file, tag.line) in KNOWN_MISSES:
        expected = KNOWN_MISSES[tag.file, tag.line]
        assert (None if facts is None else facts.verdict) == expected
        return
    assert facts is not None
    assert facts.verdict == VERDICTS.get(tag.word, tag.word), facts.reason
    assert tag.names("private") <= set(facts.private)
    assert tag.names("firstprivate") <= set(facts.firstprivate)
    if tag.word == "reduction":
        assert {(r.op, r.var) for r in facts.reduction} == tag.reductions()
    if tag.word == "atomic":
        assert set(facts.atomic) == tag.names("atomic")
    assert bool(facts.obstacles) == (facts.verdict not in ("parallel", "reduction"))


@pytest.mark.parametrize(
    "tag",
    [t for t in tags() if t.word in ("serial", "host", "rewrite", "parallel-with-temp")],
    ids=lambda tag: f"{tag.file}:{tag.line}",
)
def test_nothing_that_must_wait_is_plainly_parallel(tag):
    facts = judged(tag.file).get(tag.line)
    assert facts is None or facts.verdict not in ("parallel", "reduction")


def test_directives_are_noted_and_change_nothing():
    (ported, second) = (judged("51_openacc_present.f90")[line] for line in (10, 14))
    assert ported.notes == second.notes == ("directive: acc parallel loop present(a,b)",)


def test_live_indices_are_named():
    facts = judged("41_negstride_zerotrip.f90")
    assert [facts[line].last_values for line in (7, 11, 15)] == [("i",)] * 3
