"""What is different about a rewritten statement: the class of a change, from its tokens alone."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from enum import StrEnum


class Rewritten(StrEnum):
    """The classes, the telling ones first; each is a question the evidence has to answer."""

    GUARD = "guard changed"
    GUARD_ADDED = "guard added"
    GUARD_DROPPED = "guard dropped"
    BOUNDS = "bounds changed"
    KIND = "kind changed"
    WRITE_SET = "write set changed"
    OPERATOR = "operator or sign changed"
    TERM_ADDED = "term added"
    TERM_DROPPED = "term dropped"
    CONSTANT = "constant changed"
    VARIABLE = "variable changed"
    INDEX = "index changed"
    DECLARATION = "declaration changed"
    OTHER = "statement changed"


# Changes of meaning; the others (another subscript of a private copy, a declaration) are what
# restructuring leaves behind.
TELLING = frozenset(Rewritten) - {Rewritten.INDEX, Rewritten.DECLARATION, Rewritten.OTHER}
# Of these, what no rule makes and what equal numbers in some runs do not excuse: dx for dy where
# both are alike, a guard that is always open in these runs.
CHANGED_MEANING = TELLING - {Rewritten.GUARD_ADDED, Rewritten.BOUNDS, Rewritten.WRITE_SET}
_OPERATORS = frozenset({"+", "-", "*", "/", "**", "//", "==", "/=", "<", "<=", ">", ">="}) | {
    f".{word}." for word in ("and", "or", "not", "eqv", "neqv", "eq", "ne", "lt", "le", "gt", "ge")
}
_GUARDS = frozenset({"if", "else", "elseif", "where", "elsewhere", "case", "select"})
_TYPES = frozenset({"real", "integer", "logical", "double", "complex", "character"}) | {
    "type",
    "class",
    "dimension",
}
_NUMBER = re.compile(r"(?P<value>(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(?P<kind>d[+-]?\d+|_\w+)?$")

Words = Sequence[str]


def classify(
    was: tuple[str, ...], now: tuple[str, ...], known: frozenset[str] = frozenset()
) -> Rewritten:
    """The class of the change from `was` to `now`, the tokens of two alike statements.

    `known` are the names of the original: another one of them in a variable's place is another
    variable, a new name may be a copy of it.
    """
    guard_was, rest_was = _guard(was)
    guard_now, rest_now = _guard(now)
    if guard_was and not guard_now and rest_was == now:
        return Rewritten.GUARD_DROPPED
    if guard_now and not guard_was and rest_now == was:
        return Rewritten.GUARD_ADDED
    if guard_was != guard_now:
        return Rewritten.GUARD
    if "do" in rest_was[:3]:
        return Rewritten.BOUNDS if "do" in rest_now[:3] else Rewritten.OTHER
    if rest_was[:1] and rest_was[0] in _TYPES and rest_was[1:2] != ("=",):
        return _declaration(rest_was, rest_now)
    found = _assignment(rest_was, rest_now)
    if found is Rewritten.OTHER and _is_other_variable(rest_was, rest_now, known):
        return Rewritten.VARIABLE
    return found


def _is_other_variable(was: Words, now: Words, known: frozenset[str]) -> bool:
    if not _sides(was)[0] and was[:1] != ("call",):
        return False
    old, new = _changed(was, now)
    return len(old) == len(new) and all(
        a.isidentifier() and b.isidentifier() and b in known for a, b in zip(old, new, strict=True)
    )


def _guard(words: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The condition of an IF, WHERE or CASE, and what follows it."""
    if not words or words[0] not in _GUARDS or "(" not in words:
        return (), words
    opening = words.index("(")
    closing = _closing(words, opening)
    if words[closing + 1 : closing + 2] == ("=",):  # an array called `if`
        return (), words
    return words[: closing + 1], words[closing + 1 :]


def _closing(words: Words, opening: int) -> int:
    depth = 0
    for position in range(opening, len(words)):
        depth += (words[position] == "(") - (words[position] == ")")
        if depth == 0:
            return position
    return len(words) - 1


