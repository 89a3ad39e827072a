"""Directives stripped, has the port the tokens of the original?"""

from collections.abc import Iterator

from acclimate.verifier.checks import check
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.subject import Subject

_SHOWN = 50


@check(cost=1, needs_original=True)
def source_equality(subject: Subject) -> Iterator[Evidence]:
    """Proved equal, or every changed statement with its class; a change alone is no defect."""
    changes = subject.changes
    if not changes:
        statements = sum(len(file.statements) for file in subject.port_files.values())
        yield Evidence(
            "source_equality",
            Light.NUMERICS,
            Outcome.HOLDS,
            f"without directives all {statements} statements in {len(subject.port_files)} files"
            " are the original's",
            figure=0,
            limit=0,
            unit="statements",
        )
    for change in changes[:_SHOWN]:
        yield Evidence(
            "source_equality",
            Light.NUMERICS,
            Outcome.INCONCLUSIVE,
            change.message,
            figure=len(changes),
            limit=0,
            unit="statements",
            file=change.at.file,
            line=change.at.first,
        )
