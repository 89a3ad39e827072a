"""Lines under a preprocessor condition, and the text that this configuration does not compile.

The plan is made from one configuration, the port is compiled in all of them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from acclimate.analysis.ir import Unit
from acclimate.analysis.project import Project
from acclimate.analysis.source import Lines
from acclimate.analysis.view.preprocessing import preprocess

_DIRECTIVE = re.compile(r"[ \t]*#[ \t]*([a-z]+)")
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_DECLARES = re.compile(
    r"::|^(use|implicit|include|real|integer|logical|complex|double|character|dimension|common"
    r"|data|type|save|parameter|equivalence|namelist|external|interface)\b"
)
NEXT_STEP = "port each configuration by itself: set [model] defines"


@dataclass(frozen=True, slots=True)
class Alternative:
    """A branch that is not compiled: its statements, lower case, without comments and texts."""

    statements: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Region:
    """#if to #endif, both included, or a run of D lines.

    `alternatives` are the branches that are not compiled; where #else is missing, an empty one.
    """

    at: Lines
    condition: str
    alternatives: tuple[Alternative, ...]

    @property
    def left_out(self) -> tuple[str, ...]:
        """Every statement that is not compiled."""
        return tuple(s for branch in self.alternatives for s in branch.statements)

    def contains(self, at: Lines) -> bool:
        return at.file == self.at.file and self.at.first <= at.first and at.last <= self.at.last

    def __str__(self) -> str:
        return f"'{self.condition}' ({self.at})"

    @property
    def next_step(self) -> str:
        if self.condition == "D":
            return 'take the D lines out, or in: [model] d_lines = "code"'
        return NEXT_STEP


class Conditionals:
    """The conditional regions of a project's source files; an include guard is none."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._regions: dict[str, tuple[Region, ...]] = {}

    def regions(self, file: str) -> tuple[Region, ...]:
        """All regions of a file, outer before inner."""
        if file not in self._regions:
            self._regions[file] = self._read(file)
        return self._regions[file]

    def outermost(self, file: str) -> list[Region]:
        found: list[Region] = []
        for region in self.regions(file):
            if not found or not found[-1].contains(region.at):
                found.append(region)
        return found

    def around(self, at: Lines) -> Region | None:
        """The innermost region that holds the first line of a statement."""
        holding = [r for r in self.regions(at.file) if r.at.first <= at.first <= r.at.last]
        return holding[-1] if holding else None

    def before(self, at: Lines, unit: Unit) -> int | None:
        """The line before which to insert what belongs before a statement in any configuration.

        None: declarations may stand there.
        """
        region = self._widest(at, unit)
        if region is None:
            return at.first
        if region.at.first <= unit.specification_end.last:
            return None
        return None if any(_DECLARES.search(text) for text in region.left_out) else region.at.first

    def behind(self, at: Lines, line: int, unit: Unit) -> int:
        """`line`, or the one behind the condition that the statement before it stands under."""
        region = self._widest(at, unit)
        return line if region is None else max(line, region.at.last + 1)

    def _widest(self, at: Lines, unit: Unit) -> Region | None:
        """The outermost region around a statement that is not around its whole unit."""
        for region in self.regions(at.file):
            if region.at.first <= at.first <= region.at.last and not region.contains(unit.at):
                return region
        return None

    def crossing(self, at: Lines) -> list[Region]:
        """Regions that have lines in common with `at` without holding all of it."""
        return [
            region
            for region in self.regions(at.file)
            if region.at.first <= at.last and at.first <= region.at.last and not region.contains(at)
        ]

    def _read(self, file: str) -> tuple[Region, ...]:
        data = self._project.texts.get(file, b"")
        lines = data.decode("latin-1").replace("\r\n", "\n").split("\n")
        fixed = self._project.form(file) == "fixed"
        reader = _Reader(file, lines, fixed, frozenset())
        found: list[Region] = []
        if any(_directive(line) == "endif" for line in lines):
            view, _ = preprocess(self._project.manifest, file, data)
            compiled = {line.line for line in view if line.file == file and line.text.strip()}
            reader = _Reader(file, lines, fixed, frozenset(compiled))
            found += reader.conditions()
        if fixed and not self._project.manifest.d_lines_are_code:
            found += reader.debug_lines()
        return tuple(sorted(found, key=lambda region: (region.at.first, -region.at.last)))


@dataclass(frozen=True, slots=True)
class _Reader:
    file: str
    lines: list[str]
    fixed: bool
    compiled: frozenset[int]

    def conditions(self) -> Iterator[Region]:
        open_: list[list[int]] = []  # lines of #if, #elif, #else
        for number, line in enumerate(self.lines, start=1):
            word = _directive(line)
            if word.startswith("if"):
                open_.append([number])
            elif word.startswith("el") and open_:
                open_[-1].append(number)
            elif word == "endif" and open_:
                marks = [*open_.pop(), number]
                if open_ or not self._guards(marks):
                    yield self._region(marks)

    def debug_lines(self) -> Iterator[Region]:
        first = 0
        for number, line in enumerate([*self.lines, ""], start=1):
            if line[:1] in ("d", "D"):
                first = first or number
            elif first:
                kept = [" " + text[1:] for text in self.lines[first - 1 : number - 1]]
                alternative = Alternative(tuple(self._statements(kept)))
                yield Region(Lines(self.file, first, number - 1), "D", (alternative,))
                first = 0

    def _region(self, marks: list[int]) -> Region:
        alternatives = []
        for first, last in zip(marks, marks[1:], strict=False):
            inner = range(first + 1, last)
            if not any(number in self.compiled for number in inner):
                kept = [self.lines[number - 1] for number in inner]
                alternatives.append(Alternative(tuple(self._statements(kept))))
        if _directive(self.lines[marks[-2] - 1]) != "else":
            alternatives.append(Alternative(()))
        condition = " ".join(self.lines[marks[0] - 1].split())
        return Region(Lines(self.file, marks[0], marks[-1]), condition, tuple(alternatives))

    def _guards(self, marks: list[int]) -> bool:
        """#ifndef and #define of one name around all code of a file."""
        first = self.lines[marks[0] - 1].split()
        following = next((line for line in self.lines[marks[0] :] if line.strip()), "").split()
        outside = [*self.lines[: marks[0] - 1], *self.lines[marks[-1] :]]
        return (
            len(marks) == 2
            and _directive(self.lines[marks[0] - 1]) == "ifndef"
            and following[:1] == ["#define"]
            and following[1:2] == first[-1:]
            and not list(self._statements(outside))
        )

    def _statements(self, lines: list[str]) -> Iterator[str]:
        """Statements of consecutive lines, continuations joined; directives stand as they are."""
        held = ""
        for line in lines:
            if _directive(line):
                yield line.strip()
                continue
            if self.fixed and (line[:1] in "cC*" or not line.strip()):
                continue
            goes_on = self.fixed and line[:5].strip() == "" and line[5:6] not in (" ", "", "0")
            text = _QUOTED.sub("''", line[6:] if goes_on else line).split("!")[0].strip().lower()
            if goes_on or held.endswith("&"):
                held = held.removesuffix("&") + " " + text.removeprefix("&")
            elif text:
                yield from _parts(held)
                held = text
        yield from _parts(held)


def _parts(text: str) -> Iterator[str]:
    yield from (part.strip() for part in text.removesuffix("&").split(";") if part.strip())


def _directive(line: str) -> str:
    """The word of a preprocessor directive, "" for any other line."""
    match = _DIRECTIVE.match(line)
    return match[1] if match else ""
