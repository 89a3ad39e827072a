"""Random loops judged parallel give the same results in any order, with the clauses named.

The executor shares nothing with the analysis. It runs the loop in the order written and in
another order with the clauses the analysis names (private copies poisoned, partial reductions,
last values from the last iteration), and compares what a caller can see.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from acclimate.analysis.dependence.judging import judge_loops
from acclimate.analysis.facts import LoopFacts, Verdict
from acclimate.analysis.project import read_project
from acclimate.analysis.tree.manifest import load_manifest

Location = tuple[str, tuple[int, ...]]
Memory = dict[Location, int]
POISON = 987_654

# Expressions are nested tuples: ("const", 3), ("name", "t"), ("at", "a", (subscripts)),
# ("+", x, y), ("-", x, y), ("*", x, y), ("max", x, y). Statements likewise, see `run`.
Tree = tuple[Any, ...]

ARRAYS = ("a", "b")  # dummy arrays, seen by the caller
SCALARS = ("t", "u")  # local
RESULTS = ("s", "r")  # dummy scalars


def subscripts(index_names: tuple[str, ...]) -> st.SearchStrategy[Tree]:
    base = st.sampled_from([("name", name) for name in index_names])
    shift = st.integers(-2, 2).map(lambda c: ("const", c))
    scaled = st.tuples(st.just("*"), st.sampled_from([("const", 2), ("const", -1)]), base)
    moved = st.tuples(st.just("+"), st.one_of(base, scaled), shift)
    both = st.tuples(st.just("+"), base, base)
    symbolic = st.tuples(st.just("+"), base, st.just(("name", "n")))
    fixed = st.integers(1, 4).map(lambda c: ("const", c))
    looked_up = st.tuples(st.just("at"), st.just("idx"), st.tuples(base))
    return st.one_of(base, base, moved, moved, both, symbolic, fixed, looked_up)


def operands(index_names: tuple[str, ...]) -> st.SearchStrategy[Tree]:
    element = st.tuples(st.just("at"), st.sampled_from(ARRAYS), st.tuples(subscripts(index_names)))
    work = st.tuples(st.just("at"), st.just("w"), st.tuples(work_subscripts(index_names)))
    scalar = st.sampled_from([("name", name) for name in (*SCALARS, *RESULTS)])
    index = st.sampled_from([("name", name) for name in index_names])
    constant = st.integers(-3, 3).map(lambda c: ("const", c))
    return st.one_of(element, element, work, scalar, index, constant)


def work_subscripts(index_names: tuple[str, ...]) -> st.SearchStrategy[Tree]:
    inner = [("name", name) for name in index_names if name == "k"]
    near = [("+", name, ("const", 1)) for name in inner]
    mirrored = [("-", ("name", "m"), name) for name in inner]
    fixed: list[Tree] = [("const", 1), ("const", 2), ("name", "m")]
    return st.sampled_from([*inner, *inner, *near, *mirrored, *fixed])


def values(index_names: tuple[str, ...]) -> st.SearchStrategy[Tree]:
    operand = operands(index_names)
    pair = st.tuples(st.sampled_from(["+", "-", "max"]), operand, operand)
    return st.one_of(operand, pair)


def conditions(index_names: tuple[str, ...]) -> st.SearchStrategy[Tree]:
    data = st.tuples(st.just("at"), st.just("c"), st.just((("name", "i"),)))
    fixed = st.just(("at", "c", (("const", 1),)))
    left = st.one_of(data, data, fixed, st.sampled_from([("name", n) for n in index_names]))
    relation = st.sampled_from([">", "<=", "=="])
    return st.tuples(relation, left, st.integers(0, 3).map(lambda c: ("const", c)))


def assignments(index_names: tuple[str, ...]) -> st.SearchStrategy[Tree]:
    element = st.tuples(st.just("at"), st.sampled_from(ARRAYS), st.tuples(subscripts(index_names)))
    work = st.tuples(st.just("at"), st.just("w"), st.tuples(work_subscripts(index_names)))
    scalar = st.sampled_from([("name", name) for name in (*SCALARS, *RESULTS)])
    plain = st.tuples(st.just("="), st.one_of(element, work, scalar), values(index_names))
    update = st.tuples(
        st.one_of(element, scalar), st.sampled_from(["+", "max"]), operands(index_names)
    ).map(lambda x: ("=", x[0], (x[1], x[0], x[2])))
    return st.one_of(plain, plain, plain, update)


@cache  # a strategy built anew for every draw costs more than the loop it draws
def blocks(index_names: tuple[str, ...], depth: int) -> st.SearchStrategy[tuple[Tree, ...]]:
    simple = assignments(index_names)
    kinds = [simple, simple, simple]
    if depth > 0:
        body = st.deferred(lambda: blocks(index_names, depth - 1))
        kinds.append(st.tuples(st.just("if"), conditions(index_names), body, st.just(())))
        kinds.append(st.tuples(st.just("if"), conditions(index_names), body, body))
        kinds.append(st.tuples(st.just("cycle"), conditions(index_names)))
        if "k" not in index_names:
            inner = st.deferred(lambda: blocks((*index_names, "k"), depth - 1))
            bounds = st.sampled_from([(1, "m"), (2, "m"), ("m", 1), (1, 3)])
            leave = st.tuples(st.just("exit"), conditions((*index_names, "k")))
            body_with_exit = st.one_of(
                inner, inner, inner, st.tuples(inner, leave).map(lambda x: (*x[0], x[1]))
            )
            kinds.append(st.tuples(st.just("do"), bounds, body_with_exit))
    return st.lists(st.one_of(*kinds), min_size=1, max_size=3).map(tuple)


@st.composite
def random_loops(draw: st.DrawFn) -> "RandomLoop":
    body = draw(blocks(("i",), 2))
    bounds = draw(st.sampled_from([(1, "n", 1), (2, "n", 1), ("n", 1, -1), (1, "n", 2), (1, 4, 1)]))
    after = draw(st.sampled_from([(), ("t",), ("u",), ("w",), ("t", "u")]))
    return RandomLoop(body, bounds, after)


@dataclass(frozen=True)
class RandomLoop:
    body: tuple[Tree, ...]
    bounds: tuple[int | str, int | str, int]
    read_after: tuple[str, ...]  # local variables copied to a result behind the loop

    def fortran(self) -> str:
        first, last, step = self.bounds
        lines = [
            "subroutine model(a, b, c, idx, n, m, s, r, seen)",
            "  implicit none",
            "  integer :: n, m, s, r, seen(*), a(-60:*), b(-60:*), c(*), idx(*)",
            "  integer :: i, k, t, u, w(0:40)",
            "  t = 5",
            "  u = 7",
            "  w = 3",
            f"  do i = {first}, {last}, {step}",
            *_text(self.body, 2),
            "  end do",
        ]
        for number, name in enumerate(self.read_after, 1):
            lines.append(
                f"  seen({number}) = {name}(2)" if name == "w" else f"  seen({number}) = {name}"
            )
        return "\n".join([*lines, "end subroutine model", ""])

    @property
    def line(self) -> int:
        return 8


def _text(block: tuple[Tree, ...], level: int) -> Iterator[str]:
    pad = "  " * level
    for statement in block:
        match statement:
            case ("=", target, value):
                yield f"{pad}{_expr(target)} = {_expr(value)}"
            case ("if", condition, then, otherwise):
                yield f"{pad}if ({_expr(condition)}) then"
                yield from _text(then, level + 1)
                if otherwise:
                    yield f"{pad}else"
                    yield from _text(otherwise, level + 1)
                yield f"{pad}end if"
            case ("do", (first, last), body):
                step = ", -1" if first == "m" else ""
                yield f"{pad}do k = {first}, {last}{step}"
                yield from _text(body, level + 1)
                yield f"{pad}end do"
            case ("cycle" | "exit" as word, condition):
                yield f"{pad}if ({_expr(condition)}) {word}"


def _expr(tree: Tree) -> str:
    match tree:
        case ("const", value):
            return f"({value})" if value < 0 else str(value)
        case ("name", name):
            return str(name)
        case ("at", array, subs):
            return f"{array}({', '.join(_expr(s) for s in subs)})"
        case ("max", left, right):
            return f"max({_expr(left)}, {_expr(right)})"
        case (operator, left, right):
            return f"({_expr(left)} {operator} {_expr(right)})"
    raise AssertionError(tree)


class Cycle(Exception):
    """CYCLE of the innermost loop."""


class Leave(Exception):
    """EXIT of the innermost loop."""


@dataclass
class Run:
    """One execution. `copies`: names that are private to the iteration at hand."""

    memory: Memory
    copies: dict[str, Memory] = field(default_factory=dict)

    def place(self, name: str, index: tuple[int, ...]) -> tuple[Memory, Location]:
        return self.copies.get(name, self.memory), (name, index)

    def load(self, name: str, index: tuple[int, ...] = ()) -> int:
        memory, location = self.place(name, index)
        return memory.get(location, POISON if name in self.copies else _initial(location))

    def store(self, name: str, index: tuple[int, ...], value: int) -> None:
        memory, location = self.place(name, index)
        memory[location] = value

    def value(self, tree: Tree) -> int:
        match tree:
            case ("const", value):
                return int(value)
            case ("name", name):
                return self.load(name)
            case ("at", array, subs):
                return self.load(array, tuple(self.value(s) for s in subs))
            case (operator, left, right):
                return _OPERATIONS[operator](self.value(left), self.value(right))
        raise AssertionError(tree)

    def block(self, block: tuple[Tree, ...]) -> None:
        for statement in block:
            match statement:
                case ("=", ("name", name), value):
                    self.store(name, (), self.value(value))
                case ("=", ("at", array, subs), value):
                    result = self.value(value)
                    self.store(array, tuple(self.value(s) for s in subs), result)
                case ("if", condition, then, otherwise):
                    self.block(then if self.value(condition) else otherwise)
                case ("do", (first, last), body):
                    self.inner(first, last, body)
                case ("cycle", condition):
                    if self.value(condition):
                        raise Cycle
                case ("exit", condition):
                    if self.value(condition):
                        raise Leave

    def inner(self, first: int | str, last: int | str, body: tuple[Tree, ...]) -> None:
        step = -1 if first == "m" else 1
        low, high = self.bound(first), self.bound(last)
        for k in range(low, high + step, step):
            self.store("k", (), k)
            try:
                self.block(body)
            except Cycle:
                continue
            except Leave:
                return

    def bound(self, bound: int | str) -> int:
        return self.load(bound) if isinstance(bound, str) else bound

    def iteration(self, i: int, body: tuple[Tree, ...]) -> None:
        self.store("i", (), i)
        try:
            self.block(body)
        except Cycle:
            return


_OPERATIONS = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "max": max,
    ">": lambda x, y: int(x > y),
    "<=": lambda x, y: int(x <= y),
    "==": lambda x, y: int(x == y),
}


def _initial(location: Location) -> int:
    name, index = location
    return Random(f"{name}{index}").randrange(-9, 9)


def start(seed: int) -> Memory:
    random = Random(seed)
    memory: Memory = {("n", ()): random.randrange(0, 7), ("m", ()): random.randrange(0, 5)}
    memory |= {("s", ()): 1, ("r", ()): 2, ("t", ()): 5, ("u", ()): 7}
    memory |= {("w", (k,)): 3 for k in range(41)}
    for i in range(-9, 20):
        memory["c", (i,)] = random.randrange(0, 4)
        memory["idx", (i,)] = random.randrange(1, 6)
    return memory


def seen_by_caller(memory: Memory, loop: RandomLoop) -> Memory:
    """What may be looked at behind the loop; the value of unwritten elements is their first one."""
    names = {*ARRAYS, *RESULTS, *loop.read_after}
    return {
        location: value
        for location, value in memory.items()
        if location[0] in names and value != _initial_or_start(location)
    }


def _initial_or_start(location: Location) -> int:
    known = {"s": 1, "r": 2, "t": 5, "u": 7, "w": 3}
    return known.get(location[0], _initial(location))


def in_order(loop: RandomLoop, seed: int) -> Memory:
    run = Run(start(seed))
    for i in iterations(loop, run):
        run.iteration(i, loop.body)
    return seen_by_caller(run.memory, loop)


def iterations(loop: RandomLoop, run: Run) -> list[int]:
    first, last, step = loop.bounds
    stop = run.bound(last) + (1 if step > 0 else -1)
    return list(range(run.bound(first), stop, step))


def as_judged(loop: RandomLoop, facts: LoopFacts, seed: int, order: Random) -> Memory:
    """Run the iterations in another order with the clauses of the verdict."""
    shared = start(seed)
    before = dict(shared)
    order_of = iterations(loop, Run(shared))
    last = order_of[-1] if order_of else None
    shuffled = order_of[::-1] if order.random() < 0.5 else order.sample(order_of, len(order_of))
    totals: dict[str, int] = {}
    kept: list[Memory] = []
    for i in shuffled:
        copies = {name: {} for name in facts.private}
        for name in facts.firstprivate:
            copies[name] = {loc: v for loc, v in before.items() if loc[0] == name}
        for item in facts.reduction:
            copies[item.var] = {(item.var, ()): 0 if item.op == "+" else -(10**9)}
        copies.setdefault("i", {})
        copies.setdefault("k", {})
        run = Run(shared, copies)
        run.iteration(i, loop.body)
        for item in facts.reduction:
            part = copies[item.var][item.var, ()]
            so_far = totals.get(item.var)
            totals[item.var] = part if so_far is None else _OPERATIONS[item.op](so_far, part)
        if i == last:
            kept = [copies[name] for name in facts.last_values if name in copies]
    for item in facts.reduction:
        if item.var in totals:
            location = (item.var, ())
            shared[location] = _OPERATIONS[item.op](before[location], totals[item.var])
    for copy in kept:
        shared |= copy
    return seen_by_caller(shared, loop)


SEEDS = range(6)


def judged(loop: RandomLoop) -> LoopFacts:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "model.f90"
        file.write_text(loop.fortran())
        facts = judge_loops(read_project(load_manifest(file)))
    return next(f for f in facts if f.at.first == loop.line and f.kind == "do")


def check(loop: RandomLoop) -> None:
    facts = judged(loop)
    if facts.verdict not in (Verdict.PARALLEL, Verdict.REDUCTION):
        return
    for seed in SEEDS:
        expected = in_order(loop, seed)
        found = as_judged(loop, facts, seed, Random(seed))
        assert found == expected, (loop.fortran(), facts)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(random_loops())
def test_any_order_gives_the_same_results(loop: RandomLoop) -> None:
    check(loop)


@pytest.mark.slow
@settings(max_examples=600, deadline=None, suppress_health_check=list(HealthCheck))
@given(random_loops())
def test_any_order_gives_the_same_results_in_many_loops(loop: RandomLoop) -> None:
    check(loop)


def test_the_execution_tells_a_race() -> None:
    """A loop with a carried value, called parallel by hand, gives other results."""
    loop = RandomLoop(
        (("=", ("at", "a", (("name", "i"),)), ("at", "a", (("-", ("name", "i"), ("const", 1)),))),),
        (1, 4, 1),
        (),
    )
    facts = replace(judged(loop), verdict=Verdict.PARALLEL, private=("i",))
    assert any(as_judged(loop, facts, seed, Random(seed)) != in_order(loop, seed) for seed in SEEDS)


def test_the_execution_tells_a_missing_private() -> None:
    t, element = ("name", "t"), ("at", "a", (("name", "i"),))
    loop = RandomLoop((("=", t, ("name", "i")), ("=", element, t)), (1, 4, 1), ("t",))
    facts = judged(loop)
    assert facts.verdict is Verdict.PARALLEL
    assert facts.last_values == ("t",)
    wrong = replace(facts, last_values=())
    assert any(as_judged(loop, wrong, seed, Random(seed)) != in_order(loop, seed) for seed in SEEDS)
