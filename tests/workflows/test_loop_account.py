"""The account of a loop: what clashes, in words, and lines that can be pasted as they are."""

import subprocess

import pytest

from acclimate.analysis.index import index_project
from acclimate.analysis.tree.manifest import load_manifest
from acclimate.workflows.showing.loop_account import explained


def account(folder, body, declarations="", name="m.f90", line=None):
    """The account of the first loop of a program, or the one at `line`."""
    text = f"program m\n{declarations}{body}end program m\n"
    if name.endswith(".f"):
        text = "".join(f"      {row}\n" for row in text.splitlines())
    (folder / name).write_text(text)
    index = index_project(load_manifest(folder / name))
    loop = next(one for one in index.loops if line is None or one.at.first == line)
    return explained(loop, index.texts, 5)


REALS = "real :: a(99), b(99)\ninteger :: n, idx(99)\n"


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (
            "do i = 2, n\na(i) = a(i - 1)\nend do\n",
            "an iteration reads what the iteration before has written in `a` (flow dependence):",
        ),
        (
            "do i = 4, n\na(i) = a(i - 3)\nend do\n",
            "an iteration reads what the iteration 3 before it has written in `a`",
        ),
        (
            "do i = 1, n\na(i) = a(i + 1)\nend do\n",
            "an iteration overwrites what the iteration before must have read in `a` first",
        ),
        (
            "do i = 1, n\na(idx(i)) = i\nend do\n",
            "one iteration writes what another iteration has written in `a`, and the last must win",
        ),
        (
            "do i = 1, n\nb(i) = x\nx = a(i)\nend do\n",
            "an iteration may read what the iteration before has left in `x` (scalar dependence)",
        ),
    ],
)
def test_clashes_are_told_in_words(tmp_path, body, words):
    told = account(tmp_path, body + "print *, a, b\n", REALS)
    assert words in " ".join(told.split())
    assert "its iterations must run one after another" in told


def test_a_promise_is_a_line_to_paste_before_the_loop(tmp_path):
    lines = account(
        tmp_path, "  do i = 1, n\n  a(idx(i)) = i\n  end do\nprint *, a\n", REALS
    ).splitlines()
    place = next(n for n, text in enumerate(lines) if text.endswith("before line 4:"))
    assert lines[place + 1] == "     !$acclimate injective(idx)"


SUMS = "".join(f"total_of_something_{n} = total_of_something_{n} + a(i)\n" for n in range(9))


@pytest.mark.gfortran
@pytest.mark.parametrize("name", ["m.f90", "m.f"])
def test_a_long_directive_is_continued_so_that_compilers_take_it(tmp_path, name):
    names = ", ".join(f"total_of_something_{n}" for n in range(9))
    told = account(tmp_path, f"do i = 1, 99\n{SUMS}end do\nprint *, sum(a)\n", REALS, name)
    assert names.split(", ")[0] in told
    lines = told.splitlines()
    start = next(n for n, text in enumerate(lines) if "for this loop alone" in text) + 1
    margin = 0 if name.endswith(".f") else 3  # in fixed form a sentinel stands in column 1
    pasted = [line[margin:] for line in lines[start:] if line.lstrip().startswith("!$acc")]
    assert len(pasted) > 1 and max(map(len, pasted)) <= 100
    source = (tmp_path / name).read_text().splitlines()
    source[3:3] = pasted
    (tmp_path / name).write_text("\n".join(source) + "\n")
    command = ["gfortran", "-fopenacc", "-fsyntax-only", name]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr


def test_an_atomic_loop_asks_for_atomic_at_every_update(tmp_path):
    told = account(tmp_path, "do i = 1, n\na(idx(i)) = a(idx(i)) + 1\nend do\nprint *, a\n", REALS)
    assert "and before every update of `a` in it: !$acc atomic update" in told.splitlines()


def test_a_loop_with_a_hint_to_skip_it_is_said_to_be_left_alone(tmp_path):
    told = account(tmp_path, f"!$acclimate skip\ndo i = 1, n\n{SUMS}end do\nprint *, a\n", REALS)
    assert "it is not ported: a hint asks to leave it alone" in told.splitlines()
    assert "whether it is ported" not in told
    assert "note: directive: acclimate" not in told


def test_a_loop_that_needs_a_change_first_has_no_directive(tmp_path):
    body = "do i = 1, n\nif (a(i) > 1) last = i\nend do\nprint *, last\n"
    told = account(tmp_path, body, REALS)
    assert "after the change named below" in told
    assert "!$acc" not in told
    assert "clauses it needs: private(i)" in told


def test_a_standing_directive_is_confirmed_or_contradicted(tmp_path):
    body = "!$omp parallel do\ndo i = 2, n\na(i) = a(i - 1)\nend do\nprint *, a\n"
    assert "!$omp parallel do: contradicted, see below" in account(tmp_path, body, REALS)
    body = body.replace("a(i - 1)", "1")
    assert "!$omp parallel do: confirmed" in account(tmp_path, body, REALS)


def test_a_long_statement_is_quoted_where_it_matters_and_once(tmp_path):
    others = "".join(f"  &, x{n} &\n" for n in range(8))
    body = f"do i = 2, n\n  call t(i &\n{others}  &, a)\nend do\n"
    rest = "contains\nsubroutine t(i, p, q, r, s, u, v, w, x, z)\nreal z(99)\n"
    rest += "z(i) = z(i - 1) + z(i + 1)\nend\n"
    told = account(tmp_path, body + rest, REALS)
    assert "m.f90  5 |   call t(i &" in told
    assert "m.f90 14 |   &, a)" in told
    assert "x3" not in told
    assert "... (10 lines)" in told
    assert "... (quoted above)" in told
