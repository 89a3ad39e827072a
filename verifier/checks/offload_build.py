"""Does device code come out of the port? Only this build sees calls and I/O it cannot hold."""

import re
from collections.abc import Iterator

from acclimate.verifier.building.build import BuildFailure, device_target
from acclimate.verifier.building.diagnostics import Diagnostic
from acclimate.verifier.checks import check
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.subject import Side, Subject
from acclimate.verifier.texts.statements import Statement
from acclimate.verifier.toolchains import Build, Capability

_RUNTIME_IO = re.compile(r"_gfortran_(?:st|transfer)_")
_IO = frozenset({"print", "write", "read", "open", "close", "inquire", "flush", "rewind"})
_SHOWN = 10


@check(cost=12)
def offload_build(subject: Subject) -> Iterator[Evidence]:
    """Link errors at their places; a device build that links has still not run."""
    tool = subject.toolchain
    target = device_target(tool, subject.work) if Capability.OFFLOAD in tool.capabilities else None
    if target is None:
        yield _evidence(
            Outcome.INCONCLUSIVE, f"{tool.name} on this machine makes no device code", None
        )
        return
    made = subject.built(Side.PORT, Build.OFFLOAD)
    if not isinstance(made, BuildFailure):
        yield _evidence(Outcome.HOLDS, f"links with device code for {target}; not run", None)
        return
    for error in made.errors[:_SHOWN]:
        yield _evidence(Outcome.FAILS, f"no device code: {error.text}", _place(subject, error))


def _evidence(outcome: Outcome, message: str, at: tuple[str, int] | None) -> Evidence:
    file, line = at or (None, None)
    return Evidence(
        "offload_build", Light.DEVICE, outcome, message, file=file, line=line, decisive=False
    )


def _place(subject: Subject, error: Diagnostic) -> tuple[str, int] | None:
    """Where the compiler says; for I/O, of which the linker knows no place, the first statement."""
    if error.file is not None and error.line is not None:
        return error.file, error.line
    if not _RUNTIME_IO.search(error.text):
        return None
    for loop in subject.governed:
        for statement in subject.port_files[loop.file].statements:
            if loop.contains(statement.at.first) and _does_io(statement):
                return loop.file, statement.at.first
    return None


def _does_io(statement: Statement) -> bool:
    words = statement.tokens
    if words[:1] == ("if",):
        return any(word in _IO for word in words)
    return bool(words) and words[0] in _IO
