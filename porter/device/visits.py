"""Data that a kernel copies to the device and back by its own clauses."""

from dataclasses import dataclass

from acclimate.porter.text.directives_text import clause


@dataclass(frozen=True, slots=True)
class Visits:
    """What one kernel brings along: names or sections, and when the device may be used.

    `names` are the objects, as the program names them; `guards` conditions under which a copy is
    what the kernel needs. Without them the kernel runs on the host.
    """

    names: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    guards: tuple[str, ...] = ()

    def words(self) -> tuple[str, ...]:
        """Clauses for the compute construct."""
        condition = " .and. ".join(self.guards)
        return (
            clause("copyin", self.read),
            clause("copy", self.written),
            f"if({condition})" if condition else "",
        )


NO_VISITS = Visits()
