"""Each kind of contract: a kernel that keeps it is proved, its violating twin refuted."""

import pytest

from acclimate.analysis.dependence import solver
from acclimate.analysis.problems import Problem
from acclimate.verifier.contracts import proving
from acclimate.verifier.contracts.promises import promise
from acclimate.verifier.evidence import Outcome

pytestmark = pytest.mark.skipif(solver.solver() is None, reason="inconclusive: needs z3")


def nest(body: str, clauses: str = "") -> str:
    return (
        f"!$acc parallel loop collapse(2) {clauses}\ndo j = 1, m\ndo i = 1, n\n"
        f"{body}\nend do\nend do\n"
    )


def loop(body: str, clauses: str = "", bounds: str = "1, n") -> str:
    return f"!$acc parallel loop {clauses}\ndo i = {bounds}\n{body}\nend do\n"


PAIRS = {
    "writes are disjoint": (nest("a(i, j) = b(i, j)"), nest("w(i) = b(i, j)"), 22),
    "reads meet no write of another iteration": (
        loop("w(i) = 2*w(i)"),
        loop("w(i) = w(i - 1)", bounds="2, n"),
        21,
    ),
    "indices are in bounds": (
        loop("w(i) = col(1)"),
        loop("w(i) = col(101)"),
        21,
    ),
    "indices are in bounds of what was allocated": (
        loop("field(i - 1, 1) = field(i + 1, 1)*0", bounds="1, nx, 3"),
        loop("field(1, i) = 0", bounds="1, nx + 1"),
        21,
    ),
    "scalars are written before they are read": (
        loop("t = w(i)\nw(i) = 2*t", "private(t)"),
        loop("w(i) = 2*t\nt = w(i)", "private(t)"),
        21,
    ),
    "copies are written before they are read": (
        loop("w(i) = 2*t"),
        loop("w(i) = 2*t", "private(t)"),
        21,
    ),
    "copies of arrays are written before they are read": (
        loop("col(1) = w(i)\nw(i) = 2*col(1)", "private(col)"),
        loop("w(i) = 2*col(1)", "private(col)"),
        21,
    ),
    "a scalar that all iterations share": (
        loop("t = w(i)\nw(i) = 2*t", "private(t)"),
        loop("t = w(i)\nw(i) = 2*t"),
        21,
    ),
    "the reduction's operator is that of the statement": (
        loop("total = total + w(i)", "reduction(+:total)"),
        loop("total = total + w(i)", "reduction(max:total)"),
        21,
    ),
    "a maximum written as IF": (
        loop("if (w(i) > total) total = w(i)", "reduction(max:total)"),
        loop("if (w(i) < total) total = w(i)", "reduction(max:total)"),
        21,
    ),
    "a private work array": (
        loop("do k = 1, 100\ncol(k) = w(i)\nend do\nw(i) = col(1)", "private(col, k)"),
        loop("do k = 1, 100\ncol(k) = w(i)\nend do\nw(i) = col(1)", "private(k)"),
        22,
    ),
    "data clauses cover what is read and written": (
        loop("w(i) = col(1)", "copyin(col)"),
        loop("w(i) = col(1)", "create(col)"),
        21,
    ),
    "diagonals that meet": (
        nest("c(i, j) = a(i, j)"),
        nest("if (j > 1 .and. i > 1) c(i, j) = c(i - 1, j - 1)"),
        22,
    ),
}


@pytest.mark.parametrize("contract", PAIRS)
def test_a_kernel_that_keeps_its_contracts_is_proved(contract, judged):
    (only,) = judged(PAIRS[contract][0])
    assert (only.outcome, only.figure, only.decisive) == (Outcome.HOLDS, 1, True)


@pytest.mark.parametrize("contract", PAIRS)
def test_its_violating_twin_is_refuted_at_its_line(contract, judged):
    _, body, line = PAIRS[contract]
    found = judged(body)
    assert found[0].outcome is Outcome.INCONCLUSIVE
    assert [e.line for e in found if e.outcome is Outcome.FAILS][:1] == [line]


