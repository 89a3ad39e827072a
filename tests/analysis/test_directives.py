"""Directives: sentinels of both forms, continuations, and their clauses."""

import pytest

from acclimate.analysis.directives import Clause, parse, scan
from acclimate.analysis.ir import Directive
from acclimate.analysis.source import Lines


def texts(source: str, form: str = "free") -> list[tuple[int, int, str, str]]:
    found = scan(source.encode("latin-1"), form, "a.f90")
    return [(d.at.first, d.at.last, d.sentinel, d.text) for d in found]


@pytest.mark.parametrize(
    "source",
    [
        "! acc loop\n",
        "x = 1 ! $acc\n",
        "!$ x = 1\n",
        "s = '!$acc loop'\n",
        "!acc$ loop\n",
        "",
        "!$\n",
    ],
)
def test_what_is_no_directive(source):
    assert texts(source) == []


def test_a_c_in_free_form_is_no_sentinel():
    assert texts("c$acc loop\n") == []


@pytest.mark.parametrize(
    ("source", "form", "expected"),
    [
        ("!$ACC Parallel Loop\n", "free", [(1, 1, "acc", "parallel loop")]),
        ("  !$omp do ! why\n", "free", [(1, 1, "omp", "do")]),
        ("!$acc loop &\n!$acc& private(x)\n", "free", [(1, 2, "acc", "loop private(x)")]),
        ("!$acc loop &\n!$acc private(x)\n", "free", [(1, 2, "acc", "loop private(x)")]),
        ("!$acc loop &\n!$acc & private(x)\n", "free", [(1, 2, "acc", "loop private(x)")]),
        ("!$acc loop\n!$acc end data\n", "free",
         [(1, 1, "acc", "loop"), (2, 2, "acc", "end data")]),
        ("!$acclimate skip\n", "free", [(1, 1, "acclimate", "skip")]),
        ("!$ser data x=x\n", "free", [(1, 1, "ser", "data x=x")]),
        ("!DIR$ IVDEP\n", "free", [(1, 1, "dir", "ivdep")]),
        ("C$OMP PARALLEL DO\n*$ACC LOOP\n", "fixed",
         [(1, 1, "omp", "parallel do"), (2, 2, "acc", "loop")]),
        ("!$acc loop private(a,\n!$acc&  b)\n", "fixed", [(1, 2, "acc", "loop private(a, b)")]),
        ("C$ACC0LOOP\nC$ACC+SEQ\n", "fixed", [(1, 2, "acc", "loop seq")]),
        ("!$acclimate skip\n", "fixed", [(1, 1, "acclimate", "skip")]),
        ("!$acc loop\r\n", "free", [(1, 1, "acc", "loop")]),
    ],
)  # fmt: skip
def test_directives_are_found(source, form, expected):
    assert texts(source, form) == expected


@pytest.mark.parametrize(
    ("text", "name", "clauses"),
    [
        ("parallel loop gang vector collapse(2)", "parallel loop",
         [Clause("gang"), Clause("vector"), Clause("collapse", ("2",))]),
        ("loop reduction(+: s, t) private(x)", "loop",
         [Clause("reduction", ("s", "t"), "+"), Clause("private", ("x",))]),
        ("enter data copyin(a(:, 1:n), b%c(1))", "enter data",
         [Clause("copyin", ("a(:,1:n)", "b%c(1)"))]),
        ("update self(a) if(n > 0) async", "update",
         [Clause("self", ("a",)), Clause("if", ("n>0",)), Clause("async")]),
        ("atomic update", "atomic update", []),
        ("wait(1)", "wait", [Clause("wait", ("1",))]),
        ("data copyin(readonly: a)", "data", [Clause("copyin", ("a",), "readonly")]),
        ("loop private(", "loop", [Clause("private")]),
    ],
)  # fmt: skip
def test_clauses(text, name, clauses):
    found = parse(Directive(Lines("a.f90", 1, 1), "acc", text))
    assert (found.name, list(found.clauses)) == (name, clauses)


def test_arguments_of_several_clauses_are_put_together():
    found = parse(Directive(Lines("a.f90", 1, 1), "acc", "loop private(a) seq private(b, c)"))
    assert found.arguments("private", "firstprivate") == ("a", "b", "c")
