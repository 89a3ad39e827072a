"""Names replaced in the text of source lines, where the rest of the lines has to stay."""

import re
from collections.abc import Callable

from acclimate.porter.text.directives_text import FIXED_LIMIT, FREE_LIMIT

Spelling = Callable[[bool], str]
"""The text that takes the place of a name; the argument says whether subscripts follow. With
subscripts the text ends inside their parenthesis: `new(i, `."""


def renamed(line: str, form: str, name: str, spell: Spelling) -> str:
    """A source line with every reference to the variable `name` replaced.

    Raises:
        ValueError: the references of the line cannot be told apart safely, or it gets too long.
    """
    fixed = form == "fixed"
    if fixed and line[:1].lower() in ("c", "*", "!", "d"):
        return line
    code, comment = _split(line)
    word = re.compile(rf"(?<![%\w]){re.escape(name)}(?!\w)", re.IGNORECASE)
    if not word.search(code):
        return line
    if "'" in code or '"' in code:
        raise ValueError(f"'{name}' stands beside quoted text")
    if spell(True) != spell(False) and re.search(word.pattern + r"\s*(&|$)", code, re.IGNORECASE):
        raise ValueError(f"a line ends behind '{name}'")
    if re.search(r"[(,]\s*" + word.pattern + r"\s*=(?!=)", code, re.IGNORECASE):
        raise ValueError(f"'{name}' is a keyword")
    code = re.sub(word.pattern + r"\s*\(", lambda _: spell(True), code, flags=re.IGNORECASE)
    code = word.sub(lambda _: spell(False), code)
    if len(code) > (FIXED_LIMIT if fixed else FREE_LIMIT):
        raise ValueError("a line would get too long")
    return code + comment


def _split(line: str) -> tuple[str, str]:
    """Code and comment; a line with quotes is all code."""
    if "'" in line or '"' in line or "!" not in line:
        return line, ""
    start = line.index("!")
    return line[:start], line[start:]
