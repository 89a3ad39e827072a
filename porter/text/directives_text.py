"""How a directive is laid out on lines: free form within 132 columns, fixed form within 72."""

import re
from collections.abc import Iterable, Sequence

COMFORTABLE = 100  # free form allows 132; lines this long still fit beside a diff
FREE_LIMIT = 132
FIXED_LIMIT = 72
_BREAK = re.compile(r"(?<=,) |(?<=\.or\.) |(?<=\.and\.) ")


def clause(name: str, args: Iterable[str], modifier: str = "") -> str:
    """`name(a, b)` or `name(op:a, b)`; the empty string without arguments."""
    listed = ", ".join(args)
    if not listed:
        return ""
    return f"{name}({modifier}:{listed})" if modifier else f"{name}({listed})"


def directive(words: Sequence[str], indent: int, form: str) -> tuple[str, ...]:
    """Lay out one OpenACC directive; clauses may break after a comma or a logical operator.

    Args:
        words: the directive's name and its clauses; empty words are left out.
        indent: blanks before the sentinel in free form; fixed form starts in column 1.
        form: "free" or "fixed".

    Raises:
        ValueError: one piece that may not be broken is longer than a line may be.
    """
    pieces = [piece for word in words if word for piece in _pieces(word)]
    return _fixed(pieces) if form == "fixed" else _free(pieces, " " * indent)


def _pieces(word: str) -> list[str]:
    """Parts between which a line may end: behind commas and logical operators."""
    return _BREAK.split(word)


def _free(pieces: list[str], margin: str) -> tuple[str, ...]:
    lines = _fill(pieces, f"{margin}!$acc ", f"{margin}!$acc   ", COMFORTABLE - len(" &"))
    laid_out = tuple(f"{line} &" for line in lines[:-1]) + (lines[-1],)
    return _checked(laid_out, FREE_LIMIT)


def _fixed(pieces: list[str]) -> tuple[str, ...]:
    return _checked(tuple(_fill(pieces, "!$acc ", "!$acc& ", FIXED_LIMIT)), FIXED_LIMIT)


def _fill(pieces: list[str], first: str, following: str, width: int) -> list[str]:
    lines = [first + pieces[0]]
    for piece in pieces[1:]:
        if len(lines[-1]) + 1 + len(piece) <= width:
            lines[-1] += f" {piece}"
        else:
            lines.append(following + piece)
    return lines


def _checked(lines: tuple[str, ...], limit: int) -> tuple[str, ...]:
    for line in lines:
        if len(line) > limit:
            raise ValueError(f"directive line of {len(line)} columns: {line.strip()}")
    return lines
