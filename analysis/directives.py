"""Directives in comments: `!$acc`, `!$omp`, `!$acclimate`, vendor hints; free and fixed sentinels.

Works on original text, so that a port can be read as well as the model it came from.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from acclimate.analysis.ir import Directive
from acclimate.analysis.source import Lines
from acclimate.analysis.view.includes import split_lines
from acclimate.analysis.view.view import SourceLine

_FREE = re.compile(r"\s*!\$([a-z]\w*)(.*)$", re.IGNORECASE)
_FIXED = re.compile(r"[!c*]\$(acclimate|omp|acc|[a-z]\w*)(.*)$", re.IGNORECASE)
_VENDOR = re.compile(r"\s*[!c*](dir|dec|pgi|nec|ocl|ibm)[$* ](.*)$", re.IGNORECASE)
_MIGHT_BE = re.compile(r"[!cC*](?:\$[A-Za-z]|(?:dir|dec|pgi|nec)\$|ocl |ibm\*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Clause:
    """`name(args)`; without parentheses `args` is empty. Blanks are taken out of arguments."""

    name: str
    args: tuple[str, ...] = ()
    modifier: str = ""  # the operator of reduction, readonly of copyin, always of map, ...


@dataclass(frozen=True, slots=True)
class Construct:
    """A directive taken apart: `parallel loop`, `end data`, `enter data`, ... and its clauses."""

    name: str
    clauses: tuple[Clause, ...]

    def arguments(self, *names: str) -> tuple[str, ...]:
        """The arguments of all clauses with one of these names."""
        return tuple(arg for c in self.clauses if c.name in names for arg in c.args)


def scan(data: bytes, form: str, file: str = "") -> list[Directive]:
    """All directives of one original file, continuation lines joined."""
    return [directive for _, directive in scan_lines(split_lines(data, file), form)]


def scan_lines(lines: Iterable[SourceLine], form: str) -> list[tuple[int, Directive]]:
    """Directives with the number of the source line they begin on."""
    found: list[tuple[int, Directive]] = []
    open_text: list[str] = []
    start: SourceLine | None = None
    last, order, sentinel, continued = 0, 0, "", False

    def finish() -> None:
        if start is not None:
            at = Lines(start.file, start.line, max(last, start.line))
            found.append((order, Directive(at, sentinel, _tidy(" ".join(open_text)))))

    for number, line in enumerate(lines):
        piece = _piece(line.text, form) if _MIGHT_BE.search(line.text) else None
        if piece is None:
            if continued and not line.text.strip():
                continue
            finish()
            start, continued = None, False
            continue
        name, text, begins = piece
        if start is not None and name == sentinel and (continued or not begins):
            open_text.append(text.lstrip().removeprefix("&").removesuffix("&"))
        else:
            finish()
            start, order, sentinel = line, number, name
            open_text = [text.removesuffix("&")]
        last = line.line
        continued = text.endswith("&")
    finish()
    return found


def parse(directive: Directive) -> Construct:
    """Take a directive apart; words up to the first clause make its name."""
    return _construct(directive.sentinel, directive.text)


@lru_cache(maxsize=1 << 15)  # every stage asks again, and one text stands in many places
def _construct(sentinel: str, text: str) -> Construct:
    vocabulary = _ACC_WORDS if sentinel == "acc" else _OMP_WORDS
    name: list[str] = []
    clauses: list[Clause] = []
    for word, args in words(text):
        if not clauses and word in vocabulary:
            name.append(word)
            if args is not None:
                clauses.append(_clause(word, args))
        else:
            clauses.append(_clause(word, args))
    return Construct(" ".join(name), tuple(clauses))


def threadprivate(directives: Iterable[Directive]) -> frozenset[str]:
    """Names that OpenMP directives declare to be private to each thread."""
    return frozenset(
        name.strip("/")
        for directive in directives
        if directive.sentinel == "omp" and directive.text.startswith("threadprivate")
        for name in parse(directive).arguments("threadprivate")
    )


def _clause(name: str, text: str | None) -> Clause:
    if text is None:
        return Clause(name)
    text = text.replace(" ", "")
    modifier, colon, rest = text.partition(":")
    if colon and "(" not in modifier and "," not in modifier and name in _WITH_MODIFIER:
        return Clause(name, split_arguments(rest), modifier)
    return Clause(name, split_arguments(text))


def split_arguments(text: str) -> tuple[str, ...]:
    """Split at commas outside parentheses."""
    parts: list[str] = []
    depth = start = 0
    for position, letter in enumerate(text):
        if letter in "([":
            depth += 1
        elif letter in ")]":
            depth -= 1
        elif letter == "," and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    parts.append(text[start:])
    return tuple(part.strip() for part in parts if part.strip())


def words(text: str) -> Iterable[tuple[str, str | None]]:
    """Words of a directive with the text in the parentheses behind each, None without any."""
    position = 0
    while match := re.compile(r"[\s,]*([a-z]\w*)\s*").match(text, position):
        position = match.end()
        if text[position : position + 1] != "(":
            yield match[1], None
            continue
        depth, end = 0, position
        while end < len(text):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
            if depth == 0:
                break
        yield match[1], text[position + 1 : end - 1]
        position = end


def _piece(text: str, form: str) -> tuple[str, str, bool] | None:
    """Sentinel, text, and whether the line begins a directive rather than continuing one."""
    vendor = _VENDOR.match(text)
    if vendor:
        return vendor[1].lower(), vendor[2].strip(), True
    match = (_FIXED if form == "fixed" and text[:1] in "!cC*" else _FREE).match(text)
    if match is None:
        return None
    sentinel, rest, begins = match[1].lower(), match[2], True
    if form == "fixed" and sentinel in ("omp", "acc") and text[:1] in "!cC*":
        begins = rest[:1] in ("", " ", "0")
        rest = rest[1:]
    return sentinel, rest.split("!")[0].strip(), begins


def _tidy(text: str) -> str:
    return " ".join(text.lower().split())


_WITH_MODIFIER = frozenset(
    [
        "reduction",
        "copyin",
        "copyout",
        "copy",
        "create",
        "map",
        "linear",
        "schedule",
        "default",
        "depend",
        "dist_schedule",
    ]
)
_ACC_WORDS = frozenset(
    [
        "parallel",
        "serial",
        "kernels",
        "loop",
        "data",
        "enter",
        "exit",
        "host_data",
        "declare",
        "init",
        "shutdown",
        "set",
        "update",
        "wait",
        "cache",
        "routine",
        "atomic",
        "end",
    ]
)
_OMP_WORDS = frozenset(
    [
        "parallel",
        "do",
        "for",
        "simd",
        "sections",
        "section",
        "single",
        "workshare",
        "task",
        "taskloop",
        "taskwait",
        "taskyield",
        "taskgroup",
        "critical",
        "barrier",
        "atomic",
        "flush",
        "ordered",
        "cancel",
        "threadprivate",
        "declare",
        "target",
        "data",
        "enter",
        "exit",
        "update",
        "teams",
        "distribute",
        "loop",
        "master",
        "masked",
        "scan",
        "end",
        "reduction_",
    ]
)
