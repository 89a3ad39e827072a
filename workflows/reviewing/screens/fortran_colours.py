"""Colours for a line of Fortran, either form."""

from functools import lru_cache

from pygments.lexers.fortran import FortranFixedLexer, FortranLexer
from pygments.token import Comment, Keyword, Literal, Name, Number, Operator
from rich.segment import Segment
from rich.style import Style

from acclimate.workflows.reviewing.screens.palette import GREY, PURPLE, YELLOW

_KEPT = 20_000  # lines
_FREE, _FIXED = FortranLexer(stripnl=False), FortranFixedLexer(stripnl=False)
_DIRECTIVE = Style(color=YELLOW)
_STYLES = (
    (Comment, Style(color=GREY, italic=True)),
    (Keyword, Style(bold=True)),
    (Name.Builtin, Style(bold=True)),
    (Number, Style(color=PURPLE)),
    (Literal, Style(color=PURPLE)),
    (Operator.Word, Style(bold=True)),
)


@lru_cache(_KEPT)
def coloured(text: str, fixed: bool) -> tuple[Segment, ...]:
    """The line in pieces; directives, comments to a lexer, stand out from comments."""
    if _is_directive(text):
        return (Segment(text, _DIRECTIVE),)
    lexer = _FIXED if fixed else _FREE
    pieces = (Segment(value.rstrip("\n"), _style(token)) for token, value in lexer.get_tokens(text))
    found = tuple(piece for piece in pieces if piece.text)
    return found if "".join(piece.text for piece in found) == text else (Segment(text),)


def is_fixed_form(file: str) -> bool:
    """Whether a file is in fixed form, as far as its name tells; colours only."""
    return file.lower().endswith((".f", ".for", ".ftn", ".f77", ".fpp"))


def _is_directive(text: str) -> bool:
    start = text.lstrip()[:2].lower()
    return start == "!$" or text[:2].lower() in ("c$", "*$")


def _style(token: object) -> Style | None:
    return next((style for kind, style in _STYLES if token in kind), None) if token else None
