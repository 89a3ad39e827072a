"""Where control may go from each statement of a block: the edges of its flow graph."""

from collections.abc import Iterable

from acclimate.analysis.dependence.statements import bodies, inside, labels
from acclimate.analysis.ir import Call, If, InputOutput, Jump, Keyword, Literal, Statement
from acclimate.analysis.source import Lines


def targets(statement: Statement) -> tuple[str, ...]:
    """Labels the statement itself may jump to: GOTO, arithmetic IF, ERR=, alternate returns."""
    match statement:
        case Jump():
            return statement.targets
        case InputOutput():
            return statement.branches
        case Call():
            return alternate_returns(statement)
    return ()


def alternate_returns(statement: Call) -> tuple[str, ...]:
    """The labels `*10` among the arguments of a CALL."""
    return tuple(
        argument.value.text
        for argument in statement.args
        if isinstance(argument, Keyword)
        and argument.name == "*"
        and isinstance(argument.value, Literal)
    )


def goes_on(statement: Statement) -> bool:
    """May the statement behind it in its block be the next?"""
    match statement:
        case Jump():
            return statement.keyword == "entry" or falls_through(statement)
        case If():
            branches = statement.branches
            return branches[-1].condition is not None or any(
                not branch.body or goes_on(branch.body[-1]) for branch in branches
            )
    return True


def falls_through(statement: Jump) -> bool:
    """Is it a GOTO whose expression may choose none of the labels?"""
    return statement.keyword == "goto" and statement.value is not None


def jumps_back(statements: Iterable[Statement]) -> bool:
    """Does any jump lead to a label that stands before it?"""
    passed: set[str] = set()
    for statement in inside(statements):
        if statement.label is not None:
            passed.add(statement.label)
        if not passed.isdisjoint(targets(statement)):
            return True
    return False


class Ways:
    """The flow graph of a block: its statements by position, and `end`, the way out behind it.

    A jump out of the block has no edge. `entered` holds jumps from outside a construct of the block
    to a label in it.
    """

    def __init__(self, block: list[Statement]) -> None:
        self.block = block
        self.end = len(block)
        at = {s.label: number for number, s in enumerate(block) if s.label is not None}
        within = {
            label: number
            for number, statement in enumerate(block)
            for body in bodies(statement)
            for label in labels(body)
        }
        self.entered: list[tuple[str, Lines]] = []
        self.next: list[tuple[int, ...]] = []
        for number, statement in enumerate(block):
            found = [number + 1] if goes_on(statement) else []
            for inner in inside([statement]):
                for label in targets(inner):
                    if label in at:
                        found.append(at[label])
                    elif within.get(label, number) != number:
                        self.entered.append((label, inner.at))
            self.next.append(tuple(dict.fromkeys(found)))