def _declaration(was: Words, now: Words) -> Rewritten:
    if now[:1] and _type_part(was) != _type_part(now):
        return Rewritten.KIND
    old, new = _changed(was, now)
    if not any(word.isidentifier() and _depth(was, word) == 0 for word in old):
        in_parentheses = all(_depth(was, w) for w in old) and all(_depth(now, w) for w in new)
        if in_parentheses:
            return Rewritten.BOUNDS
    return Rewritten.DECLARATION


def _type_part(words: Words) -> tuple[str, ...]:
    """`real ( wp )`, `double precision`, `real * 8`: the type with its kind."""
    if words[1:2] == ("(",):
        return tuple(words[: _closing(words, 1) + 1])
    if words[1:2] == ("*",) or words[:1] == ("double",):
        return tuple(words[:3])
    return tuple(words[:1])


def _depth(words: Words, word: str) -> int:
    """The parenthesis depth of the first occurrence of `word`."""
    depth = 0
    for each in words:
        if each == word and each not in "()":
            return depth
        depth += (each == "(") - (each == ")")
    return depth


def _assignment(was: Words, now: Words) -> Rewritten:
    left_was, right_was = _sides(was)
    left_now, right_now = _sides(now)
    if left_was != left_now:
        same_variable = left_was[:1] == left_now[:1]
        return Rewritten.INDEX if same_variable else Rewritten.WRITE_SET
    return _right_side(right_was, right_now)


def _right_side(was: Words, now: Words) -> Rewritten:
    old, new = _changed(was, now)
    if _only_kind(old, new):
        return Rewritten.KIND
    if set(old) | set(new) <= _OPERATORS:
        return Rewritten.OPERATOR
    subscript = _inside_subscripts(was, now)
    if old and new and all(map(_NUMBER.match, (*old, *new))):
        return Rewritten.INDEX if subscript else Rewritten.CONSTANT
    if subscript and (old and new or _is_offset(old or new)):
        return Rewritten.INDEX
    if not new:
        return Rewritten.TERM_DROPPED
    return Rewritten.OTHER if old else Rewritten.TERM_ADDED


def _is_offset(words: Words) -> bool:
    """`+ 1`: what a shifted subscript gains or loses."""
    return len(words) <= 2 and words[0] in ("+", "-")


def _sides(words: Words) -> tuple[tuple[str, ...], tuple[str, ...]]:
    depth = 0
    for position, word in enumerate(words):
        depth += (word == "(") - (word == ")")
        if depth == 0 and word in ("=", "=>"):
            return tuple(words[:position]), tuple(words[position + 1 :])
    return (), tuple(words)


def _changed(was: Words, now: Words) -> tuple[list[str], list[str]]:
    """The tokens only in the one and only in the other, in order."""
    old: list[str] = []
    new: list[str] = []
    for tag, a0, a1, b0, b1 in SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
        if tag != "equal":
            old += was[a0:a1]
            new += now[b0:b1]
    return old, new


def _only_kind(old: Words, new: Words) -> bool:
    """Numbers of the same value and another kind: `1.0d0` became `1.0`."""
    if not old or len(old) != len(new):
        return False
    for a, b in zip(old, new, strict=True):
        first, second = _NUMBER.match(a), _NUMBER.match(b)
        if not first or not second or first["value"] != second["value"]:
            return False
    return True


def _inside_subscripts(was: Words, now: Words) -> bool:
    """Whether every changed token stands in parentheses behind a name."""
    for tag, a0, a1, b0, b1 in SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        side, start = (was, a0) if a1 > a0 else (now, b0)
        if not _subscript_at(side, start):
            return False
        if {"(", ")"} & {*was[a0:a1], *now[b0:b1]}:
            return False
    return True


def _subscript_at(words: Words, position: int) -> bool:
    opened: list[bool] = []
    for index in range(position):
        if words[index] == "(":
            opened.append(index > 0 and words[index - 1].isidentifier())
        elif words[index] == ")" and opened:
            opened.pop()
    return bool(opened) and opened[-1]
