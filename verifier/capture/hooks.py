"""Edits that make procedures show what they are given and what they leave."""

from collections.abc import Iterable, Iterator, Sequence

from acclimate.analysis.ir import Unit
from acclimate.analysis.source import Edit
from acclimate.verifier.capture.exchange import meeting, restoring, use_line
from acclimate.verifier.capture.targets import Target
from acclimate.verifier.texts.source_file import SourceFile
from acclimate.verifier.texts.statements import Statement, source_lines

_ELSEWHERE = '# 1 "acclimate_capture"'  # so that no other line changes its number
_HIGHEST_LABEL = 99999


def inserted(file: SourceFile, line: int, statements: Iterable[str]) -> Edit:
    """Statements before a line; the lines of the file keep their numbers."""
    text = [piece for each in statements for piece in source_lines(each, file.form)]
    return Edit(file.name, line, line - 1, (_ELSEWHERE, *text, f'# {line} "{file.name}"'))


def hooks(file: SourceFile, number: int, target: Target) -> Iterator[Edit]:
    """The edits of one procedure: USE, entry, one exit that all RETURN statements lead to."""
    unit = target.unit
    own = [s for s in file.statements if s.unit == unit.qualified_name]
    label = _free_label(own)
    yield inserted(file, unit.at.last + 1, [use_line()])
    yield inserted(file, unit.specification_end.last + 1, _entry(number, target))
    yield from _returns(file, own, label)
    end = _end(own, unit)
    landing = source_lines("continue", file.form, label)
    body = [piece for each in _exit(number, target) for piece in source_lines(each, file.form)]
    resume = f'# {end} "{file.name}"'
    yield Edit(file.name, end, end - 1, (_ELSEWHERE, *landing, *body, resume))


def _entry(number: int, target: Target) -> Iterator[str]:
    yield "if (acclimate_on) then"
    yield f'if (acclimate_enter({number}, "{target.name}")) then'
    yield "if (acclimate_loads()) then"
    yield from restoring(target.own)
    yield "else"
    for variable in (*target.arguments, *target.own):
        yield from meeting(variable)
    yield "end if"
    yield "call acclimate_entered()"
    yield "end if"
    yield "end if"


def _exit(number: int, target: Target) -> Iterator[str]:
    yield "if (acclimate_on) then"
    yield f'if (acclimate_leave({number}, "{target.name}")) then'
    for variable in (*target.arguments, *target.own):
        yield from meeting(variable)
    if target.result is not None:
        yield from meeting(target.result)
    yield "call acclimate_left()"
    yield "end if"
    yield "end if"


def _free_label(statements: Sequence[Statement]) -> str:
    taken = {statement.label for statement in statements}
    return next(str(n) for n in range(_HIGHEST_LABEL, 0, -1) if str(n) not in taken)


def _end(statements: Sequence[Statement], unit: Unit) -> int:
    """The line of CONTAINS or END."""
    for statement in statements:
        if statement.tokens == ("contains",):
            return statement.at.first
    return unit.end.first


def _returns(file: SourceFile, own: Sequence[Statement], label: str) -> Iterator[Edit]:
    """Every RETURN becomes a jump to the exit."""
    done: set[int] = set()
    for statement in own:
        if not _is_return(statement) or statement.at.first in done:
            continue
        sharing = [
            s
            for s in file.statements
            if s.at.first <= statement.at.last and s.at.last >= statement.at.first
        ]
        first, last = min(s.at.first for s in sharing), max(s.at.last for s in sharing)
        done |= set(range(first, last + 1))
        text: list[str] = []
        for each in sharing:
            text.append(f'# {first} "{file.name}"')
            text += source_lines(_jumping(each, label), file.form, each.label)
        yield Edit(file.name, first, last, (*text, f'# {last + 1} "{file.name}"'))


def _is_return(statement: Statement) -> bool:
    words = statement.tokens
    return words[-1:] == ("return",) and (len(words) == 1 or words[0] == "if")


def _jumping(statement: Statement, label: str) -> str:
    if not _is_return(statement):
        return statement.text
    return statement.text[: -len("return")] + f"goto {label}"
