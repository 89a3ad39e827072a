"""What iterations share and what each has for itself: PRIVATE, FIRSTPRIVATE and REDUCTION."""

from collections.abc import Collection, Iterator

from acclimate.analysis.directives import parse
from acclimate.analysis.ir import Directive, Unit
from acclimate.analysis.source import Lines
from acclimate.verifier.mutants.changes import directive_mutant, replaced, without
from acclimate.verifier.mutants.directive_text import pieces, variables
from acclimate.verifier.mutants.material import Material, arguments_of
from acclimate.verifier.mutants.mutant import Family, Mutant
from acclimate.verifier.mutants.operators import operator
from acclimate.verifier.texts.governed import GovernedLoop, do_loop

_OTHER = {
    "+": "max",
    "*": "+",
    "max": "min",
    "min": "max",
    ".and.": ".or.",
    ".or.": ".and.",
    "&&": "||",
    "||": "&&",
}
_NUMBERS = ("real", "integer", "logical", "complex", "double precision")
_SHARING = ("private", "firstprivate", "reduction")


@operator(Family.DIRECTIVE)
def drop_private(material: Material) -> Iterator[Mutant]:
    """A variable is no longer private; the index of a DO loop is so without being named."""
    for loop in material.governed:
        indices = _indices(material, loop)
        for position, variable in _named(loop.directive, "private"):
            free = loop.region != "routine" and variable in indices
            yield directive_mutant(
                material,
                "drop_private",
                loop.directive,
                without(loop.directive, position, variable),
                f"'{variable}' is no longer private",
                loop.unit,
                "the index of a DO loop in a compute construct is private by itself"
                " (OpenACC 3.3, 2.6.1)"
                if free
                else "",
            )


@operator(Family.DIRECTIVE)
def private_input(material: Material) -> Iterator[Mutant]:
    """A scalar that iterations only read becomes private: its value is gone."""
    yield from _made_private(material, "private_input", arrays=False)


@operator(Family.DIRECTIVE)
def private_array(material: Material) -> Iterator[Mutant]:
    """An array that lives outside the loop becomes private: old values and results are gone."""
    yield from _made_private(material, "private_array", arrays=True)


@operator(Family.DIRECTIVE)
def private_unused(material: Material) -> Iterator[Mutant]:
    """A variable becomes private that no iteration touches: nothing changes."""
    for loop, unit in _parallel(material):
        used = _words(material, loop)
        if unit.units or unit.parent and unit.parent.kind.value not in ("module", "submodule"):
            continue
        for name, symbol in sorted(unit.symbols.items()):
            plain = symbol.type in _NUMBERS and not symbol.is_array and not symbol.attributes
            if plain and name not in used and name not in unit.args and symbol.common is None:
                yield directive_mutant(
                    material,
                    "private_unused",
                    loop.directive,
                    (*pieces(loop.directive), ("private", name)),
                    f"'{name}' is private besides",
                    loop.unit,
                    f"no iteration uses '{name}', and the variable outside keeps its value",
                )


@operator(Family.DIRECTIVE)
def firstprivate_as_private(material: Material) -> Iterator[Mutant]:
    """A private copy no longer begins with the value from before the loop."""
    for loop in material.governed:
        for position, variable in _named(loop.directive, "firstprivate"):
            words = without(loop.directive, position, variable)
            yield directive_mutant(
                material,
                "firstprivate_as_private",
                loop.directive,
                (*words, ("private", variable)),
                f"'{variable}' is private, not firstprivate",
                loop.unit,
            )


@operator(Family.DIRECTIVE)
def drop_reduction(material: Material) -> Iterator[Mutant]:
    """Iterations collect into a variable that they share."""
    for loop in material.governed:
        for position, variable in _named(loop.directive, "reduction"):
            yield directive_mutant(
                material,
                "drop_reduction",
                loop.directive,
                without(loop.directive, position, variable),
                f"'{variable}' is no longer reduced",
                loop.unit,
            )


