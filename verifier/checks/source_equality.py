"""Directives stripped, has the port the tokens of the original?"""

from collections.abc import Iterator, Sequence

from acclimate.verifier.checks import check
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.subject import Subject
from acclimate.verifier.texts.source_equality import ChangedStatement
from acclimate.verifier.texts.statement_change import TELLING

_SHOWN = 50


@check(cost=1, needs_original=True)
def source_equality(subject: Subject) -> Iterator[Evidence]:
    """Proved equal, or every changed statement with its class; a change alone is no defect.

    Statements of procedures that do the same for certain are left to `structure`.
    """
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
    open_ = [change for change in changes if change.unit not in subject.proved_units]
    for change, count in _rows(open_)[:_SHOWN]:
        more = f" (and {count - 1} more changes of '{change.unit}')" if count > 1 else ""
        yield Evidence(
            "source_equality",
            Light.NUMERICS,
            Outcome.INCONCLUSIVE,
            change.message + more,
            figure=count,
            limit=0,
            unit="statements",
            file=change.at.file,
            line=change.at.first,
        )


def _rows(changes: Sequence[ChangedStatement]) -> list[tuple[ChangedStatement, int]]:
    """Changes of meaning one by one; of the others in one unit the first and their number."""
    telling = [(change, 1) for change in changes if change.kind in TELLING]
    rest: dict[tuple[str, str], list[ChangedStatement]] = {}
    for change in changes:
        if change.kind not in TELLING:
            rest.setdefault((change.at.file, change.unit), []).append(change)
    return telling + [(group[0], len(group)) for group in rest.values()]
