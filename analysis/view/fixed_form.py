"""Fixed source form: labels, continuation columns, tab form, D-lines, Hollerith, cut columns."""

import re

from acclimate.analysis.view.fixed_keywords import restore_blanks
from acclimate.analysis.view.joining import Joined
from acclimate.analysis.view.view import SourceLine, ViewStatement

_HOLLERITH = r"(?:(?<=[(,/=])|(?<=\d\*))[ ]*(\d{1,3})[hH]"
_MARK = re.compile(rf"""['"!]|{_HOLLERITH}""")
_STRING_OR_HOLLERITH = re.compile(rf"""'[^']*'|"[^"]*"|{_HOLLERITH}""")


def fixed_statements(
    lines: list[SourceLine], *, width: int | None = 72, d_lines_are_code: bool = False
) -> list[ViewStatement]:
    """The statements of fixed-form source lines, rewritten in free form.

    `width` is the last column that counts (None: no limit). Blanks inside keywords and names are
    taken out and put back where free form needs them; Hollerith constants become strings.
    """
    found: list[ViewStatement] = []
    joined: Joined | None = None
    label = ""
    quote = ""
    for number, line in enumerate(lines):
        columns = _columns(line.text, d_lines_are_code)
        if columns is None:
            continue
        field, mark, body = columns
        body = body if width is None else body[: width - 6]
        continues = mark not in (" ", "0") and not field.strip()
        if not continues:
            _finish(joined, label, lines, found)
            joined, label, quote = Joined(), field.replace(" ", ""), ""
            if label and not label.isdigit():  # no label: not fixed form, but nothing is dropped
                label, body = "", field + mark + body
        elif joined is None:
            joined = Joined()
        code, quote = _code(body, quote)
        if quote and width is not None:
            code = code.ljust(width - 6)
        joined.add(code, number)
    _finish(joined, label, lines, found)
    return found


def _finish(
    joined: Joined | None, label: str, lines: list[SourceLine], found: list[ViewStatement]
) -> None:
    if joined is None:
        return
    for part in joined.statements(lines):
        text = restore_blanks(_hollerith_to_string(part.text), part.label or label)
        if text:
            found.append(
                ViewStatement(text, part.label or label.lstrip("0") or None, part.at, part.order)
            )
        label = ""


def _columns(text: str, d_lines_are_code: bool) -> tuple[str, str, str] | None:
    """Label field, continuation mark and body of a line; None for comments and blank lines."""
    if not text or text[0] in "cC*!#" or not text.strip():
        return None
    if text[0] in "dD":
        if not d_lines_are_code:
            return None
        text = " " + text[1:]
    tab = text.find("\t", 0, 6)
    if tab >= 0:
        field, rest = text[:tab], text[tab + 1 :]
        if rest[:1].isdigit() and rest[:1] != "0":
            return field, rest[0], rest[1:]
        return (field, " ", rest) if rest.lstrip()[:1] != "!" else None
    stripped = text.lstrip()
    if stripped[0] == "!" and len(text) - len(stripped) != 5:
        return None
    padded = text.ljust(6)
    return padded[:5], padded[5], padded[6:]


def _code(text: str, quote: str) -> tuple[str, str]:
    """The code of a line without its comment, and the quote left open at its end."""
    position = 0
    while match := _MARK.search(text, position):
        mark, position = match[0], match.end()
        if quote:
            quote = "" if mark == quote else quote
        elif match[1] is not None:
            position += int(match[1])
        elif mark == "!":
            return text[: match.start()], ""
        else:
            quote = mark
    return text, quote


def _hollerith_to_string(text: str) -> str:
    """Write `4HABCD` as `'ABCD'` outside strings."""
    if "h" not in text and "H" not in text:
        return text
    parts: list[str] = []
    done = 0
    while match := _STRING_OR_HOLLERITH.search(text, done):
        length = match[1]
        if length is None:
            parts.append(text[done : match.end()])
            done = match.end()
            continue
        end = match.end() + int(length)
        content = text[match.end() : end].ljust(int(length)).replace("'", "''")
        parts += [text[done : match.start()], f"'{content}'"]
        done = end
    return "".join(parts) + text[done:]
