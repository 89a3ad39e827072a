"""From the bytes of a file to its view."""

import re
from itertools import pairwise

from acclimate.analysis.directives import scan_lines
from acclimate.analysis.facts import ReadingProblem
from acclimate.analysis.source import Lines
from acclimate.analysis.tree.manifest import Manifest
from acclimate.analysis.view.fixed_form import fixed_statements
from acclimate.analysis.view.free_form import free_statements
from acclimate.analysis.view.includes import expand, split_lines
from acclimate.analysis.view.labelled_do import close_labelled_do
from acclimate.analysis.view.preprocessing import needs_cpp, preprocess
from acclimate.analysis.view.regular_files import MOST_LINES
from acclimate.analysis.view.view import SourceLine, View, place_directives

_CONDITIONAL = re.compile(r"^\s*[!cC*]\$ ")


def view_of(manifest: Manifest, file: str, data: bytes) -> View:
    """The view of one file of the model; nothing in the file can make this fail.

    Raises:
        Problem: the file needs the C preprocessor and there is none.
    """
    problems: list[ReadingProblem] = []
    if b"\0" in data:
        line = data[: data.index(b"\0")].count(b"\n") + 1
        problems.append(ReadingProblem(Lines(file, line, line), "NUL byte, read as a blank"))
    if needs_cpp(manifest, file, data):
        lines, found = preprocess(manifest, file, data)
        problems.extend(found)
    else:
        lines = split_lines(data, file)
    lines = expand(manifest, lines, problems)
    if len(lines) > MOST_LINES:
        reason = f"more than {MOST_LINES} lines; those behind are not read"
        problems.append(ReadingProblem(Lines(file, 1, 1), reason))
        del lines[MOST_LINES:]
    if "-fopenmp" in manifest.flags:
        lines = [_conditional(line) for line in lines]
    form = manifest.form(file)
    if form == "fixed":
        statements = fixed_statements(
            lines, width=manifest.fixed_width, d_lines_are_code=manifest.d_lines_are_code
        )
    else:
        statements = free_statements(lines)
    statements = close_labelled_do(statements)
    directives = place_directives(statements, scan_lines(lines, form))
    resumptions = tuple(
        (number, line.line)
        for number, (before, line) in enumerate(pairwise(lines), start=1)
        if line.file == file != before.file
    )
    return View(file, form, tuple(statements), directives, tuple(problems), resumptions)


def _conditional(line: SourceLine) -> SourceLine:
    """`!$ statement` is code under OpenMP."""
    if "$" not in line.text:
        return line
    return line._replace(text=_CONDITIONAL.sub(_blank, line.text, count=1))


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])
