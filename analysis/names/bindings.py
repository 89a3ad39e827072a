"""The procedures behind the binding names of derived types."""

from collections.abc import Callable, Iterator

from acclimate.analysis.ir import DerivedType, Unit
from acclimate.analysis.names.resolution import Procedures
from acclimate.analysis.names.symbols import SymbolTable

TypeDefinition = tuple[DerivedType, Unit]
"""A definition and the unit it is in."""
DefinitionOf = Callable[[Unit, str], TypeDefinition | None]
_EXTENSIONS = 30  # of a type by a type by a type that are followed


def specifics(
    table: SymbolTable,
    definition_of: DefinitionOf,
    derived: DerivedType,
    home: Unit,
    name: str,
) -> list[Unit]:
    """Those a binding name stands for in a type; a generic one is what all types it extends add."""
    lineage = list(_lineage(definition_of, derived, home))
    generic = [n for kind, _ in lineage for n in kind.generic_bindings.get(name, ())]
    found: list[Unit] = []
    for specific in dict.fromkeys(generic or (name,)):
        for kind, scope in lineage:  # the one nearest to the type overrides those it extends
            bound = kind.bindings.get(specific)
            meaning = None if bound is None else table.resolve(scope, bound)
            if isinstance(meaning, Procedures):
                found += [unit for unit in meaning.candidates if unit not in found]
                break
    return found


def _lineage(
    definition_of: DefinitionOf, derived: DerivedType, home: Unit
) -> Iterator[TypeDefinition]:
    """The type and those it extends, itself first."""
    current: TypeDefinition | None = (derived, home)
    for _ in range(_EXTENSIONS):
        if current is None:
            return
        yield current
        kind, scope = current
        current = None if kind.extends is None else definition_of(scope, f"type({kind.extends})")
