"""fparser, the strict second reader of whatever is rewritten. Its one door.

It reads the view of a file (see `view`), so both readers are given the same statements, and tells
"cannot be read" from "reads differently".
"""

import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from functools import cache
from pathlib import Path

from fparser.common.readfortran import FortranStringReader
from fparser.common.sourceinfo import FortranFormat
from fparser.two import Fortran2003
from fparser.two.parser import ParserFactory
from fparser.two.utils import FortranSyntaxError, StmtBase, walk

from acclimate.analysis.facts import ReadingProblem
from acclimate.analysis.source import Lines
from acclimate.analysis.tree.manifest import Manifest
from acclimate.analysis.view.normalising import view_of
from acclimate.analysis.view.view import View

_TYPE_BLANK = re.compile(r"\b(type|class)\s*\(\s*(\w+)\s*\)\s*(?=\w+\s*(?:\(|,|$))", re.IGNORECASE)
_STAR_LENGTH = re.compile(r"\bcharacter\s*\*\s*\(\s*\*\s*\)\s*(?=\w)", re.IGNORECASE)
_FORMAT = re.compile(r"format\s*\(", re.IGNORECASE)
_STRING = re.compile(r"""('(?:[^']|'')*'|"(?:[^"]|"")*")""")
_LINE = re.compile(r"at line (\d+)")


class Difference(StrEnum):
    """What differs between two readings, or which of them could not be read."""

    UNREADABLE_BEFORE = "unreadable-before"
    UNREADABLE_AFTER = "unreadable-after"
    USE = "use"
    CALL = "call"
    DEFINITION = "definition"
    STATEMENT = "statement"

    @property
    def is_unreadable(self) -> bool:
        return self in (Difference.UNREADABLE_BEFORE, Difference.UNREADABLE_AFTER)


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One statement that is in one text and not, or not so, in the other."""

    kind: Difference
    before: Lines | None
    after: Lines | None
    text_before: str = ""
    text_after: str = ""


@dataclass(frozen=True, slots=True)
class _Read:
    """A statement as fparser prints it, in lower case outside strings."""

    text: str
    kind: Difference
    at: Lines


def parses(view: View) -> ReadingProblem | None:
    """None when fparser reads the whole file; else where and why it does not."""
    read = _read(view)
    return read if isinstance(read, ReadingProblem) else None


def agrees(
    before: bytes,
    after: bytes,
    form: str,
    *,
    manifest: Manifest | None = None,
    file: str = "source",
) -> tuple[Disagreement, ...]:
    """What differs between two versions of a file, directives and comments left aside.

    USE, CALL, definitions of units and every other statement are compared in order, after cpp
    and INCLUDE where a manifest says how. An empty result means: both were read, and are the same.
    """
    manifest = manifest or _standalone(form, file)
    one, other = (view_of(manifest, file, data) for data in (before, after))
    first = _read(one)
    same = [(s.label, s.text) for s in one.statements] == [
        (s.label, s.text) for s in other.statements
    ]
    second = first if same else _read(other)
    failed: list[Disagreement] = []
    if isinstance(first, ReadingProblem):
        kind = Difference.UNREADABLE_BEFORE
        failed.append(Disagreement(kind, first.at, None, text_before=first.text))
    if isinstance(second, ReadingProblem):
        kind = Difference.UNREADABLE_AFTER
        failed.append(Disagreement(kind, None, second.at, text_after=second.text))
    if isinstance(first, ReadingProblem) or isinstance(second, ReadingProblem):
        return tuple(failed)
    return tuple(_compare(first, second))


def _standalone(form: str, file: str) -> Manifest:
    pattern = (file,)
    return Manifest(
        root=Path(),
        name=file,
        sources=pattern,
        fixed=pattern if form == "fixed" else (),
        free=pattern if form == "free" else (),
    )


def _compare(before: Sequence[_Read], after: Sequence[_Read]) -> Iterator[Disagreement]:
    one, other = [s.text for s in before], [s.text for s in after]
    if one == other:
        return
    for tag, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        for number in range(max(b - a, d - c)):
            gone = before[a + number] if a + number < b else None
            come = after[c + number] if c + number < d else None
            kinds = {s.kind for s in (gone, come) if s is not None}
            kind = min(kinds, key=list(Difference).index)
            yield Disagreement(
                kind,
                gone.at if gone else None,
                come.at if come else None,
                gone.text if gone else "",
                come.text if come else "",
            )


@cache
def _parser() -> type[Fortran2003.Program]:
    logging.getLogger("fparser").setLevel(logging.CRITICAL)
    parser: type[Fortran2003.Program] = ParserFactory().create(std="f2008")
    return parser


def _read(view: View) -> Sequence[_Read] | ReadingProblem:
    """The statements of a view as fparser sees them."""
    if not view.statements:
        return ()
    text = "".join(f"{_line(s.label, s.text)}\n" for s in view.statements)
    reader = FortranStringReader(text, ignore_comments=True)
    reader.set_format(FortranFormat(True, False))
    try:
        tree = _parser()(reader)
    except FortranSyntaxError as error:
        match = _LINE.search(str(error))
        row = min(int(match[1]), len(view.statements)) - 1 if match else 0
        statement = view.statements[row]
        return ReadingProblem(statement.at, "fparser cannot read this statement", statement.text)
    except RecursionError:
        at = view.statements[0].at
        return ReadingProblem(at, "fparser cannot read this file: nested too deeply")
    return [
        _Read(_canonical(str(node)), _kind(node), _place(view, node))
        for node in walk(tree, StmtBase)
        if getattr(node, "item", None) is not None
    ]


def _line(label: str | None, text: str) -> str:
    """A statement without what fparser is known not to read, meaning unchanged.

    The contents of FORMAT are kept as one string, so that a change in them is still seen.
    """
    if label and _FORMAT.match(text):
        content = text.replace("'", "''")
        return f"{label} format('{content}')"
    lowered = text.lower()
    if "type" in lowered or "class" in lowered:
        text = _TYPE_BLANK.sub(r"\1(\2) :: ", text) if "::" not in text else text
    if "character" in lowered:
        text = _STAR_LENGTH.sub("character*(*) ", text)
    return f"{label} {text}" if label else text


def _canonical(text: str) -> str:
    parts = _STRING.split(text)
    return "".join(p if n % 2 else " ".join(p.lower().split()) for n, p in enumerate(parts))


_DEFINITIONS = (
    Fortran2003.Program_Stmt,
    Fortran2003.Module_Stmt,
    Fortran2003.Subroutine_Stmt,
    Fortran2003.Function_Stmt,
    Fortran2003.Derived_Type_Stmt,
    Fortran2003.Interface_Stmt,
)


def _kind(node: object) -> Difference:
    if isinstance(node, Fortran2003.Use_Stmt):
        return Difference.USE
    if isinstance(node, Fortran2003.Call_Stmt):
        return Difference.CALL
    if isinstance(node, _DEFINITIONS):
        return Difference.DEFINITION
    return Difference.STATEMENT


def _place(view: View, node: StmtBase) -> Lines:
    row = int(node.item.span[0]) - 1
    return view.statements[min(max(row, 0), len(view.statements) - 1)].at
