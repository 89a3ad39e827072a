"""DO loops that end on a label become DO ... END DO, also where several share the label.

Labels of END statements of constructs go to a CONTINUE, which any statement can jump to.
"""

import re
from dataclasses import replace

from acclimate.analysis.view.view import ViewStatement

_LABELLED = re.compile(r"((?:\w+\s*:\s*)?do)\s+(\d{1,5})\b\s*,?\s*(.*)", re.IGNORECASE)
_END_DO = re.compile(r"end\s*do\b", re.IGNORECASE)
_END_BRANCHES = re.compile(r"end\s*(if|select)\b", re.IGNORECASE)
_END_UNIT = re.compile(
    r"end(\s*(subroutine|function|program|procedure|module|submodule)(\s+\w+)?)?$", re.IGNORECASE
)


def close_labelled_do(statements: list[ViewStatement]) -> list[ViewStatement]:
    """Write every labelled DO with its own END DO behind the terminal statement.

    The terminal statement keeps its label (a GOTO to it is a CYCLE of the innermost loop). The END
    DO statements put in stand on the lines of the terminal statement.
    """
    shared = _shared(statements)
    closed: list[ViewStatement] = []
    pending: list[str] = []
    for number, statement in enumerate(statements):
        match = _LABELLED.match(statement.text)
        if match:
            pending.append(match[2].lstrip("0"))
            flags = shared.get(number, (False, False))
            closed.append(
                replace(
                    statement,
                    text=f"{match[1]} {match[3]}".rstrip(),
                    shared_terminal=flags[0],
                    after_terminal=flags[1],
                )
            )
            continue
        if pending and statement.label == pending[-1]:
            _close(statement, pending, closed)
            continue
        if pending and _END_UNIT.match(statement.text):
            pending.clear()
        closed += [statement] if statement.label is None else _without_end_label(statement)
    return closed


def _without_end_label(statement: ViewStatement) -> list[ViewStatement]:
    """A jump to END DO ends the iteration, one to END IF or END SELECT the whole construct."""
    reached = replace(statement, text="continue")
    end = replace(statement, label=None)
    if _END_DO.match(statement.text):
        return [reached, end]
    return [end, reached] if _END_BRANCHES.match(statement.text) else [statement]


def _close(statement: ViewStatement, pending: list[str], closed: list[ViewStatement]) -> None:
    ends_loop = _END_DO.match(statement.text) is not None
    closed.append(replace(statement, text="continue") if ends_loop else statement)
    while pending and pending[-1] == statement.label:
        pending.pop()
        closed.append(replace(statement, text="end do", label=None))


def _shared(statements: list[ViewStatement]) -> dict[int, tuple[bool, bool]]:
    """For each DO whose terminal another DO shares: (True, is not the outermost of them)."""
    found: dict[int, tuple[bool, bool]] = {}
    pending: list[tuple[str, int]] = []
    for number, statement in enumerate(statements):
        match = _LABELLED.match(statement.text)
        if match:
            pending.append((match[2].lstrip("0"), number))
            continue
        if pending and statement.label == pending[-1][0]:
            group = []
            while pending and pending[-1][0] == statement.label:
                group.append(pending.pop()[1])
            if len(group) > 1:
                found.update({do: (True, do != group[-1]) for do in group})
        elif pending and _END_UNIT.match(statement.text):
            pending.clear()
    return found
