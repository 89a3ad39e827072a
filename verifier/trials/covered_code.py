"""Has every line and every branch of some source text run? A branch not taken is not compared."""

import re
from collections.abc import Iterator

from acclimate.analysis.source import Lines
from acclimate.verifier.measuring.executed_lines import Counts
from acclimate.verifier.texts.source_file import SourceFile
from acclimate.verifier.texts.statements import Statement, statement_at

# Statements whose branches are the compiler's own, unless the statement says otherwise: a loop that
# is empty, memory that is not there, an array that is copied for a call.
_PLAIN = frozenset(
    ["do", "call", "allocate", "deallocate", "print", "write", "read", "open", "close", "return"]
    + ["subroutine", "function", "program", "recursive", "pure", "elemental", "impure", "stop"]
    + ["real", "integer", "logical", "double", "complex", "character", "type", "dimension"]
)
_DECIDES = frozenset({"merge", "where", "if", "forall", "err", "eor", "end", "while", "concurrent"})
_SELECT = re.compile(r"(?:\w+:)?select(?:case|type|rank)\(")
_CLOSES = re.compile(r"end(?:select|where)")


def first_not_run(
    counts: Counts, file: SourceFile, at: Lines, idle: frozenset[int] = frozenset()
) -> Lines | None:
    """The first statement of a range with code that no run executed, or a way it never took.

    Lines that are `idle`, by reading, need no run.
    Branches are those of the compiler; the ones that stand for no decision of the program are left
    out where its statement shows that. Inside SELECT and WHERE nothing is left out.
    """
    executed = counts.lines.get(file.name, {})
    inside = frozenset(_construct_lines(file.statements))
    for line in sorted(n for n in executed if at.first <= n <= at.last and n not in idle):
        if not executed[line]:
            return Lines(file.name, line, line)
        if (file.name, line) not in counts.untaken:
            continue
        statement = statement_at(file.statements, line)
        if statement is None or line in inside or not _is_plain(statement):
            return Lines(file.name, line, line)
    return None


def _is_plain(statement: Statement) -> bool:
    """Whether a branch in its code is none of the program's own decisions."""
    words = statement.tokens[2:] if statement.tokens[1:2] == (":",) else statement.tokens
    if words[0].startswith("end") and "=" not in words:
        return True
    return not _DECIDES & {*words} and (words[0] in _PLAIN or "=" in words or "::" in words)


def _construct_lines(statements: tuple[Statement, ...]) -> Iterator[int]:
    """The lines of SELECT and WHERE constructs: the compiler puts their branches on any of them."""
    depth = 0
    for statement in statements:
        text = "".join(statement.tokens)
        if _CLOSES.match(text):
            yield statement.at.last
            depth = max(0, depth - 1)
        depth += bool(_SELECT.match(text)) or _opens_where(statement.tokens)
        if depth:
            yield from range(statement.at.first, statement.at.last + 1)


def _opens_where(words: tuple[str, ...]) -> bool:
    """A WHERE with its assignment in the same statement opens nothing."""
    if words[1:2] == (":",):
        words = words[2:]
    if words[:2] != ("where", "("):
        return False
    depth = 0
    for position, word in enumerate(words):
        depth += (word == "(") - (word == ")")
        if position and not depth:
            return position == len(words) - 1
    return False
