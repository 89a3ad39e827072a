"""INCLUDE lines: the included file takes their place, and its lines stay its own."""

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import PurePosixPath

from acclimate.analysis.facts import ReadingProblem
from acclimate.analysis.source import Lines
from acclimate.analysis.tree.manifest import Manifest
from acclimate.analysis.view.regular_files import MOST_LINES, read_regular
from acclimate.analysis.view.view import SourceLine

_INCLUDE = re.compile(r"""\s*include\s*(['"])([^'"]+)\1\s*(?:!.*)?$""", re.IGNORECASE)
_DEPTH = 50


def split_lines(data: bytes, file: str) -> list[SourceLine]:
    """Physical lines of a file: latin-1, LF or CRLF, NUL bytes read as blanks."""
    text = data.decode("latin-1").replace("\r\n", "\n")
    if "\0" in text:
        text = text.replace("\0", " ")
    lines = [SourceLine(line, file, n) for n, line in enumerate(text.split("\n"), start=1)]
    if lines and not lines[-1].text:
        lines.pop()
    return lines


def expand(
    manifest: Manifest, lines: list[SourceLine], problems: list[ReadingProblem]
) -> list[SourceLine]:
    """Replace INCLUDE lines by the files they name, in turn; what is not found is reported."""
    if not any("nclude" in line.text or "NCLUDE" in line.text for line in lines):
        return lines
    expanded: list[SourceLine] = []
    size = 0
    stack: list[tuple[Iterator[SourceLine], str]] = [(iter(lines), "")]
    while stack:
        line = next(stack[-1][0], None)
        if line is None:
            stack.pop()
            continue
        match = _INCLUDE.match(line.text) if "nclude" in line.text.lower() else None
        if match is None:
            expanded.append(line)
            continue
        included = _find(manifest, line.file, match[2])
        if included is None:
            reason: str | None = "was not found"
        elif len(stack) > _DEPTH or any(included == name for _, name in stack):
            reason = "includes itself"
        elif size > MOST_LINES:
            reason = f"is left out behind {MOST_LINES} included lines"
        else:
            found, reason = _lines_of(manifest, included)
            size += len(found)
            stack.append((iter(found), included))
        if reason is not None:
            at = Lines(line.file, line.line, line.line)
            told = f"include file '{match[2]}' {reason}"
            problems.append(ReadingProblem(at, told, line.text.strip()[:200]))
    return expanded


def _lines_of(manifest: Manifest, file: str) -> tuple[list[SourceLine], str | None]:
    """The lines of an include file, or none and why it cannot be read."""
    try:
        return split_lines(read_regular(manifest.root / file), file), None
    except OSError as error:
        return [], f"cannot be read: {error.strerror}"


def included_files(manifest: Manifest, texts: Mapping[str, bytes]) -> frozenset[str]:
    """The files of the tree that these sources bring in, by INCLUDE or #include, at any depth."""
    found: set[str] = set()
    waiting = [(file, data) for file, data in texts.items()]
    while waiting:
        file, data = waiting.pop()
        for line in split_lines(data, file):
            match = _INCLUDE.match(line.text.removeprefix("#"))
            included = _find(manifest, file, match[2]) if match else None
            if included is not None and included not in found:
                found.add(included)
                with suppress(OSError):
                    waiting.append((included, read_regular(manifest.root / included)))
    return frozenset(found)


def _find(manifest: Manifest, file: str, name: str) -> str | None:
    root = os.path.realpath(manifest.root)
    folders = (str(PurePosixPath(file).parent), *manifest.include_dirs, ".")
    for folder in folders:
        path = os.path.realpath(os.path.join(root, folder, name))  # noqa: PTH118
        if path.startswith(root + os.sep) and os.path.isfile(path):  # noqa: PTH113
            return PurePosixPath(os.path.relpath(path, root)).as_posix()
    return None
