"""NAMELIST groups by name: of the unit, its hosts, or the modules they use (Fortran 2018, 8.9)."""

from acclimate.analysis.ir import Symbol, Unit
from acclimate.analysis.names.resolution import Variable
from acclimate.analysis.project import Project


def namelist_members(project: Project, unit: Unit, group: str) -> tuple[Symbol, ...]:
    """The variables of a group as a statement of `unit` knows it; empty if there is no such."""
    found = _group(project, unit, group, set())
    if found is None:
        return ()
    owner, names = found
    members = (project.resolve(owner, name) for name in names)
    return tuple(member.symbol for member in members if isinstance(member, Variable))


def visible_name(project: Project, unit: Unit, symbol: Symbol) -> str | None:
    """The name a unit knows a variable by, None if it cannot see it."""
    names = [symbol.name]
    scope: Unit | None = unit
    while scope is not None:
        for use in scope.uses:
            pairs = (*(use.only or ()), *use.renames)
            names += [local for local, original in pairs if original == symbol.name]
        scope = scope.parent
    for name in names:
        found = project.resolve(unit, name)
        if isinstance(found, Variable) and found.symbol is symbol:
            return name
    return None


def _group(
    project: Project, unit: Unit, name: str, seen: set[tuple[int, str]]
) -> tuple[Unit, tuple[str, ...]] | None:
    scope: Unit | None = unit
    while scope is not None and (id(scope), name) not in seen:
        seen.add((id(scope), name))
        if name in scope.namelists:
            return scope, scope.namelists[name]
        for use in scope.uses:
            module = project.modules.get(use.module)
            names = (original for local, original in use.only or () if local == name)
            renamed = (original for local, original in use.renames if local == name)
            for original in [*names] if use.only is not None else [*renamed, name]:
                found = _group(project, module, original, seen) if module is not None else None
                if found is not None:
                    return found
        scope = scope.parent
    return None
