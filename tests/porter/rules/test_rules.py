"""Every rule does what its docstring shows, refuses what it says it refuses, and does it once."""

import re
import subprocess
from pathlib import Path
from textwrap import dedent

import pytest

from acclimate.analysis import registry
from acclimate.analysis.index import index_project
from acclimate.analysis.source import apply_edits
from acclimate.analysis.tree.manifest import Manifest
from acclimate.porter import rules
from acclimate.porter.rewrite import Refusal
from acclimate.porter.rule import Offload, Rule, registered
from acclimate.porter.rule_trial import Trial
from acclimate.verifier.subject import Subject
from acclimate.verifier.toolchains import toolchain

registry.load_all(rules)
RULES = {rule.name: rule for rule in registered()}


def block(doc: str, name: str) -> str:
    """The indented text under `name:` in a docstring."""
    lines = dedent("    " + doc).split("\n")
    start = next(n for n, line in enumerate(lines) if line.strip() == f"{name}:")
    margin = len(lines[start]) - len(lines[start].lstrip())
    kept = []
    for line in lines[start + 1 :]:
        if line.strip() and len(line) - len(line.lstrip()) <= margin:
            break
        kept.append(line)
    return dedent("\n".join(kept)).strip("\n") + "\n"


def trial(tmp_path: Path, source: str) -> Trial:
    (tmp_path / "case.f90").write_text(source)
    manifest = Manifest(root=tmp_path, name="case", sources=("case.f90",))
    return Trial(index_project(manifest))


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_rule_refuses_what_its_docstring_refuses(rule: Rule, tmp_path: Path) -> None:
    outcomes = trial(tmp_path, block(rule.doc, "Refused")).outcomes(rule)
    assert outcomes
    assert not any(isinstance(outcome, Offload) for outcome in outcomes)
    for outcome in outcomes:
        assert not isinstance(outcome, Refusal) or (outcome.reason and outcome.at.first > 1)


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_rule_does_what_its_docstring_shows(rule: Rule, tmp_path: Path) -> None:
    before, after = block(rule.doc, "Before"), block(rule.doc, "After")
    edits = trial(tmp_path, before).edits(rule)
    assert apply_edits(before.encode(), edits).decode() == after


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_rule_changes_nothing_twice(rule: Rule, tmp_path: Path) -> None:
    assert trial(tmp_path, block(rule.doc, "After")).edits(rule) == ()


@pytest.mark.gfortran
@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_compiler_accepts_what_the_docstring_shows(rule: Rule, tmp_path: Path) -> None:
    for name in ("Before", "After", "Refused"):
        path = tmp_path / f"{name}.f90"
        path.write_text(block(rule.doc, name))
        argv = ["gfortran", "-fopenacc", "-Wall", "-Werror=surprising", "-fsyntax-only", str(path)]
        result = subprocess.run(argv, capture_output=True, text=True, timeout=60, check=False)
        assert result.returncode == 0, result.stderr
        assert not re.search(r"Error", result.stderr)


def test_rules_have_names_and_orders_of_their_own() -> None:
    assert len(RULES) >= 5
    assert [rule.order for rule in registered()] == sorted({rule.order for rule in registered()})


@pytest.mark.parametrize(("target", "accepted"), [("s(2)", False), ("s(k(i))", True)])
def test_atomic_updates_of_a_single_place_are_refused(
    target: str, accepted: bool, tmp_path: Path
) -> None:
    source = f"""
    subroutine add(n, x, k, s)
      integer, intent(in) :: n, k(n)
      real(8), intent(in) :: x(n)
      real(8), intent(inout) :: s(:)
      integer :: i
      do i = 1, n
        {target} = {target} + x(i)
      end do
    end subroutine add
    """
    (outcome,) = trial(tmp_path, dedent(source)).outcomes(RULES["atomic_update"])
    assert isinstance(outcome, Offload) is accepted
    assert accepted or (isinstance(outcome, Refusal) and "one and the same" in outcome.reason)


# What reading cannot prove of what a rule shows, and why: the runs have to tell.
UNPROVED = {
    "array_reduction_loops": "an intrinsic function becomes a loop",
    "array_temporary": "an allocatable array carries the values from one loop to the next",
    "closed_form_induction": "a count is computed from the index instead of the one before",
    "element_reduction": "the terms are added up by themselves first: another rounding",
    "extremum_location": "the place is found in a second loop, by the value",
    "last_value": "the iteration that sets a value last is found by a maximum",
    "promote_private_array": "every iteration has an array of its own",
}


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_what_a_rule_shows_is_proved_by_reading(rule: Rule, tmp_path: Path) -> None:
    sides = []
    for name in ("Before", "After"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "case.f90").write_text(block(rule.doc, name))
        sides.append(Manifest(root=folder, name="case", sources=("case.f90",)))
    subject = Subject(sides[0], sides[1], toolchain("gfortran"), tmp_path / "work")
    proved = not subject.changes or subject.proved_units == {c.unit for c in subject.changes}
    assert proved is (rule.name not in UNPROVED)
