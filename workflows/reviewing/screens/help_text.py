"""The list of keys in as few lines as there can be: by what they are for, side by side."""

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from acclimate.workflows.reviewing.screens.commands import Action

Legend: TypeAlias = Mapping[str, str]
"""What the signs and words on a screen mean, by what they are about."""
_LABEL = 9  # columns
_CELL = 22
_SPACE = 2


def help_lines(every: Sequence[Action], about: str, legend: Legend, width: int) -> list[str]:
    """Lines of at most `width` columns, with every action."""
    groups: dict[str, list[Action]] = {}
    for action in every:
        groups.setdefault(action.group, []).append(action)
    lines = textwrap.wrap(about, width)
    for group, members in groups.items():
        lines += _labelled(group, _flowing([_entry(action) for action in members], width - _LABEL))
    for about_what, text in legend.items():
        lines += _labelled(about_what, textwrap.wrap(text, width - _LABEL))
    return lines


def _entry(action: Action) -> str:
    return f"{' '.join(action.keys)} {action.text}"


def _labelled(label: str, lines: Iterable[str]) -> Iterator[str]:
    for number, line in enumerate(lines):
        yield f"{'' if number else label:<{_LABEL}}{line}".rstrip()


def _flowing(entries: Sequence[str], width: int) -> Iterator[str]:
    """Entries side by side in columns; a long one takes the room of several."""
    cells = max(1, width // _CELL)
    line, used = "", 0
    for entry in entries:
        needed = min(cells, -(-(len(entry) + _SPACE) // _CELL))
        if used + needed > cells:
            yield line
            line, used = "", 0
        line += entry.ljust(needed * _CELL)
        used += needed
    yield line
