"""Bounds of loops, guards of statements, and statements that get lost."""

from collections.abc import Iterator

from acclimate.analysis import ir
from acclimate.verifier.mutants.changes import statement_mutant
from acclimate.verifier.mutants.material import Material
from acclimate.verifier.mutants.mutant import Family, Mutant
from acclimate.verifier.mutants.operators import operator
from acclimate.verifier.mutants.places import Place, branches, places
from acclimate.verifier.texts.governed import do_loop

_RELATIONS = {
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "==": "/=",
    "/=": "==",
    ".lt.": ".le.",
    ".le.": ".lt.",
    ".gt.": ".ge.",
    ".ge.": ".gt.",
    ".eq.": ".ne.",
    ".ne.": ".eq.",
}
_LOGICAL = {".and.": ".or.", ".or.": ".and."}


@operator(Family.STATEMENT)
def lower_bound(material: Material) -> Iterator[Mutant]:
    """A loop begins one iteration too late or too early."""
    yield from _bounds(material, "lower_bound", 0)


@operator(Family.STATEMENT)
def upper_bound(material: Material) -> Iterator[Mutant]:
    """A loop ends one iteration too early or too late."""
    yield from _bounds(material, "upper_bound", 1)


@operator(Family.STATEMENT)
def guard_lost(material: Material) -> Iterator[Mutant]:
    """What was done under a condition is always done."""
    for place, _ in branches(material):
        first, last = place.condition.start, place.condition.stop
        yield statement_mutant(
            material,
            "guard_lost",
            place.written,
            place.replaced(first, last, ".true."),
            f"the guard '{place.text(first, last)}' is lost",
        )


@operator(Family.STATEMENT)
def guard_negated(material: Material) -> Iterator[Mutant]:
    """What was done under a condition is done without it, and the other way round."""
    for place, _ in branches(material):
        first, last = place.condition.start, place.condition.stop
        text = place.text(first, last)
        yield statement_mutant(
            material,
            "guard_negated",
            place.written,
            place.replaced(first, last, f".not. ({text})"),
            f"the guard '{text}' is negated",
        )


@operator(Family.STATEMENT)
def relation(material: Material) -> Iterator[Mutant]:
    """A comparison takes in equality, or no longer does."""
    yield from _in_conditions(material, "relation", _RELATIONS)


@operator(Family.STATEMENT)
def logical_operator(material: Material) -> Iterator[Mutant]:
    """AND becomes OR in a guard, or OR becomes AND."""
    yield from _in_conditions(material, "logical_operator", _LOGICAL)


@operator(Family.STATEMENT)
def drop_assignment(material: Material) -> Iterator[Mutant]:
    """An assignment is lost."""
    for place in places(material):
        if isinstance(place.node, ir.Assignment):
            yield statement_mutant(
                material,
                "drop_assignment",
                place.written,
                "",
                f"'{place.written.text}' is lost",
                "it assigns a variable to itself" if _to_itself(place) else "",
            )


@operator(Family.STATEMENT)
def drop_call(material: Material) -> Iterator[Mutant]:
    """A call is lost."""
    for place in places(material):
        if isinstance(place.node, ir.Call):
            text = place.written.text
            yield statement_mutant(material, "drop_call", place.written, "", f"'{text}' is lost")


@operator(Family.STATEMENT)
def copy_turned_round(material: Material) -> Iterator[Mutant]:
    """A copy goes the other way: `a = b` becomes `b = a`."""
    for place in places(material):
        node = place.node
        if not isinstance(node, ir.Assignment) or _to_itself(place):
            continue
        if not isinstance(node.value, ir.Name | ir.Apply | ir.Component):
            continue
        value = place.value
        name = place.tokens[value.start]
        symbol = material.variable(place.unit, name)
        plain = symbol is not None and symbol.intent != "in"
        if plain and (symbol is None or symbol.is_array or isinstance(node.value, ir.Name)):
            left = place.text(0, value.start - 1)
            right = place.text(value.start, value.stop)
            yield statement_mutant(
                material,
                "copy_turned_round",
                place.written,
                f"{right} = {left}",
                f"'{left} = {right}' is turned round",
            )


def _bounds(material: Material, name: str, which: int) -> Iterator[Mutant]:
    for place in places(material):
        node = place.node
        if not isinstance(node, ir.Do) or node.kind is not ir.DoKind.COUNTED:
            continue
        loop = do_loop(place.written)
        if loop is None:
            continue
        bounds = [loop.first, loop.last, *([loop.step] if loop.step else [])]
        for shift in ("+ 1", "- 1"):
            new = list(bounds)
            new[which] = f"{bounds[which]} {shift}"
            text = f"{loop.head}{loop.index} = {', '.join(new)}"
            side = "last" if which else "first"
            yield statement_mutant(
                material,
                name,
                place.written,
                text,
                f"the {side} value of '{loop.index}' is '{new[which]}'",
            )


def _in_conditions(material: Material, name: str, table: dict[str, str]) -> Iterator[Mutant]:
    for place, _ in branches(material):
        for number in place.condition:
            now = table.get(place.tokens[number])
            if now is not None:
                yield statement_mutant(
                    material,
                    name,
                    place.written,
                    place.replaced(number, number + 1, now),
                    f"'{place.tokens[number]}' is '{now}'",
                )


def _to_itself(place: Place) -> bool:
    value = place.value
    return place.tokens[: value.start - 1] == place.tokens[value.start :]
