"""A directive taken apart, changed, and written again as source lines."""

from acclimate.analysis.directives import split_arguments, words
from acclimate.analysis.ir import Directive

Word = tuple[str, str | None]  # a word of a directive, and the text in parentheses behind it

_WIDTH = {"free": 100, "fixed": 72}
_SENTINEL = {"free": "!$acc ", "fixed": "!$acc "}
_CONTINUED = {"free": "!$acc & ", "fixed": "!$acc&"}
_WITH_OPERATOR = ("reduction", "copyin", "copyout", "create", "default")


def pieces(directive: Directive) -> tuple[Word, ...]:
    """The words of a directive in order: those that name it, then its clauses."""
    return tuple(words(directive.text))


def variables(word: Word) -> tuple[str, ...]:
    """What stands in the parentheses, without the operator of a reduction."""
    name, text = word
    if text is None:
        return ()
    operator, colon, rest = text.partition(":")
    if colon and name in _WITH_OPERATOR and "(" not in operator and "," not in operator:
        text = rest
    return split_arguments(text)


def without_variable(word: Word, variable: str) -> Word | None:
    """The clause with one variable less; None: nothing is left of it."""
    name, text = word
    left = [each for each in variables(word) if each != variable]
    if not left or text is None:
        return None
    operator = text.partition(":")[0] + ":" if _has_operator(word) else ""
    return name, operator + ", ".join(left)


def rendered(found: tuple[Word, ...]) -> str:
    """The text behind the sentinel."""
    return " ".join(name if text is None else f"{name}({text})" for name, text in found)


def directive_lines(text: str, form: str, indent: int = 0) -> tuple[str, ...]:
    """The lines of a directive in the given form, continued at blanks and commas."""
    start = " " * (indent if form == "free" else 0)
    end = " &" if form == "free" else ""
    lines: list[str] = []
    line = start + _SENTINEL[form]
    for word in text.replace(",", ", ").split():
        if len(line) + len(word) + len(end) > _WIDTH[form]:
            lines.append(line.rstrip() + end)
            line = start + _CONTINUED[form]
        line += word + " "
    return (*lines, line.rstrip())


def _has_operator(word: Word) -> bool:
    name, text = word
    operator, colon, _ = (text or "").partition(":")
    return bool(colon) and name in _WITH_OPERATOR and "(" not in operator
