"""Directives stripped, has the port the tokens of the original?"""

from collections.abc import Iterator, Sequence

from acclimate.analysis.source import Lines
from acclimate.verifier.checks import check
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.source_equality import ChangedStatement
from acclimate.verifier.statement_change import TELLING
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
    for change, count in _blocks(changes)[:_SHOWN]:
        more = f" (and {count - 1} more statements beside it)" if count > 1 else ""
        yield Evidence(
            "source_equality",
            Light.NUMERICS,
            Outcome.INCONCLUSIVE,
            change.message + more,
            figure=len(changes),
            limit=0,
            unit="statements",
            file=change.at.file,
            line=change.at.first,
        )


def _blocks(changes: Sequence[ChangedStatement]) -> list[tuple[ChangedStatement, int]]:
    """Changes of meaning one by one; of other neighbouring changes the first and their number."""
    found: list[tuple[ChangedStatement, int]] = []
    last = Lines("", 0, 0)
    for change in changes:
        adjacent = change.at.file == last.file and change.at.first <= last.last + 1
        if found and adjacent and change.kind not in TELLING:
            first, count = found[-1]
            found[-1] = (first, count + 1)
        else:
            found.append((change, 1))
        last = change.at
    return sorted(found, key=lambda block: block[0].kind not in TELLING)
