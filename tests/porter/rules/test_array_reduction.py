"""Reductions of arrays that stay on the host, each with its reason."""

from pathlib import Path
from textwrap import indent

import pytest

from acclimate.analysis import registry
from acclimate.analysis.index import index_project
from acclimate.analysis.tree.manifest import Manifest
from acclimate.porter import rules
from acclimate.porter.rewrite import Refusal
from acclimate.porter.rule import Offload, Outcome, registered
from acclimate.porter.rule_trial import Trial

registry.load_all(rules)
(RULE,) = (rule for rule in registered() if rule.name == "array_reduction_loops")

AROUND = """\
module m
  type box
    real :: top
    real, allocatable :: field(:)
  end type
contains
  subroutine s(n, a, d, b, boxes, x, y, k)
    integer, intent(in) :: n
    real, intent(in) :: a(n, n)
    double precision, intent(in) :: d(n)
    type(box), intent(inout) :: b, boxes(n)
    real, intent(inout) :: x, y(n)
    integer, intent(inout) :: k
    character(3) :: c(2)
    real, external :: other
{}  end subroutine
end module
"""


def outcomes(tmp_path: Path, lines: str, source: str = AROUND) -> list[Outcome]:
    (tmp_path / "case.f90").write_text(source.format(indent(lines, "    ") + "\n"))
    manifest = Manifest(root=tmp_path, name="case", sources=("case.f90",))
    return Trial(index_project(manifest)).outcomes(RULE)


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("x = sum(maxval(a, 1))", "two array reductions"),
        ("x = minval(a) + maxval(a)", "two array reductions"),
        ("x = maxval(y, dim=1)", "DIM"),
        ("x = maxval(y, 1)", "DIM"),
        ("y(1) = maxval(a)", "no plain scalar"),
        ("b%top = maxval(a)", "no plain scalar"),
        ("x = maxval(a)*y(1)", "'y' stands beside the function"),
        ("x = maxval(a)*b%top", "'b%top' stands beside the function"),
        ("x = other(maxval(a))", "another function"),
        ("x = maxval(x*y)", "set from itself"),
        ("x = maxval(d*y)", "more than one type"),
        ("x = maxval(y*1.0d0)", "more than a sum or product of one type"),
        ("x = sum(sqrt(y))", "more than a sum or product of one type"),
        ("x = sum(y(:)*other(1.0))", "not an elemental reference"),
        ("k = count(y > other(x))", "not an elemental reference"),
        ("k = count(c == 'abc')", "character"),
        ("x = maxval(boxes(k)%field)", "chosen by a subscript"),
        ("x = maxval([1.0, 2.0])", "no array"),
        ("x = maxval(y); k = 2", "does not stand alone"),
        ("1 x = maxval(y)", "does not stand alone"),
    ],
)
def test_what_stays_on_the_host(tmp_path: Path, statement: str, reason: str) -> None:
    found = outcomes(tmp_path, statement)
    assert found
    for outcome in found:
        assert isinstance(outcome, Refusal), outcome
        assert reason in outcome.reason
        assert outcome.next_step


def test_a_pure_procedure_can_hold_no_kernel(tmp_path: Path) -> None:
    source = "pure subroutine s(a, x)\nreal, intent(in) :: a(:)\nreal, intent(out) :: x\n{}end\n"
    (outcome,) = outcomes(tmp_path, "x = maxval(a)", source)
    assert isinstance(outcome, Refusal) and "pure" in outcome.reason


def test_a_function_of_that_name_is_no_reduction(tmp_path: Path) -> None:
    source = AROUND.replace("real, external :: other", "real, external :: other, maxval")
    assert outcomes(tmp_path, "x = maxval(y)", source) == []


def test_a_name_of_the_rewrite_that_is_taken(tmp_path: Path) -> None:
    source = AROUND.replace("character(3) :: c(2)", "integer :: acc_maxval_y")
    (outcome,) = outcomes(tmp_path, "x = maxval(y)", source)
    assert isinstance(outcome, Refusal) and "the name 'acc_maxval_y' is taken" in outcome.reason


@pytest.mark.parametrize(
    "statement",
    [
        "x = maxval(y)",
        "x = 2*x - sum(abs(a(:, 2)) - y)",
        "k = count(a(1, :) > y)",
        "x = maxval(b%field)",
    ],
)
def test_what_goes_to_the_device(tmp_path: Path, statement: str) -> None:
    (outcome,) = outcomes(tmp_path, statement)
    assert isinstance(outcome, Offload), outcome
