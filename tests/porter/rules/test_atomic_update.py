"""Atomic updates: which statements get the directive, and which loops it is not for."""

from pathlib import Path

from acclimate.analysis import registry
from acclimate.analysis.index import index_project
from acclimate.analysis.source import apply_edits
from acclimate.analysis.tree.manifest import Manifest
from acclimate.porter import rules
from acclimate.porter.rewrite import Refusal
from acclimate.porter.rule import registered
from acclimate.porter.rule_trial import Trial

registry.load_all(rules)
ATOMIC = next(rule for rule in registered() if rule.name == "atomic_update")

COLLECT = """\
subroutine collect(n, m, cell, mass)
  integer, intent(in) :: n, m, cell(n)
  real, intent(inout) :: mass(m)
  integer :: i
  do i = 1, n
    mass(cell(i)) = {value}
  end do
end subroutine collect
"""


def trial(folder: Path, source: str) -> Trial:
    (folder / "case.f90").write_text(source)
    manifest = Manifest(root=folder, name="case", sources=("case.f90",))
    return Trial(index_project(manifest))


def test_an_update_that_reads_the_array_elsewhere_is_refused(tmp_path):
    source = COLLECT.format(value="mass(cell(i)) + 0.1*mass(m)")
    (outcome,) = trial(tmp_path, source).outcomes(ATOMIC)
    assert outcome is None or isinstance(outcome, Refusal)


def test_plain_stores_beside_updates_get_no_directive(tmp_path):
    source = """\
subroutine settle(n, top, mass, total)
  integer, intent(in) :: n, top
  real, intent(inout) :: mass(n), total(n)
  integer :: i
  do i = 1, n - 1
    total(n) = total(n) + mass(i)
    total(i) = 0.0
  end do
end subroutine settle
"""
    edits = trial(tmp_path, source).edits(ATOMIC)
    text = apply_edits(source.encode(), edits).decode()
    assert text.count("!$acc atomic update\n    total(n) = total(n) + mass(i)\n") == 1
    assert text.count("atomic update") == 1
