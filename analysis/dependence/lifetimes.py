"""How long a variable lives, and who can reach it."""

from acclimate.analysis.dependence.statements import parts
from acclimate.analysis.ir import Name, Symbol, Unit, UnitKind


def is_saved(symbol: Symbol) -> bool:
    return "save" in symbol.attributes or symbol.initial is not None


def is_private_to(symbol: Symbol, unit: Unit) -> bool:
    """Is the variable local to each call of the unit, and reachable by its name only?"""
    if symbol.owner is not unit or symbol.name in unit.args or symbol.common is not None:
        return False
    if unit.entries:  # it may be an argument of one
        return False
    if symbol.attributes & {"pointer", "target", "save", "result", "volatile", "asynchronous"}:
        return False
    if symbol.name in (unit.result, unit.name) and unit.kind is UnitKind.FUNCTION:
        return False
    if unit.equivalences and any(
        isinstance(part, Name) and part.id == symbol.name
        for group in unit.equivalences
        for item in group
        for part in parts(item)
    ):
        return False
    if unit.kind is UnitKind.PROGRAM:
        return True
    return unit.kind in (UnitKind.SUBROUTINE, UnitKind.FUNCTION) and not is_saved(symbol)
