"""The screen without any colour (NO_COLOR): what is lit from behind is shown in reverse."""

from functools import lru_cache

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

_LIT = 0.5  # of the brightness of white; the cursors' background, and no other, is above it
_REVERSE = Style(reverse=True)


class Bare(LineFilter):
    """Takes colours away; bold, underlined and reverse text stay."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [
            Segment(text, None if style is None else _bare(style), control)
            for text, style, control in segments
        ]


@lru_cache(4096)
def _bare(style: Style) -> Style:
    behind = style.bgcolor
    lit = behind is not None and not behind.is_default
    if lit and behind is not None and Color.from_rich_color(behind).brightness > _LIT:
        return style.without_color + _REVERSE
    return style.without_color
