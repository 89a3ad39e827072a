"""A compiler's messages, taken apart."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from acclimate.verifier.toolchains import Toolchain


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One message of a compiler; `file` is relative to the model's root where it is known."""

    severity: str  # "error" | "warning"
    text: str
    file: str | None = None
    line: int | None = None

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}" if self.file else self.text


def parse_diagnostics(log: str, toolchain: Toolchain) -> tuple[Diagnostic, ...]:
    """All errors and warnings of a build log, each once, in order."""
    return tuple(dict.fromkeys(_diagnostics(log, toolchain)))


def _diagnostics(log: str, toolchain: Toolchain) -> Iterator[Diagnostic]:
    place: re.Match[str] | None = None
    for line in log.splitlines():
        location = toolchain.location.match(line)
        if location:
            place = place or location  # the first of a chain of INCLUDEs is the innermost
            continue
        inline = toolchain.inline.match(line)
        if inline:
            yield _diagnostic(inline["severity"], inline["text"], inline)
            continue
        message = toolchain.message.match(line)
        if message:
            yield _diagnostic(message["severity"], message["text"], place)
            place = None
            continue
        unresolved = toolchain.no_device_code.match(line)
        if unresolved:
            yield Diagnostic("error", f"'{unresolved['name']}' has no device code")


def _diagnostic(severity: str, text: str, place: re.Match[str] | None) -> Diagnostic:
    kind = "warning" if severity.lower() == "warning" else "error"
    if place is None:
        return Diagnostic(kind, text)
    return Diagnostic(kind, text, place["file"].removeprefix("./"), int(place["line"]))
