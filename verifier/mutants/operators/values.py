"""What is computed: subscripts, signs, operators, terms, constants, precision."""

import re
from collections.abc import Iterator

from acclimate.analysis import ir
from acclimate.verifier.mutants.changes import statement_mutant
from acclimate.verifier.mutants.material import Material
from acclimate.verifier.mutants.mutant import Family, Mutant
from acclimate.verifier.mutants.operators import operator
from acclimate.verifier.mutants.places import Place, places

_REAL = re.compile(r"(\d+\.\d*|\.\d+|\d+(?=[ed]))([ed][+-]?\d+)?(_\w+)?$", re.IGNORECASE)
_MORE_THAN_SINGLE = ("8", "real64", "dp", "r8", "rk", "wp", "kind_phys", "double")
_NOT_NUMBERS = (".and.", ".or.", ".not.", "//", "==", "/=", "<", ">", "<=", ">=")


@operator(Family.STATEMENT)
def subscript(material: Material) -> Iterator[Mutant]:
    """A subscript that is the index of a loop is one too large or too small."""
    for place in _assignments(material):
        for each in place.subscripts(range(len(place.tokens)), material):
            if len(each) != 1 or place.tokens[each.start] not in place.indices:
                continue
            index = place.tokens[each.start]
            for shift in (" + 1", " - 1"):
                yield statement_mutant(
                    material,
                    "subscript",
                    place.written,
                    place.replaced(each.start, each.stop, index + shift),
                    f"subscript '{index}' is '{index}{shift}'",
                )


@operator(Family.STATEMENT)
def offset(material: Material) -> Iterator[Mutant]:
    """A neighbour is looked for on the other side: `a(i - 1)` becomes `a(i + 1)`."""
    for place in _assignments(material):
        for each in place.subscripts(place.value, material):
            for number in each:
                if place.tokens[number] in "+-" and place.is_binary(number):
                    yield _sign(material, "offset", place, number)


@operator(Family.STATEMENT)
def sign(material: Material) -> Iterator[Mutant]:
    """A sum becomes a difference, or a difference a sum."""
    for place in _assignments(material):
        inside = {n for each in place.subscripts(place.value, material) for n in each}
        for number in place.value:
            plain = place.tokens[number] in "+-" and place.is_binary(number)
            if plain and number not in inside:
                yield _sign(material, "sign", place, number)


@operator(Family.STATEMENT)
def arithmetic_operator(material: Material) -> Iterator[Mutant]:
    """A product becomes a quotient, or a quotient a product."""
    other = {"*": "/", "/": "*"}
    for place in _assignments(material):
        inside = {n for each in place.subscripts(place.value, material) for n in each}
        for number in place.value:
            was = place.tokens[number]
            if was in other and number not in inside:
                yield statement_mutant(
                    material,
                    "arithmetic_operator",
                    place.written,
                    place.replaced(number, number + 1, other[was]),
                    f"'{was}' is '{other[was]}'",
                )


@operator(Family.STATEMENT)
def drop_term(material: Material) -> Iterator[Mutant]:
    """A term of a sum is lost."""
    for place in _assignments(material):
        value = place.value
        if any(place.tokens[n] in _NOT_NUMBERS and not place.depths[n] for n in value):
            continue
        signs = [
            n
            for n in value
            if place.tokens[n] in "+-" and not place.depths[n] and place.is_binary(n)
        ]
        ends = [*signs[1:], value.stop] if signs else []
        for number, end in zip(signs, ends, strict=True):
            yield statement_mutant(
                material,
                "drop_term",
                place.written,
                place.replaced(number, end, ""),
                f"the term '{place.text(number, end)}' is lost",
            )


@operator(Family.STATEMENT)
def extremum(material: Material) -> Iterator[Mutant]:
    """MIN becomes MAX, or MAX becomes MIN."""
    other = {"min": "max", "max": "min"}
    for place in _assignments(material):
        for number in place.value:
            was = place.tokens[number]
            if was in other and place.tokens[number + 1 : number + 2] == ("(",):
                yield statement_mutant(
                    material,
                    "extremum",
                    place.written,
                    place.replaced(number, number + 1, other[was]),
                    f"'{was}' is '{other[was]}'",
                )


