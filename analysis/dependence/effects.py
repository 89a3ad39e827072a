"""The references of a procedure as its callers see them: few to each place."""

from collections.abc import Sequence

from acclimate.analysis.dependence.affine import Values
from acclimate.analysis.dependence.conditions import Literal, holds
from acclimate.analysis.dependence.records import Access
from acclimate.analysis.dependence.regions import Subscript

_MOST_ACCESSES = 8  # to one place, before they are taken as "somewhere in it"


def condensed_accesses(accesses: Sequence[Access], values: Values) -> list[Access]:
    """Accesses of one kind to one place, each once; too many become one that may touch anything."""
    unique: dict[object, Access] = {}
    for access in accesses:
        known = unique.get(access.subscripts)
        if known is None or (known.conditions and not access.conditions):
            unique[access.subscripts] = access
        elif known.conditions != access.conditions and known.conditions:
            unique[access.subscripts] = known._replace(conditions=(_unknown(values),))
    if len(unique) <= _MOST_ACCESSES:
        return list(unique.values())
    return [anywhere(accesses[0], values)]


def anywhere(access: Access, values: Values) -> Access:
    """The same to an unknown part of the place, under unknown conditions."""
    return access.anywhere._replace(conditions=(_unknown(values),))


def _unknown(values: Values) -> Literal:
    return holds(values.opaque(()))


class Foreseen:
    """What `condensed_accesses` will make of what is on record for good.

    Most of what callees read and write adds nothing to it, and need not be put on record.
    """

    def __init__(self) -> None:
        # conditions by subscripts; None where they are not the same each time
        self._found: dict[
            tuple[str, bool, bool], dict[tuple[Subscript, ...], tuple[Literal, ...] | None]
        ] = {}

    def note(self, access: Access) -> None:
        """An access that stays on record, and exposed if it is a read."""
        place = (access.key, access.write, access.whole_procedure)
        found = self._found.setdefault(place, {})
        subscripts, conditions = access.subscripts, access.conditions
        if subscripts not in found or not conditions:
            found[subscripts] = conditions
        elif found[subscripts] and found[subscripts] != conditions:
            found[subscripts] = None

    def holds_all(self, key: str, *, write: bool, whole: bool) -> bool:
        """Is any more access of this kind to the place one of too many?"""
        return len(self._found.get((key, write, whole), ())) > _MOST_ACCESSES

    def holds(
        self,
        key: str,
        subscripts: tuple[Subscript, ...],
        *,
        write: bool,
        whole: bool,
        is_conditional: bool,
    ) -> bool:
        """Does an access of this kind with these subscripts add nothing?"""
        found = self._found.get((key, write, whole))
        if not found or subscripts not in found:
            return False
        known = found[subscripts]
        return not known if known is not None else is_conditional
