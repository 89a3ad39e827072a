"""The loops of a procedure."""

from collections.abc import Iterable, Iterator

from acclimate.analysis.ir import Associate, Do, If, Statement


def own_loops(statements: Iterable[Statement]) -> Iterator[Do]:
    """All loops, outer ones before those in them."""
    for loop in outermost_loops(statements):
        yield loop
        yield from own_loops(loop.body)


def outermost_loops(statements: Iterable[Statement]) -> Iterator[Do]:
    for statement in statements:
        match statement:
            case Do():
                yield statement
            case If():
                for branch in statement.branches:
                    yield from outermost_loops(branch.body)
            case Associate():
                yield from outermost_loops(statement.body)
