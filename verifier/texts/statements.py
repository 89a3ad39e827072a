"""The statements of an original file as written: no preprocessor, no INCLUDE, tokens for comparing.

The analysis reads what the compiler sees; the verifier also has to compare what stands there.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass, replace

from acclimate.analysis.source import Lines
from acclimate.analysis.view.fixed_form import fixed_statements
from acclimate.analysis.view.free_form import free_statements
from acclimate.analysis.view.includes import split_lines
from acclimate.analysis.view.view import SourceLine

_TOKEN = re.compile(
    r"""
    '(?:[^']|'')*' | "(?:[^"]|"")*"                               # character literals
    | \.[a-z]+\.                                                  # .and. .eq. .true.
    | (?:\d+(?:\.(?![a-z]{2,}\.)\d*)?|\.\d+)(?:[ed][+-]?\d+)?(?:_\w+)?
    | [a-z_]\w*
    | \*\*|//|==|/=|<=|>=|=>|::
    | [^\s]
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SENTINEL = re.compile(r"\s*[!cC*](\$\w*)(.*)")
_FREE_WIDTH = 100
_FIXED_WIDTH = 66  # columns 7 to 72
_STRIPPED = ("$acc", "$acclimate")  # directives a port may add without changing the program


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement as written, and its tokens (lower case outside quotes).

    Preprocessor lines and directives other than OpenACC's are statements too: they change what is
    compiled. `unit` is the program unit or procedure the statement stands in, "" outside any.
    """

    at: Lines
    label: str | None
    text: str
    tokens: tuple[str, ...]
    unit: str = ""


def read_statements(
    data: bytes, file: str, form: str, width: int | None = 72
) -> tuple[Statement, ...]:
    """All statements in order; `form` is "free" or "fixed", `width` that of fixed-form lines."""
    lines = split_lines(data, file)
    view = (
        free_statements(lines) if form == "free" else fixed_statements(_blanked(lines), width=width)
    )
    found = [Statement(s.at, s.label, s.text, tokens(s.text)) for s in view]
    found += _other_lines(lines, form)
    found.sort(key=lambda s: (s.at.first, s.at.last))
    return tuple(_with_units(found))


def source_lines(text: str, form: str, label: str | None = None) -> tuple[str, ...]:
    """One statement as source lines of the given form, continued where it is long."""
    if form == "fixed":
        pieces = [text[i : i + _FIXED_WIDTH] for i in range(0, len(text), _FIXED_WIDTH)]
        return (f"{label or '':<5} {pieces[0]}", *(f"     &{piece}" for piece in pieces[1:]))
    body = f"{label} {text}" if label else text
    pieces = [body[i : i + _FREE_WIDTH] for i in range(0, len(body), _FREE_WIDTH)]
    last = len(pieces) - 1
    return tuple(
        ("&" if n else "") + piece + ("&" if n < last else "") for n, piece in enumerate(pieces)
    )


def tokens(text: str) -> tuple[str, ...]:
    """The tokens of one statement, lower case except character literals."""
    return tuple(piece if piece[0] in "'\"" else piece.lower() for piece in _TOKEN.findall(text))


def token_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Where the tokens of one statement stand in its text: begin and end of each."""
    return tuple(match.span() for match in _TOKEN.finditer(text))


def statement_at(statements: tuple[Statement, ...], line: int) -> Statement | None:
    """The first statement that covers `line`."""
    index = bisect_right([s.at.first for s in statements], line)
    for statement in statements[max(0, index - 1) :: -1]:
        if statement.at.first <= line <= statement.at.last:
            return statement
        if statement.at.last < line:
            return None
    return None


def _blanked(lines: list[SourceLine]) -> list[SourceLine]:
    """Fixed-form lines with preprocessor lines emptied (the analysis never sees them there)."""
    return [line._replace(text="") if line.text.startswith("#") else line for line in lines]


def _other_lines(lines: list[SourceLine], form: str) -> list[Statement]:
    found = []
    for line in lines:
        if line.text.startswith("#"):
            parts = tuple(line.text.split())
        else:
            match = _SENTINEL.match(line.text)
            if match is None or match[1].lower() in _STRIPPED:
                continue
            if form == "fixed" and line.text[:1] not in "!cC*":
                continue
            if form == "free" and not line.text.lstrip().startswith("!"):
                continue
            parts = ("!" + match[1].lower(), *tokens(match[2]))
        at = Lines(line.file, line.line, line.line)
        found.append(Statement(at, None, line.text.strip(), parts))
    return found


_ENDS = re.compile(r"end(subroutine|function|program|module|submodule)?$")
_NOT_A_UNIT = {"procedure", "subroutine", "function"}
_TYPES = ("real", "integer", "logical", "complex", "character", "type", "class")
_UNIT_WORDS = {"program", "module", "submodule", "subroutine", "function", "procedure"}


def _with_units(statements: list[Statement]) -> list[Statement]:
    """Name the unit of each statement by following the nesting of unit and END statements."""
    stack: list[str] = []
    named = []
    for statement in statements:
        opened = opens_unit(statement.tokens)
        if opened:
            stack.append(opened)
        named.append(replace(statement, unit="::".join(stack)))
        if not opened and stack and _ends_unit(statement.tokens):
            stack.pop()
    return named


def opens_unit(words: tuple[str, ...]) -> str | None:
    """The name of the program unit or procedure this statement begins, else None."""
    if len(words) < 2 or words[0] in ("end", "!$omp"):
        return None
    if words[0] in ("program", "module", "submodule") and words[1] not in _NOT_A_UNIT:
        if words[0] == "submodule":
            return None if "=" in words else words[-1]
        return words[1] if len(words) == 2 else None
    depth = 0
    for before, word, after in zip(("", *words), words, words[1:], strict=False):
        if not depth and word in ("subroutine", "function") and after.isidentifier():
            return after
        if not depth and (word == "=" or (word == "(" and before not in _TYPES)):
            return None
        depth += (word == "(") - (word == ")")
    return None


def _ends_unit(words: tuple[str, ...]) -> bool:
    if words[:1] != ("end",):
        return bool(words) and len(words) <= 2 and _ENDS.match(words[0]) is not None
    return len(words) == 1 or words[1] in _UNIT_WORDS
