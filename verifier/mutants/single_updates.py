"""Each variable of an UPDATE in a directive of its own, so that a run can leave out just one."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from acclimate.analysis.directives import parse
from acclimate.analysis.ir import Directive
from acclimate.analysis.source import Edit, Lines
from acclimate.verifier.mutants.directive_text import (
    Word,
    directive_lines,
    pieces,
    rendered,
    variables,
)
from acclimate.verifier.texts.source_file import SourceFile

SIDES = {"self": "device", "host": "device", "device": "self"}


@dataclass(frozen=True, slots=True, order=True)
class Update:
    """One variable, as written, of the update directive at `at`; `side` is the side it goes to."""

    at: Lines
    side: str
    variable: str


@dataclass(frozen=True, slots=True)
class SingleUpdates:
    """The edits of all files, and which update stands at a line of its own.

    These lines are numbers behind the end of the file, told to the compiler by line markers; all
    other statements keep theirs.
    """

    edits: Mapping[str, tuple[Edit, ...]]
    places: Mapping[tuple[str, int], Update]


def update_of(directive: Directive, clause: str, variable: str) -> Update:
    """The update of one variable that a clause of a directive asks for."""
    return Update(directive.at, "device" if clause == "device" else "self", variable)


def single_updates(files: Iterable[SourceFile]) -> SingleUpdates:
    """Take apart all update directives of the files."""
    edits: dict[str, tuple[Edit, ...]] = {}
    places: dict[tuple[str, int], Update] = {}
    for file in files:
        free = file.data.count(b"\n") + 2
        found = []
        for directive in file.directives:
            if parse(directive).name != "update":
                continue
            lines: list[str] = []
            for update, words in _taken_apart(directive):
                text = directive_lines(rendered(words), file.form)
                lines += [f'# {free} "{file.name}"', *text]
                places |= {(file.name, free + row): update for row in range(len(text))}
                free += len(text)
            at = directive.at
            resume = f'# {at.last + 1} "{file.name}"'
            found.append(Edit(file.name, at.first, at.last, (*lines, resume)))
        if found:
            edits[file.name] = tuple(found)
    return SingleUpdates(edits, places)


def _taken_apart(directive: Directive) -> Iterable[tuple[Update, tuple[Word, ...]]]:
    words = pieces(directive)
    others = tuple(word for word in words if word[0] not in SIDES)
    for word in words:
        for variable in variables(word) if word[0] in SIDES else ():
            yield update_of(directive, word[0], variable), (*others, (word[0], variable))
