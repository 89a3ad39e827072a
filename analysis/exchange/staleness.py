"""Which units must be looked at again when some files have changed.

A unit's results rest on its own file, on the declarations that it can reach through names, and on
the summaries it asked for. Declarations are followed by file: from a file to every file that
defines a name which stands in it, and on from there; from a unit also to the files of the
procedures whose summaries it asked for. That is more than name resolution can reach, never less.
Summaries are compared while they are made (`requests.Analysing`).
"""

from collections.abc import Iterable, Mapping, Set

from acclimate.analysis.exchange.bench import World
from acclimate.analysis.exchange.outlines import Outline
from acclimate.analysis.exchange.parts import KeptUnit, Parts


def stale_units(
    known: Parts, outlines: Mapping[str, Outline], world: World, changed: Set[str]
) -> set[str]:
    """The units of `known` whose results may be others now; `changed`: files with another text."""
    if known.world.rest != world.rest:
        return set(known.units)
    before, after = known.world.names, world.names
    names = {name for name in {*before, *after} if before.get(name) != after.get(name)}
    troubled = {
        file
        for file, kept in known.files.items()
        if file not in outlines or kept.outline.interface != outlines[file].interface
    }
    if names:
        troubled |= {
            file
            for file, kept in known.files.items()
            if not names.isdisjoint(kept.outline.words.split())
        }
    reached = _Reached(known, troubled)
    return {
        name
        for name, unit in known.units.items()
        if unit.home in changed or unit.home not in outlines or reached.by(unit)
    }


class _Reached:
    """Whether the declarations that a unit can reach are in some of the files."""

    def __init__(self, known: Parts, files: Set[str]) -> None:
        self._units = known.units
        self._files = _leading_to(files, known) if files else set()

    def by(self, unit: KeptUnit) -> bool:
        asked = (*unit.summary.asked, *unit.verdicts.asked)
        homes = {unit.home, *(self._units[name].home for name in asked if name in self._units)}
        return not self._files.isdisjoint(homes)


def _leading_to(files: Iterable[str], known: Parts) -> set[str]:
    """The files and all from which a chain of names leads to them."""
    users: dict[str, list[str]] = {}
    for file, kept in known.files.items():
        for name in known.world.files.keys() & set(kept.outline.words.split()):
            for home in known.world.files[name]:
                users.setdefault(home, []).append(file)
    found = set(files)
    waiting = list(found)
    while waiting:
        for user in users.get(waiting.pop(), ()):
            if user not in found:
                found.add(user)
                waiting.append(user)
    return found
