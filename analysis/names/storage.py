"""One key for everything that shares storage: COMMON blocks and EQUIVALENCE groups."""

from acclimate.analysis.ir import Apply, Expr, Name, Symbol, Unit


def storage_key(unit: Unit, symbol: Symbol) -> str:
    """The storage a symbol names, the same from every unit that can see it.

    `qualified::name` for the variables of a unit, `common:block` for everything in a COMMON
    block (`common:` for the blank one), one key for each EQUIVALENCE group.
    """
    owner = symbol.owner or unit
    group = _group(owner, symbol.name)
    for name in sorted(group):
        other = owner.symbols.get(name)
        if other is not None and other.common is not None:
            return f"common:{other.common}"
    first = min(group) if len(group) > 1 else symbol.name
    return f"{owner.qualified_name}::{first}"


def _group(owner: Unit, name: str) -> set[str]:
    group = {name}
    if not owner.equivalences:
        return group
    sets = [{_base(item) for item in entry} for entry in owner.equivalences]
    grown = True
    while grown:
        grown = False
        for entry in sets:
            if entry & group and not entry <= group:
                group |= entry
                grown = True
    return group


def _base(item: Expr) -> str:
    while isinstance(item, Apply):
        item = item.base
    return item.id if isinstance(item, Name) else ""
