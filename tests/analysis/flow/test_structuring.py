"""Blocks with jumps do the same when they are written with loops and forward jumps only."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acclimate.analysis.flow.jump_loop import JumpLoop
from acclimate.analysis.flow.structuring import Structuring
from acclimate.analysis.ir import (
    Branch,
    Continue,
    Do,
    DoKind,
    If,
    Jump,
    Name,
    Statement,
    Unit,
    UnitKind,
)
from acclimate.analysis.source import Lines

MOST_STEPS = 60
HERE = Lines("f.f90", 1, 1)


class Goto(Exception):
    def __init__(self, label: str) -> None:
        self.label = label


class OutOfStepsError(Exception):
    pass


class Machine:
    """Runs statements; what it meets of the source is in `trace`, by position."""

    def __init__(self, source: list[Statement], choices: list[int]) -> None:
        self.number = {id(s): n for n, s in enumerate(source)}
        self.choices: Iterator[int] = iter(choices * MOST_STEPS)
        self.trace: list[int] = []

    def as_written(self, block: list[Statement]) -> None:
        at = {s.label: n for n, s in enumerate(block)}
        place = 0
        while place < len(block):
            try:
                self.one(block[place])
                place += 1
            except Goto as jump:
                place = at[jump.label]

    def forward_only(self, block: list[Statement]) -> None:
        place = 0
        while place < len(block):
            statement = block[place]
            try:
                if isinstance(statement, JumpLoop):
                    self.loop(statement)
                else:
                    self.one(statement)
                place += 1
            except Goto as jump:
                ahead = [n for n in range(place + 1, len(block)) if block[n].label == jump.label]
                if not ahead:
                    raise
                place = ahead[0]

    def loop(self, loop: JumpLoop) -> None:
        assert loop.body[0].label == loop.header == loop.label
        while True:
            try:
                self.forward_only(loop.body)
            except Goto as jump:
                if jump.label != loop.header:
                    raise
            else:
                raise AssertionError("the end of the body was reached")

    def one(self, statement: Statement) -> None:
        if id(statement) in self.number:
            self.trace.append(self.number[id(statement)])
            if len(self.trace) == MOST_STEPS:
                raise OutOfStepsError
        match statement:
            case Jump(value=None):
                raise Goto(statement.targets[0])
            case Jump():
                chosen = next(self.choices) % (len(statement.targets) + 1)
                if chosen < len(statement.targets):
                    raise Goto(statement.targets[chosen])
            case If() if next(self.choices) % 2:
                for inner in statement.branches[0].body:
                    self.one(inner)


def jump(*targets: str, value: bool = False, label: str | None = None) -> Jump:
    chosen = Name("k") if value else None
    return Jump(at=HERE, label=label, keyword="goto", targets=targets, value=chosen)


def if_goto(target: str, label: str | None = None) -> If:
    branch = Branch(condition=Name("c"), body=[jump(target)], at=HERE)
    return If(at=HERE, label=label, branches=[branch], end=HERE, is_construct=False)


def plain(label: str | None = None) -> Continue:
    return Continue(at=HERE, label=label)


def structured(block: list[Statement]):
    nothing = Unit(kind=UnitKind.SUBROUTINE, name="s", at=HERE, end=HERE, specification_end=HERE)
    nothing.body = block
    return Structuring(nothing).of(block)


def shown(statements: list[Statement]) -> str:
    parts = []
    for statement in statements:
        label = f"{statement.label}:" if statement.label else ""
        match statement:
            case JumpLoop():
                parts.append(f"loop({shown(statement.body)})")
            case Jump():
                parts.append(f"{label}goto {','.join(statement.targets)}")
            case If():
                parts.append(f"{label}if({shown(statement.branches[0].body)})")
            case _:
                parts.append(f"{label}x")
    return " ".join(parts)


REFUSED = {
    "two ways in": (
        [if_goto("20"), plain("10"), plain("20"), if_goto("10")],
        "jumps enter one loop at label 10 and at label 20",
    ),
    "a jump into the middle, textually in front": (
        [jump("20"), plain("10"), if_goto("30"), plain("20"), jump("10"), plain("30")],
        None,
    ),
    "into a construct": (
        [
            Do(at=HERE, kind=DoKind.FOREVER, body=[plain("10")], end=HERE),
            plain(),
            if_goto("10"),
            plain("20"),
            jump("20"),
        ],
        "GOTO 10 jumps into a construct",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_followed_stays_as_it_is(case):
    block, detail = REFUSED[case]
    found = structured(block)
    if detail is None:
        assert found.refused is None
        return
    assert found.statements is block
    assert found.refused.detail == detail


def test_without_backward_jumps_nothing_changes():
    block = [if_goto("10"), plain(), plain("10")]
    assert structured(block).statements is block


def test_a_repeated_block():
    assert shown(structured([plain(), plain("10"), if_goto("10"), plain()]).statements) == (
        "x loop(10:x if(goto 10) goto @0.3) @0.3:x x"
    )


def test_a_loop_entered_at_its_test():
    block = [jump("20"), plain("10"), if_goto("10", label="20"), plain()]
    assert shown(structured(block).statements) == (
        "goto 20 loop(20:if(goto 10) goto @0.3 10:x goto 20) @0.3:x x"
    )


def test_a_loop_at_the_end_of_its_block():
    assert shown(structured([plain("10"), if_goto("10")]).statements) == (
        "loop(10:x if(goto 10) goto @0.2) @0.2:x"
    )


def test_loops_in_loops():
    block = [plain("10"), plain("20"), if_goto("20"), if_goto("10"), plain()]
    assert shown(structured(block).statements) == (
        "loop(10:x loop(20:x if(goto 20) goto @0.3) @0.3:x if(goto 10) goto @0.4) @0.4:x x"
    )


def test_what_nothing_reaches_is_left_out():
    block = [plain("10"), jump("10"), plain()]
    assert shown(structured(block).statements) == "loop(10:x goto 10)"


@st.composite
def blocks(draw: st.DrawFn) -> list[Statement]:
    size = draw(st.integers(2, 9))
    label = st.integers(0, size - 1).map(str)
    statements: list[Statement] = []
    for number in range(size):
        own = str(number)
        kind = draw(st.sampled_from(["plain", "plain", "if", "if", "goto", "computed"]))
        if kind == "plain":
            statements.append(plain(own))
        elif kind == "if":
            statements.append(if_goto(draw(label), label=own))
        elif kind == "goto":
            statements.append(jump(draw(label), label=own))
        else:
            statements.append(jump(draw(label), draw(label), value=True, label=own))
    bare = draw(st.sets(st.integers(0, size - 1)))
    used = {t for s in statements for t in getattr(s, "targets", ())}
    used |= {s.branches[0].body[0].targets[0] for s in statements if isinstance(s, If)}
    for number in bare:
        if str(number) not in used:
            statements[number].label = None
    return statements


@given(blocks(), st.lists(st.integers(0, 5), min_size=1, max_size=12))
def test_the_same_is_done_in_the_same_order(block, choices):
    found = structured(block)
    if found.refused is not None:
        assert not is_reducible(block)
        return
    one, other = Machine(block, choices), Machine(block, choices)
    for machine, run in ((one, one.as_written), (other, other.forward_only)):
        try:
            run(block if machine is one else found.statements)
        except OutOfStepsError:
            continue
    assert other.trace == one.trace


def is_reducible(block: list[Statement]) -> bool:
    """By T1 and T2: drop edges to oneself, join what has one predecessor to it."""
    at = {s.label: n for n, s in enumerate(block)}
    edges: dict[int, set[int]] = {}
    for number, statement in enumerate(block):
        match statement:
            case Jump(value=None):
                found = {at[statement.targets[0]]}
            case Jump():
                found = {at[t] for t in statement.targets} | {number + 1}
            case If():
                found = {at[statement.branches[0].body[0].targets[0]], number + 1}
            case _:
                found = {number + 1}
        edges[number] = {node for node in found if node < len(block)}
    reached, waiting = {0}, [0]
    while waiting:
        for node in edges[waiting.pop()] - reached:
            reached.add(node)
            waiting.append(node)
    edges = {node: edges[node] for node in reached}
    while True:
        edges = {node: targets - {node} for node, targets in edges.items()}
        for node in edges:
            before = [other for other, targets in edges.items() if node in targets]
            if node != 0 and len(before) == 1:
                edges[before[0]] = (edges[before[0]] - {node}) | edges.pop(node)
                break
        else:
            return len(edges) == 1
