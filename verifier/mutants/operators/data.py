"""Where values are: data clauses, updates, declared data."""

from collections.abc import Iterator
from dataclasses import replace

from acclimate.analysis.directives import parse
from acclimate.analysis.ir import Directive
from acclimate.verifier.mutants.changes import directive_mutant, replaced, without
from acclimate.verifier.mutants.directive_text import Word, pieces, variables
from acclimate.verifier.mutants.material import Material
from acclimate.verifier.mutants.mutant import Family, Mutant
from acclimate.verifier.mutants.operators import operator
from acclimate.verifier.mutants.single_updates import SIDES, update_of
from acclimate.verifier.texts.governed import COMPUTE

_MAPPING = ("copy", "copyin", "copyout", "create")
# What a clause becomes. The last column: copying more than is needed cannot harm a port in which
# nothing depends on an undefined value.
_KINDS = (
    ("copyin", "create", False),
    ("copyin", "copyout", False),
    ("copyout", "create", False),
    ("copyout", "copyin", False),
    ("copy", "copyin", False),
    ("copy", "copyout", False),
    ("copy", "create", False),
    ("create", "copyin", True),
)
_MORE = "a copy of values that the port never depends on, made where the device has none yet"

_UNUSED = (
    "no kernel of the run reads the values that are no longer copied: neither poison reaches an"
    " output, and no access is to memory that nobody wrote"
)


@operator(Family.DIRECTIVE)
def drop_update_self(material: Material) -> Iterator[Mutant]:
    """The host keeps an old value."""
    yield from _without_updates(material, "drop_update_self", ("self", "host"))


@operator(Family.DIRECTIVE)
def drop_update_device(material: Material) -> Iterator[Mutant]:
    """The device keeps an old value."""
    yield from _without_updates(material, "drop_update_device", ("device",))


@operator(Family.DIRECTIVE)
def update_direction(material: Material) -> Iterator[Mutant]:
    """An update overwrites the new value with the old one."""
    for directive, unit in _found(material, "update"):
        for position, (name, text) in enumerate(pieces(directive)):
            if name in SIDES and text is not None:
                changed = directive_mutant(
                    material,
                    "update_direction",
                    directive,
                    replaced(directive, position, (SIDES[name], text)),
                    f"update {SIDES[name]} in place of {name}",
                    unit,
                )
                gone = (update_of(directive, name, v) for v in variables((name, text)))
                yield replace(changed, updates=tuple(gone))


@operator(Family.DIRECTIVE)
def data_kind(material: Material) -> Iterator[Mutant]:
    """Another kind of data clause: a copy too few, one the wrong way, or one too many."""
    for directive, unit in _found(material, "enter data", "data", *_compute(material)):
        entering = parse(directive).name == "enter data"
        for position, word in enumerate(pieces(directive)):
            for was, now, harmless in _KINDS:
                if word[0] != was or entering and now == "copyout":
                    continue
                for variable in variables(word):
                    changed = directive_mutant(
                        material,
                        "data_kind",
                        directive,
                        (*without(directive, position, variable), (now, variable)),
                        f"{now}({variable}) in place of {was}",
                        unit,
                        _MORE if harmless else "",
                    )
                    dead = (was, now) == ("copyin", "create")
                    yield replace(changed, if_alive=_UNUSED) if dead else changed


@operator(Family.DIRECTIVE)
def copyout_as_delete(material: Material) -> Iterator[Mutant]:
    """Results are thrown away where data leaves the device."""
    for directive, unit in _found(material, "exit data"):
        for position, word in enumerate(pieces(directive)):
            for variable in variables(word) if word[0] == "copyout" else ():
                yield directive_mutant(
                    material,
                    "copyout_as_delete",
                    directive,
                    (*without(directive, position, variable), ("delete", variable)),
                    f"delete({variable}) in place of copyout",
                    unit,
                )


@operator(Family.DIRECTIVE)
def drop_mapping(material: Material) -> Iterator[Mutant]:
    """A variable is not brought to the device where the others are."""
    for directive, unit in _found(material, "enter data", "data"):
        for position, word in enumerate(pieces(directive)):
            for variable in variables(word) if word[0] in _MAPPING else ():
                left = without(directive, position, variable)
                yield directive_mutant(
                    material,
                    "drop_mapping",
                    directive,
                    left if any(text for _, text in left) else (),
                    f"'{variable}' is not mapped",
                    unit,
                )


@operator(Family.DIRECTIVE)
def drop_declare(material: Material) -> Iterator[Mutant]:
    """Module data that kernels use is not declared to be on the device."""
    for directive, unit in _found(material, "declare"):
        for position, word in enumerate(pieces(directive)):
            for variable in variables(word):
                left = without(directive, position, variable)
                yield directive_mutant(
                    material,
                    "drop_declare",
                    directive,
                    left if any(text for _, text in left) else (),
                    f"'{variable}' is not declared for the device",
                    unit,
                )


def _without_updates(material: Material, name: str, sides: tuple[str, ...]) -> Iterator[Mutant]:
    for directive, unit in _found(material, "update"):
        for position, word in enumerate(pieces(directive)):
            for variable in variables(word) if word[0] in sides else ():
                left: tuple[Word, ...] = without(directive, position, variable)
                changed = directive_mutant(
                    material,
                    name,
                    directive,
                    left if any(w in SIDES for w, _ in left) else (),
                    f"'{variable}' is not updated",
                    unit,
                )
                gone = update_of(directive, word[0], variable)
                yield replace(changed, updates=(gone,), omission=True)


def _found(material: Material, *names: str) -> Iterator[tuple[Directive, str]]:
    """Directives of these names with the unit they stand in; END directives are another name."""
    for unit, directive in material.directives:
        if parse(directive).name in names:
            yield directive, unit.qualified_name


def _compute(material: Material) -> frozenset[str]:
    names = {parse(d).name for _, d in material.directives}
    return frozenset(name for name in names if name.split()[:1] and name.split()[0] in COMPUTE)
