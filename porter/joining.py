"""Neighbouring kernels in one launch, where none touches what another one writes.

The loops of one `parallel` region run without a barrier between them, so they must have nothing
to do with one another. Many boundary loops are like that, and too small to fill a device alone.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from acclimate.analysis.dependence.statements import bodies
from acclimate.analysis.directives import split_arguments
from acclimate.analysis.ir import Do, Statement
from acclimate.porter.conditionals import Conditionals
from acclimate.porter.directives_text import clause, directive
from acclimate.porter.kernel_data import KernelData
from acclimate.porter.margins import Margins
from acclimate.porter.placement import Insertion, Slot
from acclimate.porter.rule import LoopDirective, Offload
from acclimate.porter.selection import Kernel
from acclimate.porter.shared_arguments import SharedArguments
from acclimate.porter.traversal import last_line

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
        data: Callable[[Kernel], KernelData],
    ) -> None:
        self._shared = shared
        self._margins = margins
        self._conditionals = conditionals
        self._data = data

    def offloads(
        self, body: list[Statement], kernels: Iterable[Kernel], insertions: Iterable[Insertion]
    ) -> list[Offload]:
        """The offloads of a unit's kernels, joined where they stand side by side.

        Args:
            insertions: the other new lines of the unit; nothing may stand between joined loops.
        """
        by_statement = {id(kernel.statement): kernel for kernel in kernels}
        busy = sorted(insertion.line for insertion in insertions)
        found: list[Offload] = []
        for group in self._groups(body, by_statement, busy):
            found += self._joined(group) if len(group) > 1 else [group[0].offload]
        return found

    # --- which ------------------------------------------------------------------------------------

    def _groups(
        self, body: list[Statement], kernels: dict[int, Kernel], busy: list[int]
    ) -> list[list[Kernel]]:
        """Every kernel once, in runs that share a launch."""
        groups: list[list[Kernel]] = []
        for block in _blocks(body, kernels):
            run: list[Kernel] = []
            for statement in block:
                kernel = kernels.get(id(statement))
                if kernel is not None and run and self._fits(run, kernel, busy):
                    run.append(kernel)
                    continue
                if run:
                    groups.append(run)
                run = [kernel] if kernel is not None else []
            if run:
                groups.append(run)
        return groups

    def _fits(self, run: list[Kernel], kernel: Kernel, busy: list[int]) -> bool:
        last, first = last_line(run[-1].statement), kernel.statement.at.first
        return (
            all(self._is_plain(one) and self._ends_alone(one) for one in (*run, kernel))
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

    def _ends_alone(self, kernel: Kernel) -> bool:
        lines = self._margins.lines(kernel.statement.at.file)
        words = lines[last_line(kernel.statement) - 1].split(b"!")[0].decode("latin-1").lower()
        return "".join(words.split()) == "enddo"

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

    def _joined(self, group: list[Kernel]) -> list[Offload]:
        first, last = group[0], group[-1]
        heads = [kernel.offload.directives[0].words for kernel in group]
        others = dict.fromkeys(w for words in heads for w in words if w.startswith("default("))
        words = ("parallel", *others, clause("present", _united(group)))
        region = LoopDirective(first.offload.at, words)
        at = last.statement.at
        line, form = last_line(last.statement) + 1, self._margins.form(at.file)
        text = directive(("end parallel",), self._margins.of(at.file, at.first), form)
        closing = Insertion(at.file, line, Slot.AFTER, -3, text)
        offloads = [_as_part(kernel.offload) for kernel in group]
        opening = (region, *offloads[0].directives)
        offloads[0] = replace(offloads[0], directives=opening)
        offloads[-1] = replace(offloads[-1], moved=(*offloads[-1].moved, closing))
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


def _united(group: list[Kernel]) -> list[str]:
    """The parts that all kernels of a region ask for together, each array once."""
    found: dict[str, tuple[str, int, int]] = {}
    for kernel in group:
        for name, (leading, first, last) in _sections(kernel).items():
            _, low, high = found.get(name, (leading, first, last))
            found[name] = leading, min(low, first), max(high, last)
    return [f"{name}({lead}{low}:{high})" for name, (lead, low, high) in sorted(found.items())]


def _blocks(body: list[Statement], kernels: dict[int, Kernel]) -> list[list[Statement]]:
    """Every statement list outside kernels."""
    found = [body]
    for statement in body:
        if id(statement) not in kernels:
            found += [inner for block in bodies(statement) for inner in _blocks(block, kernels)]
    return found
