"""What a walk has found: uses of a copy that lacks a value."""

from dataclasses import dataclass, field

from acclimate.analysis.source import Lines
from acclimate.verifier.copies.regions import Region, surely_meet
from acclimate.verifier.copies.state import Copy, Guard, Place, Write


@dataclass(frozen=True, slots=True)
class Finding:
    """`at`: the use of a copy that lacks a value, or that is not there."""

    message: str
    at: Lines


@dataclass
class Reports:
    """Findings of one walk, each once."""

    found: dict[Finding, None] = field(default_factory=dict)

    def host_reads(
        self, place: Place, at: Lines, guard: Guard, region: Region, write: Write
    ) -> None:
        """The host reads its own copy."""
        if _is_certain(guard, region, write):
            text = f"'{_spelt(place)}' is read on the host; a kernel has given it a new value at"
            self._note(f"{text} {write.at}, which no update brings back", at)

    def kernel_reads(
        self, place: Place, at: Lines, guard: Guard, region: Region, write: Write
    ) -> None:
        """A kernel reads the device's copy."""
        if _is_certain(guard, region, write):
            text = f"'{_spelt(place)}' is read by a kernel; the host has given it a new value at"
            self._note(f"{text} {write.at}, which nothing brings to the device", at)

    def overwrites(self, place: Place, at: Lines, guard: Guard, copy: Copy, write: Write) -> None:
        """An update brings a value older than the one it replaces."""
        if _is_certain(guard, (), write):
            writer = "a kernel" if copy is Copy.DEVICE else "the host"
            text = f"'{_spelt(place)}' is updated on the {copy} with an older value:"
            self._note(f"{text} {writer} has given it a new one at {write.at}", at)

    def absent(self, place: Place, at: Lines) -> None:
        """Something needs the device's copy, and there is none on any path that leads there."""
        self._note(f"'{_spelt(place)}' has to be on the device here; nothing has put it there", at)

    def _note(self, message: str, at: Lines) -> None:
        self.found.setdefault(Finding(message, at))


def _is_certain(guard: Guard, region: Region, write: Write) -> bool:
    """Every run that has executed the write comes here, and some element is the same."""
    return write.guard[: len(guard)] == guard and surely_meet(region, write.region)


def _spelt(place: Place) -> str:
    name = place.root.split("@")[0].rpartition("::")[2]
    return "%".join((name, *place.path))
