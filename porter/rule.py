"""What a rewriting rule is: a function from one construct to an offload, a refusal, or nothing.

A rule's docstring shows a program under `Before:`, the same program under `After:` and, under
`Refused:`, one it declines; a test runs them all.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from acclimate.analysis.source import Edit, Lines
from acclimate.porter.loops.array_reduction import ArrayReduction
from acclimate.porter.loops.array_statement import ArrayStatement
from acclimate.porter.loops.nests import Nest
from acclimate.porter.rewrite import Refusal
from acclimate.porter.text.placement import Insertion


@dataclass(frozen=True, slots=True)
class LoopDirective:
    """A directive right above the statement at `above`."""

    above: Lines
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Offload:
    """What a rule makes of a construct: one kernel.

    `loops` are the DO statements it covers; `private` the names each thread has of its own;
    `visiting` the objects that its own data clauses copy to the device and back, `guarded` that it
    runs on the host where they cannot be copied;
    `indices` the names of loop indices that the rewrite brings along and the unit must declare,
    `declares` further declarations; `moved` are lines of the original that the rewrite puts
    elsewhere, `above` and `below` statements of the host around the construct, as whole lines.
    """

    rule: str
    at: Lines
    end: Lines
    directives: tuple[LoopDirective, ...]
    loops: tuple[Lines, ...] = ()
    private: tuple[str, ...] = ()
    visiting: tuple[str, ...] = ()
    guarded: bool = False
    replaced: tuple[Edit, ...] = ()
    indices: tuple[str, ...] = ()
    moved: tuple[Insertion, ...] = ()
    declares: tuple[str, ...] = ()
    above: tuple[str, ...] = ()
    below: tuple[str, ...] = ()


Subject = Nest | ArrayStatement | ArrayReduction
Outcome = Offload | Refusal | None
"""None: the rule's pattern is not there."""


@dataclass(frozen=True, slots=True)
class Rule:
    """`apply` takes a `subject`: a loop nest, an array statement, or a reduction of an array."""

    name: str
    order: int
    subject: type[Subject]
    apply: Callable[[Any], Outcome]
    doc: str


_RULES: dict[str, Rule] = {}


def rule(
    order: int, on: type[Subject] = Nest
) -> Callable[[Callable[[Any], Outcome]], Callable[[Any], Outcome]]:
    """Register a rule for one kind of subject; they are tried in ascending order.

    Raises:
        ValueError: two rules have one name or one order.
    """

    def register(function: Callable[[Any], Outcome]) -> Callable[[Any], Outcome]:
        name = function.__name__
        if name in _RULES or any(known.order == order for known in _RULES.values()):
            raise ValueError(f"rule {name} (order {order}) is registered already")
        _RULES[name] = Rule(name, order, on, function, function.__doc__ or "")
        return function

    return register


def registered() -> tuple[Rule, ...]:
    """Every rule, in the order in which they are tried."""
    return tuple(sorted(_RULES.values(), key=lambda known: known.order))
