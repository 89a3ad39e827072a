"""Edits that tell the access log which iteration of which governed loop is running.

Each marked loop calls `acclimate_iteration(loop, iteration)` first thing in every iteration and
`acclimate_loop_end(loop)` behind itself (see runtime/iterations.c). Line markers keep every other
statement on its own line number, so that what is found is found where it stands.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from acclimate.analysis.source import Edit, Lines
from acclimate.verifier.texts.governed import GovernedLoop
from acclimate.verifier.texts.source_file import SourceFile
from acclimate.verifier.texts.statements import Statement, source_lines

_ONE_GANG = 1 << 24  # in the number of a loop: one gang ends it before it begins the next
_FOLD = 1000003  # a prime; indices of collapsed loops stay apart below it


@dataclass(frozen=True, slots=True)
class Marks:
    """The edits of all files, the DO statements by loop number, and loops that cannot be marked."""

    edits: Mapping[str, tuple[Edit, ...]]
    loops: Mapping[int, Lines]
    unmarked: tuple[GovernedLoop, ...]


def iteration_marks(files: Mapping[str, SourceFile], governed: Sequence[GovernedLoop]) -> Marks:
    """Mark every loop that the directives call parallel."""
    calls: dict[str, dict[Statement, list[str]]] = {}
    loops: dict[int, Lines] = {}
    unmarked: list[GovernedLoop] = []
    for loop in governed:
        if not loop.parallel:
            continue
        if _in_pure_procedure(files[loop.file], loop):
            unmarked.append(loop)
            continue
        number = len(loops) + 1 + (_ONE_GANG if _in_one_gang(loop) else 0)
        loops[number] = loop.loops[0].statement.at
        here = calls.setdefault(loop.file, {})
        inner = loop.loops[-1].statement
        folded = " + ".join(
            f"{_FOLD}_8**{power}*int({each.index}, 8)" if power else f"int({each.index}, 8)"
            for power, each in enumerate(reversed(loop.loops))
        )
        here.setdefault(inner, []).append(f"call acclimate_iteration({number}, {folded})")
        end = _last_statement(files[loop.file], loop)
        here.setdefault(end, []).insert(0, f"call acclimate_loop_end({number})")
    edits = {file: tuple(_edits(files[file], wanted)) for file, wanted in calls.items()}
    return Marks(edits, loops, tuple(unmarked))


def _in_one_gang(loop: GovernedLoop) -> bool:
    around = loop.enclosing
    return around is not None and around.arguments("num_gangs") == ("1",)


def _in_pure_procedure(file: SourceFile, loop: GovernedLoop) -> bool:
    """A pure procedure may not call the log."""
    name = loop.unit.rpartition("::")[2]
    for statement in file.statements:
        words = statement.tokens
        if statement.unit == loop.unit and name in words and words[0] != "end":
            return "pure" in words or "elemental" in words
    return False


def _last_statement(file: SourceFile, loop: GovernedLoop) -> Statement:
    return next(s for s in reversed(file.statements) if s.at.last == loop.last)


def _edits(file: SourceFile, calls: Mapping[Statement, list[str]]) -> list[Edit]:
    edits = []
    done: set[int] = set()
    for statement in calls:
        if statement.at.first in done:
            continue
        sharing = _sharing(file, statement)
        first, last = min(s.at.first for s in sharing), max(s.at.last for s in sharing)
        done |= set(range(first, last + 1))
        resume = f'# {last + 1} "{file.name}"'
        if len(sharing) == 1:
            text = [line for call in calls[statement] for line in source_lines(call, file.form)]
            edits.append(Edit(file.name, last + 1, last, (*text, resume)))
            continue
        text = []
        for each in sharing:
            text.append(f'# {first} "{file.name}"')
            text += source_lines(each.text, file.form, each.label)
            for call in calls.get(each, ()):
                text += source_lines(call, file.form)
        edits.append(Edit(file.name, first, last, (*text, resume)))
    return edits


def _sharing(file: SourceFile, statement: Statement) -> list[Statement]:
    """The statements on the same lines, `statement` included."""
    first, last = statement.at.first, statement.at.last
    return [s for s in file.statements if s.at.first <= last and s.at.last >= first]
