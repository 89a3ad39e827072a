import subprocess

import pytest

from acclimate.analysis.source import apply_edits
from acclimate.verifier.measuring.iteration_marks import Marks, iteration_marks
from acclimate.verifier.texts.governed import governed_loops
from acclimate.verifier.texts.source_file import SourceFile

PORT = """\
program p
  real :: a(9)
  !$acc parallel loop &
  !$acc copy(a)
  do i = 1, 9
    a(i) = i
  end do; a(1) = 0
  !$acc parallel loop collapse(2)
  do j = 1, 3
    do i = 1, 3
      a(i + 3*(j-1)) = i
    end do
  end do
  print *, bad
  print *, a +
end program p
"""


def mark(text: str, form: str = "free") -> tuple[Marks, str]:
    file = SourceFile("p.f90", text.encode(), form, 72)
    marks = iteration_marks({"p.f90": file}, governed_loops(file))
    return marks, apply_edits(file.data, marks.edits.get("p.f90", ())).decode()


def test_loops_that_run_in_order_are_not_marked():
    text = "!$acc parallel loop seq\ndo i = 1, 9\nend do\n"
    marks, marked = mark(text)
    assert (marked, dict(marks.loops)) == (text, {})


def test_a_pure_procedure_cannot_call_the_log():
    text = "pure subroutine s(a)\n!$acc loop\ndo i = 1, 9\nend do\nend subroutine s\n"
    marks, marked = mark(text)
    assert (marked, len(marks.unmarked)) == (text, 1)


def test_each_loop_has_a_number_and_a_place():
    marks, marked = mark(PORT)
    assert {n: str(at) for n, at in marks.loops.items()} == {1: "p.f90:5", 2: "p.f90:9"}
    assert marked.count("call acclimate_iteration(2, int(i, 8) + 1000003_8**1*int(j, 8))") == 1
    assert marked.count("call acclimate_loop_end") == 2


@pytest.mark.gfortran
def test_fixed_form_is_marked_within_its_columns(tmp_path):
    text = (
        "!$ACC PARALLEL LOOP COLLAPSE(3)\n      DO 10 INDEX_OF_COLUMNS = 1, 3\n"
        "      DO 10 JUST_ANOTHER_INDEX = 1, 3\n      DO 10 K = 1, 3\n   10 X = I\n      END\n"
    )
    _, marked = mark(text, "fixed")
    assert marked.count("acclimate_iteration") == 1
    assert max(map(len, marked.splitlines())) <= 72
    (tmp_path / "p.f").write_text(marked)
    subprocess.run(["gfortran", "-fopenacc", "-c", "p.f"], cwd=tmp_path, check=True)


@pytest.mark.gfortran
@pytest.mark.parametrize("suffix", ["f90", "F90"])
def test_other_statements_keep_their_line_numbers(tmp_path, suffix):
    _, marked = mark(PORT)
    (tmp_path / f"p.{suffix}").write_text(marked)
    done = subprocess.run(
        ["gfortran", "-fopenacc", "-c", f"p.{suffix}"], cwd=tmp_path, capture_output=True, text=True
    )
    assert "p.f90:15:" in done.stderr
