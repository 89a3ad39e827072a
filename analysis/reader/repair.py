"""Parsing a unit so that no statement outside the grammar spoils its neighbours.

Statements the grammar does not know, and those it cannot parse, are blanked before the final parse
and handed over separately.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from tree_sitter import Node

from acclimate.analysis.facts import ReadingProblem
from acclimate.analysis.ir import Continue, Statement
from acclimate.analysis.reader.declarations import BLANK_COMMON, initialised_names
from acclimate.analysis.reader.parsing import Parsing, error_rows
from acclimate.analysis.reader.position import opaque
from acclimate.analysis.reader.scanning import UNNAMED_PROGRAM, UnitSpan
from acclimate.analysis.reader.statements import ALTERNATE_RETURN
from acclimate.analysis.view.view import ViewStatement

_ROUNDS = 6
_DATA = re.compile(r"data\b(?!\s*(?:\([^=]*\))?\s*=(?!.*/$)).*/$", re.IGNORECASE | re.DOTALL)
_FORMAT = re.compile(r"format\s*\(", re.IGNORECASE)
_COMMON = re.compile(r"common\s*(?=[a-z])|(?<=common)\s*/\s*/", re.IGNORECASE)
_STAR_ACTUAL = re.compile(r"(?<=[(,])\s*\*\s*(\d+)(?=\s*[,)])")
_STAR_DUMMY = re.compile(r"(?<=[(,])\s*\*(?=\s*[,)])")
_ASSIGN = re.compile(r"\bassign\s+0*(\d+)\s+to\b", re.IGNORECASE)
_ASSIGNED_GOTO = re.compile(r"(\bgo\s*to\s+[a-z]\w*)$", re.IGNORECASE)
_COMPUTED = re.compile(r"(go\s*to\s*\([\d\s,]+\))\s*(?=[a-z(])", re.IGNORECASE)
_STRUCTURAL = re.compile(
    r"(?:\w+\s*:\s*)?(?:do\b|if\s*\(.*\bthen\s*\w*$|else|end\b|end\s*(?:do|if|where|select|forall"
    r"|associate|block|interface|type|subroutine|function|module|program|procedure)"
    r"|select\b|case\b|where\s*\([^=]*\)$|forall\s*\([^)]*\)$|associate\b|block\b|interface\b"
    r"|abstract\b|contains\b|type\s*(?:,|::|[a-z])|critical\b)",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(slots=True)
class ParsedUnit:
    """The tree of one program unit; row r of the text is row `base + r` of the view.

    `root` is None where not even the frame of the unit could be parsed.
    """

    root: Node | None
    text: str
    base: int
    first: int  # view row of the unit's first statement
    kept_out: dict[int, Statement] = field(default_factory=dict)
    data: dict[int, list[str]] = field(default_factory=dict)  # view row -> names given values
    bodies_lost: set[int] = field(default_factory=set)  # first rows of units left unread
    problems: list[ReadingProblem] = field(default_factory=list)


def parse_unit(statements: Sequence[ViewStatement], span: UnitSpan, parsing: Parsing) -> ParsedUnit:
    """Parse one outermost program unit; what is left in the tree is free of errors."""
    try:
        return _parsed_unit(statements, span, parsing)
    except TimeoutError:
        parsed = ParsedUnit(root=None, text="", base=span.first, first=span.first)
        why = "was not understood before the time for one file was up"
        _report_lost(statements, span, parsed, why)
        return parsed


def _parsed_unit(
    statements: Sequence[ViewStatement], span: UnitSpan, parsing: Parsing
) -> ParsedUnit:
    header = [] if span.has_header else [f"program {span.name}"]
    base = span.first - len(header)
    rows = header + [s.text for s in statements[span.first : span.last + 1]]
    parsed = ParsedUnit(root=None, text="", base=base, first=span.first)
    for number in range(len(header), len(rows)):
        rows[number] = _adapt(rows[number], statements[number + base], number + base, parsed)
    for number in [n for n, text in enumerate(rows) if _ASSIGNED_GOTO.search(text)]:
        rows[number] = _with_labels(rows[number], rows)
    for unit in span.all():
        if not unit.closed:
            rows.append(unit.end_statement)
        elif rows[unit.last - base].lower() == "end":
            rows[unit.last - base] = unit.end_statement
    for _ in range(_ROUNDS):
        root = _parse(rows, parsed, parsing)
        if _is_one_unit(root):
            parsed.root = root
            return parsed
        if not _blank_unreadable(root, rows, statements, span, parsed, parsing):
            break
    _give_up(rows, statements, span, parsed, parsing)
    root = _parse(rows, parsed, parsing)
    if _is_one_unit(root):
        parsed.root = root
    else:
        _report_lost(statements, span, parsed)
    return parsed


def _parse(rows: list[str], parsed: ParsedUnit, parsing: Parsing) -> Node:
    parsed.text = "\n".join(rows) + "\n"
    return parsing.parse(parsed.text).root_node


def _is_one_unit(root: Node) -> bool:
    """No errors, and one unit whose header is the first statement of the text."""
    units = root.named_children
    if root.has_error or len(units) != 1 or not units[0].named_children:
        return False
    header = units[0].named_children[0]
    return header.start_point[0] == 0 and not header.type.startswith("end")


def _adapt(text: str, statement: ViewStatement, row: int, parsed: ParsedUnit) -> str:
    """Write what the grammar does not know in words it knows, or keep it out of the text."""
    initial = text[0]
    if initial in "dD" and _DATA.match(text):
        parsed.data[row] = initialised_names(text)
        return ""
    if initial in "fF" and statement.label and _FORMAT.match(text):
        parsed.kept_out[row] = Continue(at=statement.at, label=statement.label)
        return ""
    if initial in "cC" and text[:6].lower() == "common":
        return _COMMON.sub(
            lambda m: f"common /{BLANK_COMMON}/ " if m.start() == 0 else f" /{BLANK_COMMON}/ ", text
        )
    if "*" in text and initial in "cCiI" and "call" in text.lower():
        return _STAR_ACTUAL.sub(rf"{ALTERNATE_RETURN}=\1", text)
    if "*" in text and "subroutine" in text.lower():
        return _STAR_DUMMY.sub(ALTERNATE_RETURN, text)
    if initial in "gGiI":
        return _COMPUTED.sub(r"\1, ", text)
    return text


def _with_labels(text: str, rows: list[str]) -> str:
    """An assigned GOTO with a list: the labels that ASSIGN statements of the unit give."""
    labels = dict.fromkeys(match[1] for row in rows for match in _ASSIGN.finditer(row))
    return f"{text}, ({', '.join(labels)})" if labels else text


def _blank_unreadable(
    root: Node,
    rows: list[str],
    statements: Sequence[ViewStatement],
    span: UnitSpan,
    parsed: ParsedUnit,
    parsing: Parsing,
) -> bool:
    """Blank statements near an error that do not parse on their own; False: none was found."""
    errors = error_rows(root)
    frame = {row - parsed.base for unit in span.all() for row in (unit.first, unit.last)}

    def blankable(numbers: set[int]) -> list[int]:
        candidates = [n for n in sorted(numbers - frame) if 0 <= n < len(rows) and rows[n]]
        return [n for n in candidates if not _is_structural(rows[n])]

    near = {number + d for number in errors for d in (-1, 0, 1)}
    bad = [n for n in blankable(near) if _is_bad(rows[n], parsing)]
    if not bad and len(errors) == 1:
        bad = blankable(errors)
    for number in bad:
        row = number + parsed.base
        rows[number] = ""
        if span.first <= row <= span.last:
            _keep_out(statements[row], row, "syntax not understood", parsed)
    return bool(bad)


def _keep_out(statement: ViewStatement, row: int, reason: str, parsed: ParsedUnit) -> None:
    parsed.kept_out[row] = opaque(statement, reason)
    parsed.problems.append(ReadingProblem(statement.at, reason, statement.text[:200]))


def _is_structural(text: str) -> bool:
    return _STRUCTURAL.match(text) is not None


def _is_bad(text: str, parsing: Parsing) -> bool:
    return parsing.parse(f"subroutine s\n{text}\nend subroutine\n").root_node.has_error


def _give_up(
    rows: list[str],
    statements: Sequence[ViewStatement],
    span: UnitSpan,
    parsed: ParsedUnit,
    parsing: Parsing,
) -> None:
    """Empty the bodies of the units that hold errors, each tried on its own."""
    units = list(span.all())
    for unit in [u for u in units if not _stands_alone(rows, u, parsed.base, parsing)] or [span]:
        _report_lost(statements, unit, parsed)
        for row in _own_rows(unit):
            is_frame = unit.first == row and unit.has_header or unit.last == row and unit.closed
            if not is_frame and rows[row - parsed.base].lower() != "contains":
                rows[row - parsed.base] = ""
                parsed.kept_out.pop(row, None)


def _own_rows(unit: UnitSpan) -> list[int]:
    """View rows of a unit without those of the units in it."""
    inside = {row for child in unit.children for row in range(child.first, child.last + 1)}
    return [row for row in range(unit.first, unit.last + 1) if row not in inside]


def _stands_alone(rows: list[str], unit: UnitSpan, base: int, parsing: Parsing) -> bool:
    own = [rows[row - base] for row in _own_rows(unit)]
    text = [row for row in own if row.lower() != "contains"]
    if not unit.has_header:
        text.insert(0, f"program {unit.name}")
    if not unit.closed:
        text.append(unit.end_statement)
    if unit.is_separate:
        text = ["submodule (a) b", "contains", *text, "end submodule"]
    return _is_one_unit(parsing.parse("\n".join(text) + "\n").root_node)


def _report_lost(
    statements: Sequence[ViewStatement],
    unit: UnitSpan,
    parsed: ParsedUnit,
    why: str = "was not understood",
) -> None:
    parsed.bodies_lost.add(unit.first)
    at = statements[unit.first].at
    what = f"{unit.kind.value} '{unit.name}'"
    if unit.name == UNNAMED_PROGRAM:
        what = "a program without PROGRAM statement"
    reason = f"the structure of {what} {why}"
    parsed.problems.append(ReadingProblem(at, reason, statements[unit.first].text[:200]))
