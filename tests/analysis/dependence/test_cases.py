"""The tagged cases: what each `!@` tag says of a statement against the verdict on it."""

import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest

from acclimate.analysis.dependence.judging import judge_loops
from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.facts import LoopFacts
from acclimate.analysis.ir import Do
from acclimate.analysis.project import Project, read_project
from acclimate.analysis.tree.manifest import load_manifest

CASES = Path(__file__).parents[1] / "cases"

# Tag -> verdict, where they are called differently. A directive does not change a verdict, it is
# confirmed or contradicted by it.
VERDICTS = {"parallel-with-temp": "rewrite", "already-ported": "parallel"}

# Configurations in which a tagged line is read.
DEFINES = {("30_cpp_mid_statement.F90", 26): ("REVERSE",)}

# Tags the analysis does not agree with, each for a reason.
KNOWN_MISSES = {
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
def project(file: str, defines: tuple[str, ...] = ()) -> Project:
    return read_project(replace(load_manifest(CASES / file), defines=defines))


@cache
def judged(file: str, defines: tuple[str, ...] = ()) -> dict[int, LoopFacts]:
    return {f.at.first: f for f in judge_loops(project(file, defines))}


def facts_of(tag: Tag) -> LoopFacts | None:
    return judged(tag.file, DEFINES.get((tag.file, tag.line), ())).get(tag.line)


def indices(file: str) -> set[str]:
    """Tags name them seldom, as they are private anyway."""
    units = project(file).units.values()
    loops = [s for unit in units for s in inside(unit.body) if isinstance(s, Do)]
    return {loop.index for loop in loops if loop.index}


def test_there_are_tags():
    assert len(tags()) >= 79


@pytest.mark.parametrize("tag", tags(), ids=lambda tag: f"{tag.file}:{tag.line}")
def test_tag(tag):
    facts = facts_of(tag)
    if (tag.file, tag.line) in KNOWN_MISSES:
        expected = KNOWN_MISSES[tag.file, tag.line]
        assert (None if facts is None else facts.verdict) == expected
        return
    assert facts is not None
    assert facts.verdict == VERDICTS.get(tag.word, tag.word), facts.reason
    assert not facts.conditions
    if facts.verdict not in ("serial", "host", "unknown"):
        known = indices(tag.file)
        assert set(facts.private) - known == tag.names("private") - known
        assert set(facts.firstprivate) == tag.names("firstprivate")
        assert {(r.op, r.var) for r in facts.reduction} == tag.reductions()
        assert set(facts.atomic) == tag.names("atomic")
    if tag.word == "already-ported":
        assert {claim.agreement for claim in facts.claims} == {"confirmed"}
    assert bool(facts.obstacles) == (facts.verdict not in ("parallel", "reduction"))


def test_nearly_all_tags_are_exactly_right():
    assert len(KNOWN_MISSES) <= 0.05 * len(tags())


@pytest.mark.parametrize(
    "tag",
    [t for t in tags() if t.word in ("serial", "host", "rewrite", "parallel-with-temp")],
    ids=lambda tag: f"{tag.file}:{tag.line}",
)
def test_nothing_that_must_wait_is_plainly_parallel(tag):
    facts = facts_of(tag)
    assert facts is None or facts.verdict not in ("parallel", "reduction")


def test_directives_are_noted_and_change_nothing():
    (ported, second) = (judged("51_openacc_present.f90")[line] for line in (10, 14))
    assert ported.notes == second.notes == ("directive: acc parallel loop present(a,b)",)


def test_live_indices_are_named():
    facts = judged("41_negstride_zerotrip.f90")
    assert [facts[line].last_values for line in (7, 11, 15)] == [("i",)] * 3
