import subprocess
from pathlib import Path

import pytest

from acclimate.analysis.source import apply_edits
from acclimate.verifier.measuring.order_reversal import reversal_edits, reversals
from acclimate.verifier.texts.source_file import SourceFile

BOUNDS = ["1, 5", "5, 1, -1", "1, 10, 3", "9, -4, -4", "3, 2", "2, 9, -1", "n, 2*n, n - 1", "7, 7"]


def reverse(text: str, form: str = "free") -> str:
    file = SourceFile("a.f90", text.encode(), form, 72)
    return apply_edits(file.data, reversal_edits(file, reversals(file))).decode()


@pytest.mark.parametrize(
    "text",
    [
        "!$acc parallel loop seq\ndo i = 1, n\nend do\n",
        "!$acc parallel\n!$acc loop seq\ndo i = 1, n\nend do\n!$acc end parallel\n",
        "!$acc serial loop\ndo i = 1, n\nend do\n",
        "!$acc kernels loop\ndo i = 1, n\nend do\n!$acc end kernels\n",
        "!$acc data copy(a)\ndo i = 1, n\nend do\n!$acc end data\n",
        "!$acc parallel loop\ndo while (x > 1)\nend do\n",
    ],
    ids=["seq", "inner seq", "serial", "kernels", "data", "while"],
)
def test_loops_that_keep_their_order_are_left_alone(text):
    assert reverse(text) == text


def test_collapse_reverses_as_many_loops_as_it_names():
    text = "!$acc parallel loop collapse(2)\ndo k = 1, n\ndo j = 1, m\ndo i = 1, 9\nx = 1\nend do\n"
    assert reverse(text).splitlines()[1:4] == ["do k = n, 1, -1", "do j = m, 1, -1", "do i = 1, 9"]


def test_labels_and_other_statements_on_the_line_survive():
    text = "!$acc parallel loop\nouter: do i = 1, n; a(i) = x\nend do outer\n"
    assert reverse(text).splitlines()[1:3] == ["outer: do i = n, 1, -1", "a(i) = x"]


def test_fixed_form_stays_fixed_form():
    text = "!$ACC PARALLEL LOOP\n      DO 10 I = 1, NMAX\n   10 A(I) = 1\n      END\n"
    lines = reverse(text, "fixed").splitlines()
    assert lines[1].startswith("      ")
    assert lines[1].lower().split() == ["do", "10", "i", "=", "nmax,", "1,", "-1"]


def test_sums_and_atomics_are_told_from_plain_loops():
    text = (
        "!$acc parallel loop reduction(+:s)\ndo i = 1, n\ns = s + a(i)\nend do\n"
        "!$acc parallel loop reduction(max:s)\ndo i = 1, n\ns = max(s, a(i))\nend do\n"
        "!$acc parallel loop\ndo i = 1, n\n!$acc atomic\nb(k) = b(k) + a(i)\nend do\n"
    )
    file = SourceFile("a.f90", text.encode(), "free", None)
    assert [r.rounds for r in reversals(file)] == [True, False, True]


@pytest.mark.gfortran
def test_the_same_iterations_are_visited_backwards(tmp_path: Path):
    loops = "".join(
        f"!$acc parallel loop\ndo i = {bounds}\nwrite (*, '(1x,i0)', advance='no') i\nend do\n"
        "print *\n"
        for bounds in BOUNDS
    )
    text = f"program p\ninteger :: i, n = 4\n{loops}end program p\n"
    visited = []
    for name, source in (("forward", text), ("backward", reverse(text))):
        (tmp_path / f"{name}.f90").write_text(source)
        subprocess.run(["gfortran", f"{name}.f90", "-o", name], cwd=tmp_path, check=True)
        done = subprocess.run([f"./{name}"], cwd=tmp_path, capture_output=True, check=True)
        visited.append([line.split() for line in done.stdout.decode().splitlines()])
    assert visited[0][0] == ["1", "2", "3", "4", "5"]
    assert visited[1] == [list(reversed(line)) for line in visited[0]]
