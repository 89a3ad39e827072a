"""Kernels that run on the host, with the host's copies, while the switch of their unit is off.

Each compute construct gets an IF clause. While the switch is off, what its kernels touch is brought
to the host before and what they write to the device behind, so the invariant of residency holds on
both ways, and every other unit may stay as it is.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.directives import split_arguments
from acclimate.analysis.ir import Do, Statement
from acclimate.analysis.source import Lines
from acclimate.analysis.switches import DECLARATION, FUNCTION, on
from acclimate.porter.kernels.kernel_data import KernelData
from acclimate.porter.kernels.selection import Kernel
from acclimate.porter.names.conditionals import Conditionals
from acclimate.porter.names.scope import Reference, Scope
from acclimate.porter.names.traversal import last_line
from acclimate.porter.residency.mirrors import complaint
from acclimate.porter.residency.simple_statements import jump_targets
from acclimate.porter.residency.updates import by_name, device_updates, update_lines
from acclimate.porter.rewrite import Refusal
from acclimate.porter.rule import LoopDirective, Offload
from acclimate.porter.switches.generated_lines import compute, conditional, switched_lines
from acclimate.porter.switches.launches import Launch, launches
from acclimate.porter.text.directives_text import directive
from acclimate.porter.text.margins import Margins
from acclimate.porter.text.placement import Insertion, Slot

_BEHIND_THE_REGION = -2  # and ahead of an `update self` of what both sides keep
_ENTERED = re.compile(r"!\$acc enter data create\(([^()]*)\)")
_BEHIND_OPENMP = 10  # a statement must not part an OpenMP loop from its END directive


@dataclass(frozen=True, slots=True)
class Switched:
    """The offloads of a unit under its switch, the updates around them, the declaration."""

    offloads: tuple[Offload, ...]
    updates: tuple[Insertion, ...]
    declares: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Switching:
    """Puts units under switches.

    Args:
        data: what a kernel touches.
        resident: whether a storage node lives on the device.
        behind: whether its host copy may be out of date.
        function_stands: the project has the function that switches ask.
    """

    margins: Margins
    conditionals: Conditionals
    data: Callable[[Kernel], KernelData]
    resident: Callable[[str], bool]
    behind: Callable[[str], bool]
    function_stands: bool

    def of(
        self, scope: Scope, offloads: Sequence[Offload], kernels: Sequence[Kernel]
    ) -> Switched | Refusal | None:
        """The unit of `scope` under a switch, or why it can have none; None without new kernels."""
        found = launches(offloads, kernels)
        if not found:
            return None
        standing = scope.unit.symbols.get(FUNCTION)
        if standing is not None and "external" in standing.attributes and self.function_stands:
            declares: tuple[str, ...] = ()
        elif standing is not None or FUNCTION in scope.unit.mentioned:
            return Refusal(scope.unit.at, f"the name '{FUNCTION}' is taken", "rename it")
        else:
            declares = (DECLARATION,)
        for launch in found:
            for kernel in launch.kernels:
                reason = self._unfit(scope, kernel)
                if reason:
                    return Refusal(kernel.offload.at, reason, "turn the whole unit back instead")
        condition = on(scope.project.name_of(scope.unit))
        under = [offload for offload in offloads if offload.rule == "existing"]
        updates: list[Insertion] = []
        try:
            for launch in found:
                under += self._under(launch, condition)
                updates += self._around(launch, condition)
        except ValueError as error:
            return Refusal(scope.unit.at, str(error), "turn the whole unit back instead")
        return Switched(tuple(under), tuple(updates), declares)

    # --- what cannot be switched -----------------------------------------------------------------

    def _unfit(self, scope: Scope, kernel: Kernel) -> str:
        """Why nothing can be brought to the host ahead of a kernel, or from it; "" if all can."""
        statement = kernel.statement
        at, last = statement.at, last_line(statement)
        objection = complaint(kernel, last + 1)
        if objection:
            return objection
        if scope.by_line[at.file, at.first][0] is not statement:
            return "another statement stands where it begins"
        if statement.label in jump_targets(scope.unit.body):
            return "its first statement is jumped to"
        if _shares_its_end(scope, statement):
            return "a loop around it has the same last statement"
        if any(f.varying for f in self._touched(kernel)):
            return "it uses an element of an array of objects"
        for region in self.conditionals.crossing(Lines(at.file, at.first, last)):
            if region.left_out and region.at.first <= at.last:
                return f"how it begins depends on the preprocessor: {region}"
        return ""

    # --- what stands around a launch -------------------------------------------------------------

    def _touched(self, kernel: Kernel) -> list[Reference]:
        data = self.data(kernel)
        return [f for f in data.references if f.node not in data.visiting and self.resident(f.node)]

    def _updates(
        self, launch: Launch, margin: int, condition: str
    ) -> tuple[list[str], list[tuple[str, ...]]]:
        """Lines before and directives behind each kernel of a launch, done while it is off.

        Raises:
            ValueError: they cannot be laid out.
        """
        form, off = self.margins.form(launch.offloads[0].at.file), f"if(.not. {condition})"
        touched = {f.designator: f for kernel in launch.kernels for f in self._touched(kernel)}
        writes = {node for kernel in launch.kernels for node in self.data(kernel).writes}
        parts, own = _parts(launch), _own(launch)
        every = [
            replace(f, designator=parts.get(f.designator, f.designator))
            for f in sorted(touched.values(), key=by_name)
        ]
        wanted = [*(f.designator for f in every if self.behind(f.node)), *own]
        before = list(update_lines("self", wanted, margin, form, off)) if wanted else []
        after = device_updates([f for f in every if f.node in writes], margin, form, off)
        if own:
            after.append(update_lines("device", own, margin, form, off))
        return before, after

    def _around(self, launch: Launch, condition: str) -> list[Insertion]:
        if launch.before is None:
            return []
        file, first = launch.offloads[0].at.file, launch.offloads[0].at.first
        before, after = self._updates(launch, self.margins.of(file, first), condition)
        new = [Insertion(file, launch.before, Slot.LOOP, -1, tuple(before))] if before else []
        end = max(last_line(kernel.statement) for kernel in launch.kernels)
        for text in after:
            line, order = launch.behind, _BEHIND_THE_REGION
            if not text[0].lstrip().startswith("!"):
                line = max(line, self._behind_openmp(file, end))
                order = _BEHIND_OPENMP
            new.append(Insertion(file, line, Slot.AFTER, order, text))
        return new

    def _behind_openmp(self, file: str, last: int) -> int:
        """The line ahead of which a statement may stand behind a loop that ends on line `last`."""
        lines = self.margins.lines(file)
        for number in range(last, len(lines)):
            text = b" ".join(lines[number].lower().split())
            if text[1:].startswith((b"$omp end do", b"$omp end parallel do")):
                return number + 2
            if text and not text.startswith(b"!"):
                break
        return last + 1

    def _under(self, launch: Launch, condition: str) -> list[Offload]:
        """The offloads of a launch with their compute constructs under a condition.

        Raises:
            ValueError: a directive cannot be laid out.
        """
        form = self.margins.form(launch.offloads[0].at.file)

        def around(margin: int) -> tuple[list[str], list[str]]:
            before, after = self._updates(launch, margin, condition)
            return before, [line for text in after for line in text]

        def lines(text: Sequence[str]) -> tuple[str, ...]:
            return switched_lines(text, form, condition, around)

        return [
            replace(
                offload,
                directives=tuple(self._directive(line, condition) for line in offload.directives),
                above=lines(offload.above),
                below=lines(offload.below),
                replaced=tuple(replace(edit, text=lines(edit.text)) for edit in offload.replaced),
            )
            for offload in launch.offloads
        ]

    def _directive(self, line: LoopDirective, condition: str) -> LoopDirective:
        if not compute(line.words):
            return line
        words, at = conditional(line.words, condition), line.above
        directive(words, self.margins.of(at.file, at.first), self.margins.form(at.file))
        return replace(line, words=words)


def _parts(launch: Launch) -> dict[str, str]:
    """The parts of arrays that a launch asks for, by array: there may be no more of them."""
    words = (w for each in launch.offloads for line in each.directives for w in line.words)
    asked = (word[len("present(") : -1] for word in words if word.startswith("present("))
    return {part.split("(")[0]: part for text in asked for part in split_arguments(text)}


def _own(launch: Launch) -> list[str]:
    """Arrays that a rewrite brings along."""
    lines = [
        line
        for each in launch.offloads
        for text in (each.above, *(edit.text for edit in each.replaced))
        for line in text
    ]
    entered = (found for line in lines for found in _ENTERED.findall(line))
    return sorted({name for text in entered for name in split_arguments(text)})


def _shares_its_end(scope: Scope, statement: Statement) -> bool:
    """A loop around it ends with the statement that it ends with."""
    return any(
        isinstance(outer, Do)
        and outer is not statement
        and last_line(outer) == last_line(statement)
        and any(s is statement for s in inside(outer.body))
        for outer in inside(scope.unit.body)
    )
