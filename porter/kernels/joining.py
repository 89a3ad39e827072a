"""Neighbouring kernels in one launch, where none touches what another one writes.

The loops of one `parallel` region run without a barrier between them, so they must have nothing
to do with one another, or meet within an iteration only (`same_gang.py`). Many boundary loops are
like that, and too small to fill a device alone.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from acclimate.analysis.dependence.statements import bodies
from acclimate.analysis.directives import split_arguments
from acclimate.analysis.ir import Do, Statement
from acclimate.porter.kernels.kernel_data import KernelData
from acclimate.porter.kernels.region_conditions import told
from acclimate.porter.kernels.same_gang import SameGang, Segment, as_gang, guard
from acclimate.porter.kernels.selection import Kernel
from acclimate.porter.loops.rotation import Rotations
from acclimate.porter.names.conditionals import Conditionals
from acclimate.porter.names.shared_arguments import SharedArguments
from acclimate.porter.names.traversal import last_line
from acclimate.porter.rule import LoopDirective, Offload
from acclimate.porter.text.directives_text import clause, directive
from acclimate.porter.text.margins import Margins
from acclimate.porter.text.placement import Insertion, Slot

_LEVELS = "parallel loop "
_SECTION = re.compile(r"\s*(?P<name>\w+)\((?P<leading>[:,]*)(?P<first>-?\d+):(?P<last>-?\d+)\)\s*")
_OF_REGION = ("default(", "present(")
_OF_LOOP = ("collapse(", "private(")


class Joining:
    """Decides which kernels of a unit share a launch, and writes their directives."""

    def __init__(
        self,
        shared: SharedArguments,
        margins: Margins,
        conditionals: Conditionals,
        rotations: Rotations,
        data: Callable[[Kernel], KernelData],
    ) -> None:
        self._shared = shared
        self._margins = margins
        self._conditionals = conditionals
        self._data = data
        self._rotations = rotations

    def offloads(
        self, body: list[Statement], kernels: Iterable[Kernel], insertions: Iterable[Insertion]
    ) -> list[Offload]:
        """The offloads of a unit's kernels, joined where they stand side by side.

        Args:
            insertions: the other new lines of the unit; nothing may stand between joined loops.
        """
        by_statement = {id(kernel.statement): kernel for kernel in kernels}
        busy = sorted(insertion.line for insertion in insertions)
        gang = SameGang(self._rotations, self._margins, lambda s: self._may_stand(s, busy))
        found: list[Offload] = []
        for part in self._parts(body, by_statement, busy, gang):
            found += self._together(part) if len(part.kernels) > 1 else [part.kernels[0].offload]
        return found

    # --- which ------------------------------------------------------------------------------------

    def _parts(
        self, block: list[Statement], kernels: dict[int, Kernel], busy: list[int], gang: SameGang
    ) -> list[Segment]:
        """Every kernel of a block once, in parts that share a launch; the fewer parts win."""
        inner: dict[int, list[Segment]] = {
            id(statement): [
                part
                for each in bodies(statement)
                for part in self._parts(each, kernels, busy, gang)
            ]
            for statement in block
            if id(statement) not in kernels
        }
        apart = self._side_by_side(block, kernels, busy)
        apart += [part for found in inner.values() for part in found]
        if len(apart) < 2:
            return apart
        launches = {id(part.kernels[0].statement) for part in apart}
        segments = gang.segments(block, kernels, launches)
        taken = {id(statement) for segment in segments for statement in segment.statements}
        mixed: list[Segment] = []
        rest: list[Statement] = []
        for statement in block:
            if id(statement) not in taken:
                rest.append(statement)
                mixed += inner.get(id(statement), [])
                continue
            mixed += self._side_by_side(rest, kernels, busy)
            rest = []
        mixed += [*self._side_by_side(rest, kernels, busy), *segments]
        return mixed if len(mixed) < len(apart) else apart

    def _side_by_side(
        self, block: list[Statement], kernels: dict[int, Kernel], busy: list[int]
    ) -> list[Segment]:
        """The kernels that stand in a block itself, in runs that never meet."""
        found: list[Segment] = []
        run: list[Kernel] = []
        for statement in [*block, None]:
            kernel = kernels.get(id(statement))
            if kernel is not None and run and self._fits(run, kernel, busy):
                run.append(kernel)
                continue
            if run:
                found.append(Segment(tuple(k.statement for k in run), tuple(run), (), True))
            run = [kernel] if kernel is not None else []
        return found

    def _may_stand(self, segment: Segment, busy: list[int]) -> bool:
        """A region may be put around the statements, all else but dependences considered."""
        kernels, first = segment.kernels, segment.statements[0].at
        last = last_line(segment.statements[-1])
        pairs = [(one, other) for one in kernels for other in kernels if one is not other]
        acc = (d for d in kernels[0].scope.unit.directives if d.sentinel == "acc")
        lines = self._margins.lines(first.file)
        return (
            all(map(self._is_plain, kernels))
            and all(_ends_alone(lines, statement) for statement in segment.statements)
            and not any(self._differ(one, other) for one, other in pairs)
            and not any(s.label for s in (*segment.statements, *(k.statement for k in kernels)))
            and not any(first.first < line <= last for line in busy)
            and not any(first.first <= directive.at.first <= last for directive in acc)
            and not any(line.lstrip().startswith(b"#") for line in lines[first.first - 1 : last])
            and all(k.statement.at.file == first.file for k in kernels)
            and not any(self._alias(one, other) for one, other in pairs)
        )

    def _alias(self, one: Kernel, other: Kernel) -> bool:
        """What one writes may have another name in the other one."""
        unit, touched = one.scope.unit, self._data(other).touched
        return any(
            a != b and self._shared.may_share(unit, a, b)
            for a in self._data(one).writes
            for b in touched
        )

    def _fits(self, run: list[Kernel], kernel: Kernel, busy: list[int]) -> bool:
        last, first = last_line(run[-1].statement), kernel.statement.at.first
        return (
            all(self._is_plain(one) and self._ends_by_itself(one) for one in (*run, kernel))
            and not any(self._differ(one, kernel) or self._differ(kernel, one) for one in run)
            and kernel.statement.label is None
            and not any(last < line <= first for line in busy)
            and not self._is_parted(run[-1], kernel)
            and not any(self._meet(one, kernel) for one in run)
        )

    def _differ(self, one: Kernel, other: Kernel) -> bool:
        """One asks for a part of an array, the other one for all of it."""
        named = {found.designator for found in self._data(other).references}
        return bool((_sections(one).keys() & named) - _sections(other).keys())

    def _is_plain(self, kernel: Kernel) -> bool:
        """A new loop kernel without reductions, copies of scalars, calls or pointers."""
        directives = kernel.offload.directives
        if not isinstance(kernel.statement, Do) or not directives or kernel.routines:
            return False
        if kernel.offload.above or kernel.offload.below:
            return False
        words = directives[0].words
        allowed = (*_OF_REGION, *_OF_LOOP)
        return (
            words[0].startswith(_LEVELS)
            and all(not word or word.startswith(allowed) for word in words[1:])
            and not any(
                found.path or found.symbol.attributes & {"pointer", "target"}
                for found in self._data(kernel).references
            )
        )

    def _ends_by_itself(self, kernel: Kernel) -> bool:
        return _ends_alone(self._margins.lines(kernel.statement.at.file), kernel.statement)

    def _is_parted(self, one: Kernel, other: Kernel) -> bool:
        """A preprocessor line stands between two kernels."""
        lines = self._margins.lines(one.statement.at.file)
        between = lines[last_line(one.statement) : other.statement.at.first - 1]
        around = self._conditionals.around
        return (
            one.statement.at.file != other.statement.at.file
            or around(one.statement.at) != around(other.statement.at)
            or any(line.lstrip().startswith(b"#") for line in between)
        )

    def _meet(self, one: Kernel, other: Kernel) -> bool:
        """One of them writes what the other one touches, or may do so by another name."""
        first, second = self._data(one), self._data(other)
        return any(
            self._shared.may_share(one.scope.unit, a, b)
            for mine, theirs in ((first.writes, second.touched), (second.writes, first.touched))
            for a in mine
            for b in theirs
        )

    # --- how --------------------------------------------------------------------------------------

    def _together(self, part: Segment) -> list[Offload]:
        """The offloads of a part, its region around them."""
        kernels = part.kernels
        heads = [kernel.offload.directives[0].words for kernel in kernels]
        others = dict.fromkeys(w for words in heads for w in words if w.startswith("default("))
        condition = "" if part.independent else guard(part)
        words = ("parallel", condition, *others, clause("present", _united(kernels)))
        first, last = part.statements[0].at, part.statements[-1]
        line, form = last_line(last) + 1, self._margins.form(first.file)
        text = directive(("end parallel",), self._margins.of(first.file, first.first), form)
        closing = Insertion(first.file, line, Slot.AFTER, -3, text)
        offloads = [_as_part(k.offload) if part.independent else as_gang(k) for k in kernels]
        ahead = told(kernels[0].scope, first, part.branches, self._margins)
        opening = (LoopDirective(first, words), *offloads[0].directives)
        offloads[0] = replace(
            offloads[0],
            directives=opening,
            replaced=(*offloads[0].replaced, *ahead.replaced),
            declares=(*offloads[0].declares, *ahead.declares),
            moved=(*offloads[0].moved, *ahead.moved, closing),
        )
        return offloads


def _as_part(offload: Offload) -> Offload:
    head, *others = offload.directives
    words = [f"loop {head.words[0].removeprefix(_LEVELS)}"]
    words += [word for word in head.words[1:] if word.startswith(_OF_LOOP)]
    return replace(offload, directives=(LoopDirective(head.above, tuple(words)), *others))


def _sections(kernel: Kernel) -> dict[str, tuple[str, int, int]]:
    """What is asked for in part only, by name: leading dimensions, first and last subscript."""
    words = [w for w in kernel.offload.directives[0].words if w.startswith("present(")]
    parts = (
        _SECTION.fullmatch(part)
        for word in words
        for part in split_arguments(word.removeprefix("present(").removesuffix(")"))
    )
    return {p["name"]: (p["leading"], int(p["first"]), int(p["last"])) for p in parts if p}


def _united(group: Iterable[Kernel]) -> list[str]:
    """The parts that all kernels of a region ask for together, each array once."""
    found: dict[str, tuple[str, int, int]] = {}
    for kernel in group:
        for name, (leading, first, last) in _sections(kernel).items():
            _, low, high = found.get(name, (leading, first, last))
            found[name] = leading, min(low, first), max(high, last)
    return [f"{name}({lead}{low}:{high})" for name, (lead, low, high) in sorted(found.items())]


def _ends_alone(lines: list[bytes], statement: Statement) -> bool:
    words = lines[last_line(statement) - 1].split(b"!")[0].decode("latin-1").lower()
    return "".join(words.split()) in ("enddo", "endif")
