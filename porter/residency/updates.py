"""Groups of host accesses, and the update directives around them."""

from collections.abc import Callable
from dataclasses import dataclass, field

from acclimate.analysis.source import Lines
from acclimate.porter.names.scope import Reference
from acclimate.porter.residency.host_accesses import Accesses
from acclimate.porter.text.directives_text import clause, directive
from acclimate.porter.text.fortran_text import statement_lines
from acclimate.porter.text.margins import Margins
from acclimate.porter.text.placement import Insertion, Slot

_DEFERRED = frozenset({"allocatable", "pointer"})


def by_name(found: Reference) -> tuple[str, str]:
    return found.designator, found.node


@dataclass
class Group:
    """Adjacent host statements under one bracket, from `at` to line `last` of one file.

    Where `above` is set, the bracket opens before that line: a condition is bracketed whole.
    `wanted`: data whose host copy must be valid before; `written`: data that goes to the device
    after; `filled`: data that the group has stored as a whole before reading any of it.
    """

    at: Lines
    last: int
    wanted: set[Reference] = field(default_factory=set)
    written: set[Reference] = field(default_factory=set)
    filled: set[Reference] = field(default_factory=set)
    above: int = 0

    def take(self, found: Accesses, last: int) -> None:
        """Add the accesses of the next statement, which ends on line `last`."""
        self.wanted |= found.reads - self.filled
        self.wanted |= found.writes - found.fills - self.filled
        self.filled |= found.fills - self.wanted
        self.written |= found.writes
        self.last = max(self.last, last)


@dataclass(frozen=True, slots=True)
class UpdateSite:
    """One bracket: what is brought to the host before `at` and to the device after it.

    Where `at` is a kernel, `to_host` is brought to the host behind it.
    """

    unit: str
    at: Lines
    to_host: tuple[str, ...]
    to_device: tuple[str, ...]


class UpdateWriter:
    """Turns groups into insertions for one procedure.

    Args:
        written_on_device: whether a kernel writes a storage node.
        behind: whether its host copy may be out of date, so that `update self` is needed.
    """

    def __init__(
        self,
        unit: str,
        margins: Margins,
        written_on_device: Callable[[str], bool],
        behind: Callable[[str], bool],
    ) -> None:
        self._unit = unit
        self._margins = margins
        self._written_on_device = written_on_device
        self._behind = behind
        self.insertions: list[Insertion] = []
        self.sites: list[UpdateSite] = []

    def keeps_device_values(self, node: str) -> bool:
        """Some kernel writes the node: copying the host's over it may lose values."""
        return self._written_on_device(node)

    def wants(self, found: Reference) -> bool:
        """A host access that reads it has to bring it first."""
        return self._behind(found.node)

    def emit(self, group: Group) -> None:
        """Insert `update self` before and `update device` behind a group."""
        wanted = [f for f in group.wanted if self.wants(f)]
        to_host, to_device = sorted(wanted, key=by_name), sorted(group.written, key=by_name)
        file, line = group.at.file, group.at.first
        margin = self._margins.of(file, line)
        form = self._margins.form(file)
        if to_host:
            text = update_lines("self", [f.designator for f in to_host], margin, form)
            above = group.above or line
            self.insertions.append(Insertion(file, above, Slot.BEFORE, 0, text))
        for order, text in enumerate(device_updates(to_device, margin, form)):
            self.insertions.append(Insertion(file, group.last + 1, Slot.AFTER, order, text))
        if to_host or to_device:
            names = tuple(f.designator for f in to_host), tuple(f.designator for f in to_device)
            self.sites.append(UpdateSite(self._unit, group.at, *names))


def update_lines(
    side: str, names: list[str], margin: int, form: str, condition: str = ""
) -> tuple[str, ...]:
    """One `update` directive; `condition` is its IF clause, if it has one.

    Raises:
        ValueError: a name or the condition is longer than a line.
    """
    return directive(("update", clause(side, names), condition), margin, form)


def device_updates(
    written: list[Reference], margin: int, form: str, condition: str = ""
) -> list[tuple[str, ...]]:
    """Directives for `written`; array components go through another name.

    `update device` of an attached component makes libgomp 12 overwrite the device's pointer to
    it with the address of the descriptor.

    Raises:
        ValueError: as `update_lines`.
    """
    attached = [f for f in written if f.is_component and f.symbol.attributes & _DEFERRED]
    components = [f.designator for f in attached]
    plain = [f.designator for f in written if f not in attached]
    texts = [update_lines("device", plain, margin, form, condition)] if plain else []
    if components:
        aliases = [f"acc_{number}" for number in range(1, len(components) + 1)]
        update = update_lines("device", aliases, margin + 2, form, condition)
        texts.append(_associated(aliases, components, update, margin, form))
    return texts


def _associated(
    aliases: list[str], selectors: list[str], inside: tuple[str, ...], margin: int, form: str
) -> tuple[str, ...]:
    pairs = ", ".join(f"{a} => {s}" for a, s in zip(aliases, selectors, strict=True))
    opening = statement_lines(f"associate ({pairs})", margin, form)
    return (*opening, *inside, *statement_lines("end associate", margin, form))
