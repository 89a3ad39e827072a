"""The normalised view of one source file: free form, preprocessed, one statement per line.

The view exists for analysis alone and is never written back. Every statement of it knows the lines
of the original file it stands on, also when it came through the preprocessor or an INCLUDE.
"""

from bisect import bisect_right
from dataclasses import dataclass
from typing import NamedTuple

from acclimate.analysis.facts import ReadingProblem
from acclimate.analysis.ir import Directive
from acclimate.analysis.source import Lines


class SourceLine(NamedTuple):
    """One line of text and the original line it stands on."""

    text: str
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class ViewStatement:
    """One statement, continuations joined and comments gone, on one line of the view.

    `order` is the number of the source line (after preprocessing and INCLUDE) of its first token;
    statements and directives are put in order by it.
    """

    text: str
    label: str | None
    at: Lines
    order: int
    shared_terminal: bool = False  # a DO that ends on a label another DO ends on as well
    after_terminal: bool = False  # ... and is not the outermost of them


@dataclass(frozen=True, slots=True)
class View:
    """A whole file as the analysis reads it.

    `resumptions` are the places where the text goes on in the file itself after included lines:
    (source line number, line of the file).
    """

    file: str
    form: str  # "free" | "fixed"; the form of the original
    statements: tuple[ViewStatement, ...]
    directives: tuple[tuple[int, Directive], ...]  # (view line that follows, directive)
    problems: tuple[ReadingProblem, ...] = ()
    resumptions: tuple[tuple[int, int], ...] = ()

    @property
    def text(self) -> str:
        """Free-form Fortran, one statement on each line."""
        return "".join(
            f"{s.label} {s.text}\n" if s.label else f"{s.text}\n" for s in self.statements
        )

    @property
    def origin(self) -> tuple[Lines, ...]:
        """The original lines of each line of `text`."""
        return tuple(s.at for s in self.statements)


def place_directives(
    statements: list[ViewStatement], directives: list[tuple[int, Directive]]
) -> tuple[tuple[int, Directive], ...]:
    """Turn source-line numbers of directives into the number of the view line that follows."""
    orders = [statement.order for statement in statements]
    return tuple((bisect_right(orders, order), directive) for order, directive in directives)
