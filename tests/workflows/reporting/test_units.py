"""What a run measured of a unit's kernels: also of those that share a launch."""

import pytest

from acclimate.analysis.source import Edit, Lines, apply_edits
from acclimate.porter.agent.artefacts import Answer, ModelFile, Planned, Survey, SurveyedUnit, Tree
from acclimate.porter.agent.outcome import Outcome
from acclimate.porter.keeping.store import Store
from acclimate.porter.rewrite import Rewrite
from acclimate.verifier.evidence import Evidence, Light, assess
from acclimate.verifier.evidence import Outcome as Held
from acclimate.verifier.figures import Kernel
from acclimate.verifier.ladder import Examination
from acclimate.workflows.reporting.units import Rows

FILE = "a.f90"
TEXT = b"""subroutine s(a, b, n)
  integer :: i, n
  real :: a(n), b(n)
  do i = 1, n
    a(i) = 0.0
  end do
  if (n > 9) then
  do i = 1, n
    b(i) = 0.0
  end do
  end if
  do i = 1, n
    b(i) = a(i)
  end do
end subroutine s
"""
REGION = [
    (4, "!$acc parallel default(present)"),
    (4, "!$acc loop gang"),
    (8, "!$acc loop gang"),
    (11, "!$acc end parallel"),
    (12, "!$acc parallel loop"),
]


@pytest.fixture
def rows(tmp_path):
    """Rows of the unit, given which lines of the port a run came to."""

    def rows(executed, launched=(4,)):
        store = Store(tmp_path / "store")
        edits = tuple(Edit(FILE, line, line - 1, (text,)) for line, text in REGION)
        at = tuple(Lines(FILE, line, line) for line in (4, 8, 12))
        unit = SurveyedUnit("s", "subroutine", Lines(FILE, 1, 1), Lines(FILE, 15, 15))
        files = {FILE: ModelFile(store.put_bytes(TEXT))}
        holds = [Evidence(str(light), light, Held.HOLDS, "") for light in Light]
        outcome = Outcome(
            root=tmp_path,
            survey=Survey("a", files, (FILE,), (unit,), (), (), "none", (), ()),
            planned=Planned(("s",), (), (), {}, {}),
            answers={"s": Answer(Rewrite("s", "rules", edits, (), at))},
            turned_back={},
            tree=Tree({FILE: store.put_bytes(apply_edits(TEXT, edits))}),
            examination=Examination(
                assess(holds),
                kernels=tuple(Kernel(FILE, line, 3, 0.1, 0, 0) for line in launched),
                executed_lines={FILE: executed},
            ),
            attempts=1,
            store=store,
        )
        return Rows(outcome).row(unit).kernels

    return rows


def test_a_loop_that_no_run_came_to_has_not_run_with_the_launch_it_shares(rows):
    assert [k.executed for k in rows((6, 7))] == [True, False, False]


def test_a_loop_has_not_run_where_its_launch_has_not(rows):
    assert [k.executed for k in rows((6, 7, 11), launched=())] == [False] * 3


def test_a_loop_that_shares_a_launch_has_run_where_a_run_came_to_it(rows):
    first, second, other = rows((6, 7, 11, 12))
    assert first.executed and second.executed and not other.executed
    assert (first.launches, second.launches) == (3, 3)
    assert second.share is None