def test_a_witness_names_two_iterations_and_what_they_share(judged):
    found = judged(loop("w(i) = w(i - 1)", bounds="2, n"))
    (failed,) = [e for e in found if e.outcome is Outcome.FAILS]
    assert failed.message.startswith("reads meet no write of another iteration: broken for 'w'")
    assert "i = " in failed.message and "i' = " in failed.message


SCATTER = loop("w(idx(i)) = i")


@pytest.mark.parametrize(
    ("body", "promises"),
    [
        (SCATTER, ("injective(idx)", "1 <= idx <= n")),
        (loop("col(i) = 0", bounds="1, m"), ("m <= wide",)),
        (loop("col(i) = 0", bounds="1, m"), ("m <= shapes::wide",)),
    ],
)
def test_a_promise_closes_what_the_source_leaves_open(body, promises, judged):
    assert judged(body)[0].outcome is Outcome.INCONCLUSIVE
    assert {e.outcome for e in judged(body)} == {Outcome.INCONCLUSIVE}
    (only,) = judged(body, *promises)
    assert (only.outcome, only.decisive) == (Outcome.HOLDS, False)
    assert promises[0] in only.message


SHARED = loop("if ({}) t = w(i)\nw(i) = 2*w(i)")


def test_what_a_constant_excludes_is_no_violation(judged):
    assert judged(SHARED.format("wide == 3"))[0].outcome is Outcome.HOLDS
    assert Outcome.FAILS in {e.outcome for e in judged(SHARED.format("wide == 100"))}


def test_what_a_configuration_may_exclude_is_no_certain_violation(judged):
    assert {e.outcome for e in judged(SHARED.format("nx == 3"))} == {Outcome.INCONCLUSIVE}
    body = loop("if (nx == 3) w(i) = w(i - 1)", bounds="2, n")
    assert {e.outcome for e in judged(body)} == {Outcome.INCONCLUSIVE}


def test_what_an_inner_loop_has_copies_of_is_not_shared(judged):
    body = nest("t = b(i, j)\na(i, j) = t").replace("collapse(2)", "gang")
    assert Outcome.FAILS in {e.outcome for e in judged(body)}
    inner = body.replace("do i", "!$acc loop vector private(t)\ndo i")
    assert [e.outcome for e in judged(inner)] == [Outcome.HOLDS]


def test_half_a_promise_is_not_enough(judged):
    assert {e.outcome for e in judged(SCATTER, "1 <= idx <= n")} == {Outcome.INCONCLUSIVE}
    assert {e.outcome for e in judged(SCATTER, "injective(idx)")} == {Outcome.INCONCLUSIVE}


@pytest.mark.parametrize("text", ["idx", "n <", "__import__('os')", "a[1] < 2", "injective(1)"])
def test_what_is_no_contract_is_refused(text):
    with pytest.raises(Problem, match="is no contract"):
        promise(text)


CALLED = """\
!$acc parallel loop
do i = 1, n
  call one(w(i))
end do
contains
subroutine one(x)
  real, intent(inout) :: x
  {}
end subroutine one
"""


def test_what_a_called_procedure_does_is_followed(judged):
    assert judged(CALLED.format("x = 2*x"))[0].outcome is Outcome.HOLDS
    found = judged(CALLED.format("a(1, 1) = x"))
    assert [e.line for e in found if e.outcome is Outcome.FAILS] == [26]


@pytest.mark.parametrize("said", ["", "unknown\n", "timeout\n", '(error "out of memory")\n'])
def test_nothing_but_unsat_proves_anything(said, judged, monkeypatch):
    monkeypatch.setattr(proving, "answer", lambda script, **limits: f"next\n{said}" if said else "")
    assert {e.outcome for e in judged(nest("a(i, j) = b(i, j)"))} == {Outcome.INCONCLUSIVE}


def test_a_solver_that_dies_or_never_ends_proves_nothing(judged, monkeypatch, tmp_path):
    fake = tmp_path / "z3"
    monkeypatch.setattr(solver, "solver", lambda: str(fake))
    monkeypatch.setattr(proving, "SECONDS", 1)
    for script in ("kill -SEGV $$", "exec sleep 60"):
        fake.write_text(f"#!/bin/sh\n{script}\n")
        fake.chmod(0o755)
        assert {e.outcome for e in judged(nest("a(i, j) = b(i, j)"))} == {Outcome.INCONCLUSIVE}
