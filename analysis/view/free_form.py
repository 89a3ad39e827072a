"""Free source form: join continued lines, drop comments."""

import re

from acclimate.analysis.view.joining import Joined, statement
from acclimate.analysis.view.view import SourceLine, ViewStatement

_SPECIAL = re.compile(r"""[&!;'"]""")
_MARK = re.compile(r"""['"!&]""")
_BLANK_REST = re.compile(r"\s*$")
_NO_CODE_LEFT = re.compile(r"\s*(?:!|$)")


def free_statements(lines: list[SourceLine]) -> list[ViewStatement]:
    """The statements of free-form source lines.

    `&` in strings, comments and blank lines between continuation lines, tokens split by `&`, and
    `;` are understood. A string that is not closed ends with its line.
    """
    found: list[ViewStatement] = []
    number = 0
    while number < len(lines):
        text = lines[number].text.strip()
        if not text or text[0] in "!#":
            number += 1
        elif _SPECIAL.search(text) is None:
            found.append(statement(text, lines, number, number))
            number += 1
        else:
            joined = Joined()
            number = _join(lines, number, joined)
            found.extend(joined.statements(lines))
    return found


def _join(lines: list[SourceLine], number: int, joined: Joined) -> int:
    """Collect one statement from line `number` on; the number of the line after it."""
    quote, continued = "", False
    while number < len(lines):
        text = lines[number].text
        if continued:
            stripped = text.lstrip()
            if not stripped or stripped[0] in "!#":
                number += 1
                continue
            if stripped[0] == "&":
                text = stripped[1:]
            elif not quote:
                text = " " + stripped
        body, quote, continued = _code(text, quote)
        joined.add(body, number)
        number += 1
        if not continued:
            break
    return number


def _code(text: str, quote: str) -> tuple[str, str, bool]:
    """The code of a line, the quote left open at its end, and whether it is continued."""
    for match in _MARK.finditer(text):
        mark = match[0]
        if quote:
            if mark == quote:
                quote = ""
            elif mark == "&" and _BLANK_REST.match(text, match.end()):
                return text[: match.start()], quote, True
        elif mark in "'\"":
            quote = mark
        elif mark == "!":
            return text[: match.start()], "", False
        elif _NO_CODE_LEFT.match(text, match.end()):
            return text[: match.start()], "", True
    return text, "", False
