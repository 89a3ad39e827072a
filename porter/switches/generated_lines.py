"""Kernels in lines that rules have written: put under a switch where they stand."""

import re
from collections.abc import Callable, Sequence

from acclimate.analysis.directives import words
from acclimate.porter.names.scope import COMPUTE
from acclimate.porter.text.directives_text import directive

Around = Callable[[int], tuple[Sequence[str], Sequence[str]]]
"""The lines before and behind a kernel at a margin."""

_DIRECTIVE = re.compile(r"\s*!\$acc (?P<text>.*)")
_CONTINUED = re.compile(r"\s*!\$acc[& ] *(?P<text>.*)")
_DO = re.compile(r"\s*do \w+ = ")
_END_DO = re.compile(r"\s*end do\b")


def compute(words: Sequence[str]) -> bool:
    """The words of a directive begin a compute construct."""
    return words[0].split()[0] in COMPUTE


def conditional(words: Sequence[str], condition: str) -> tuple[str, ...]:
    """The words of a directive with `condition` in its IF clause, ahead of what stands there."""
    own = [word for word in words if word.startswith("if(")]
    both = [condition, *(f"({word[len('if(') : -1]})" for word in own)]
    return (*(word for word in words if word not in own), f"if({' .and. '.join(both)})")


def switched_lines(
    lines: Sequence[str], form: str, condition: str, around: Around
) -> tuple[str, ...]:
    """Every compute construct in the lines under the condition, with what stands around it.

    Raises:
        ValueError: a directive is longer than a line, or no loop follows it.
    """
    found: list[str] = []
    number = 0
    while number < len(lines):
        match = _DIRECTIVE.match(lines[number])
        if match is None:
            found.append(lines[number])
            number += 1
            continue
        behind, text = _whole(lines, number, form)
        listed = [word if args is None else f"{word}({args})" for word, args in words(text)]
        if not compute(listed):
            found += lines[number:behind]
            number = behind
            continue
        margin = len(lines[number]) - len(lines[number].lstrip())
        end = _end_of_loop(lines, behind)
        before, after = around(margin)
        found += [*before, *directive(conditional(listed, condition), margin, form)]
        found += [*lines[behind:end], *after]
        number = end
    return tuple(found)


def _whole(lines: Sequence[str], number: int, form: str) -> tuple[int, str]:
    """The line behind a directive, and its text."""
    pieces = [lines[number].split("!$acc ", 1)[1]]
    number += 1
    while number < len(lines):
        going_on = lines[number].startswith("!$acc&") if form == "fixed" else pieces[-1][-1:] == "&"
        match = _CONTINUED.match(lines[number]) if going_on else None
        if match is None:
            break
        pieces.append(match["text"])
        number += 1
    return number, " ".join(piece.rstrip("& ") for piece in pieces)


def _end_of_loop(lines: Sequence[str], start: int) -> int:
    """The line behind the loop that begins on line `start`."""
    depth = 0
    for number in range(start, len(lines)):
        depth += bool(_DO.match(lines[number])) - bool(_END_DO.match(lines[number]))
        if depth == 0:
            if number > start:
                return number + 1
            break
    raise ValueError("no loop follows a directive")