@operator(Family.STATEMENT)
def constant(material: Material) -> Iterator[Mutant]:
    """A real constant is a little larger."""
    for place in _assignments(material):
        for number in place.value:
            found = _REAL.match(place.tokens[number])
            if found is None:
                continue
            larger = repr(float(found[1]) * 1.0009765625 + (not float(found[1])) * 1e-3)
            text = larger + (found[2] or "") + (found[3] or "")
            yield statement_mutant(
                material,
                "constant",
                place.written,
                place.replaced(number, number + 1, text),
                f"'{place.tokens[number]}' is '{text}'",
            )


@operator(Family.STATEMENT)
def precision(material: Material) -> Iterator[Mutant]:
    """A value of double precision goes through single precision."""
    for place in _assignments(material):
        node = place.node
        assert isinstance(node, ir.Assignment)
        project = material.index.project
        if project.type_of(place.unit, node.target) != "real" or not _is_double(material, place):
            continue
        value = place.value
        text = f"real({place.text(value.start, value.stop)}, 4)"
        yield statement_mutant(
            material,
            "precision",
            place.written,
            place.replaced(value.start, value.stop, text),
            "the value is rounded to single precision",
            _exact_in_single(node.value),
        )


@operator(Family.STATEMENT)
def other_array(material: Material) -> Iterator[Mutant]:
    """An array is read in the place of another one that the statement reads as well."""
    for place in _assignments(material):
        read = [
            n
            for n in place.value
            if place.tokens[n + 1 : n + 2] == ("(",)
            and place.tokens[n - 1] != "%"
            and (symbol := material.variable(place.unit, place.tokens[n])) is not None
            and symbol.is_array
        ]
        names = list(dict.fromkeys(place.tokens[n] for n in read))
        for number in read:
            other = next((n for n in names if n != place.tokens[number]), None)
            if other is None or not _alike(material, place, place.tokens[number], other):
                continue
            yield statement_mutant(
                material,
                "other_array",
                place.written,
                place.replaced(number, number + 1, other),
                f"'{other}' is read in place of '{place.tokens[number]}'",
            )


def _assignments(material: Material) -> Iterator[Place]:
    for place in places(material):
        if isinstance(place.node, ir.Assignment):
            yield place


def _sign(material: Material, operator_name: str, place: Place, number: int) -> Mutant:
    was = place.tokens[number]
    now = "-" if was == "+" else "+"
    return statement_mutant(
        material,
        operator_name,
        place.written,
        place.replaced(number, number + 1, now),
        f"'{was}' is '{now}' before '{place.tokens[number + 1]}'",
    )


def _alike(material: Material, place: Place, one: str, two: str) -> bool:
    first, second = (material.variable(place.unit, name) for name in (one, two))
    assert first is not None and second is not None
    return (first.type, first.kind, len(first.dims)) == (second.type, second.kind, len(second.dims))


def _is_double(material: Material, place: Place) -> bool:
    """Whether the target is declared with a kind that single precision would lose digits of."""
    node = place.node
    assert isinstance(node, ir.Assignment)
    target: ir.Expr = node.target
    while isinstance(target, ir.Apply):
        target = target.base
    if isinstance(target, ir.Component):
        symbol = material.index.project.component(place.unit, target)
    else:
        symbol = material.variable(place.unit, place.tokens[0])
    kind = (symbol.kind or "").lower() if symbol else ""
    return kind in _MORE_THAN_SINGLE


def _exact_in_single(value: ir.Expr) -> str:
    """A constant that single precision holds exactly."""
    if not isinstance(value, ir.Literal):
        return ""
    found = _REAL.match(value.text)
    number = float(found[1] + (found[2] or "").replace("d", "e")) if found else 0.5
    exact = (number * 1024).is_integer() and abs(number) < 1024
    return "single precision holds the constant exactly" if exact else ""