@operator(Family.DIRECTIVE)
def reduction_operator(material: Material) -> Iterator[Mutant]:
    """Partial results are combined by another operator than the statement's."""
    for loop in material.governed:
        for position, variable in _named(loop.directive, "reduction"):
            was = (pieces(loop.directive)[position][1] or "").partition(":")[0].strip()
            if was not in _OTHER:
                continue
            words = without(loop.directive, position, variable)
            yield directive_mutant(
                material,
                "reduction_operator",
                loop.directive,
                (*words, ("reduction", f"{_OTHER[was]}:{variable}")),
                f"'{variable}' is reduced by '{_OTHER[was]}', not '{was}'",
                loop.unit,
            )


@operator(Family.DIRECTIVE)
def private_outer_index(material: Material) -> Iterator[Mutant]:
    """An inner loop takes the index of a loop around it for its own, undefined there."""
    for inner in material.governed:
        for outer in material.governed:
            inside = outer is not inner and outer.file == inner.file
            if not (inside and outer.contains(inner.line)):
                continue
            own = {each.index for each in inner.loops} | arguments_of(inner.construct, "private")
            used = _words(material, inner)
            for index in dict.fromkeys(each.index for each in outer.loops):
                if index not in own:
                    yield directive_mutant(
                        material,
                        "private_outer_index",
                        inner.directive,
                        (*pieces(inner.directive), ("private", index)),
                        f"'{index}', the index of a loop around it, is private to the inner loop",
                        inner.unit,
                        "" if index in used else f"nothing in the inner loop uses '{index}'",
                    )


@operator(Family.DIRECTIVE)
def drop_default_present(material: Material) -> Iterator[Mutant]:
    """Arrays without a clause may come to the device by themselves, where they are already."""
    for loop, _ in _parallel(material):
        for position, word in enumerate(pieces(loop.directive)):
            if word == ("default", "present"):
                yield directive_mutant(
                    material,
                    "drop_default_present",
                    loop.directive,
                    replaced(loop.directive, position),
                    "default(present) is gone",
                    loop.unit,
                    "what is present is not copied again (OpenACC 3.3, 2.7.2), and in a port that"
                    " was accepted all arrays are",
                )


def _made_private(material: Material, name: str, *, arrays: bool) -> Iterator[Mutant]:
    for loop, unit in _parallel(material):
        own = loop.named(*_SHARING) | _indices(material, loop)
        written = _written(material, loop)
        bounds = {each.statement.at for each in loop.loops}  # evaluated before there is a copy
        for variable in sorted(_words(material, loop, bounds) - own):
            symbol = material.variable(unit, variable)
            if symbol is None or symbol.is_array is not arrays or symbol.type not in _NUMBERS:
                continue
            if not arrays and variable in written or symbol.attributes & {"parameter", "pointer"}:
                continue
            yield directive_mutant(
                material,
                name,
                loop.directive,
                (*pieces(loop.directive), ("private", variable)),
                f"'{variable}' is private",
                loop.unit,
            )


def _parallel(material: Material) -> Iterator[tuple[GovernedLoop, Unit]]:
    """The combined constructs, each with the unit it stands in."""
    units = {directive.at: unit for unit, directive in material.directives}
    for loop in material.governed:
        if loop.parallel and loop.combined and loop.directive.at in units:
            yield loop, units[loop.directive.at]


def _named(directive: Directive, clause: str) -> Iterator[tuple[int, str]]:
    """Position of the clause among the words, and each variable in it."""
    if not parse(directive).arguments(clause):
        return
    for position, word in enumerate(pieces(directive)):
        if word[0] == clause:
            yield from ((position, variable) for variable in variables(word))


def _indices(material: Material, loop: GovernedLoop) -> frozenset[str]:
    return frozenset(found.index for found in map(do_loop, material.inside(loop)) if found)


def _words(
    material: Material, loop: GovernedLoop, left_out: Collection[Lines] = ()
) -> frozenset[str]:
    """The names in the loop that are not those of components."""
    found: set[str] = set()
    for statement in material.inside(loop):
        if statement.at in left_out:
            continue
        before = ""
        for word in statement.tokens:
            if word.isidentifier() and before != "%":
                found.add(word)
            before = word
    return frozenset(found)


def _written(material: Material, loop: GovernedLoop) -> frozenset[str]:
    """Names an assignment begins with, or that a call may change."""
    found: set[str] = set()
    for statement in material.inside(loop):
        words = statement.tokens
        if "call" in words:
            found |= set(words)
        elif "=" in words:
            found |= set(words[: words.index("=")])
    return frozenset(found)
