"""Conditions of an IF as guards, taken apart where that says the same."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from acclimate.analysis.ir import Binary, Expr, Unary
from acclimate.analysis.source import Lines
from acclimate.verifier.structure.effects import Guard
from acclimate.verifier.structure.fingerprints import Reference, Value, atom, calls


@dataclass(frozen=True, slots=True)
class Guarding:
    """Guards of one branch of one IF; `value` evaluates conditions where it stands.

    `around` tells what stands around a condition that may fail from what does elsewhere.
    """

    value: Callable[[Expr], Value]
    by_version: Callable[[Expr], Value]
    around: Callable[[Expr], int]
    node: int
    branch: int
    at: Lines

    def literals(self, condition: Expr, positive: bool) -> list[Guard]:
        """`a .and. b` are two guards, `.not. a` and `i /= j` the opposite of one."""
        if isinstance(condition, Unary) and condition.op == ".not.":
            return self.literals(condition.operand, not positive)
        if isinstance(condition, Binary):
            if condition.op == (".and." if positive else ".or."):
                left, right = condition.left, condition.right
                return [*self.literals(left, positive), *self.literals(right, positive)]
            if condition.op == "/=":
                equal = Binary("==", condition.left, condition.right)
                return self.literals(equal, not positive)
        value = self.value(condition)
        proof = atom(value.exact, self.by_version(condition).exact, self.around(condition))
        return [
            Guard(
                value.number,
                positive,
                self.node,
                self.branch,
                self.at,
                value.reads,
                proof,
                calls(value),
            )
        ]


def none_of(paths: Sequence[Sequence[Guard]], node: int, at: Lines) -> list[Guard]:
    """Guards of what is only reached where none of these branches was taken."""
    found = []
    for path in paths:
        if len(path) == 1:
            found.append(replace(path[0], positive=not path[0].positive, branch=-1))
        else:
            number = atom("not", tuple(sorted(guard.key for guard in path)))
            reads = frozenset[Reference]().union(*(guard.reads for guard in path))
            proof = atom("not", tuple(sorted((guard.proof, guard.positive) for guard in path)))
            acts = any(guard.acts for guard in path)
            found.append(Guard(number, True, node, -1, at, reads, proof, acts))
    return found
