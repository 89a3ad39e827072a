"""Kernels under a switch: right before and behind each, what it needs to run on the host as well.

While its unit is off, a kernel reads and writes the host's copies. So the host must have been
brought what the kernel touches, and the device must get what it has written, before anything else
happens: then the invariant holds on both ways and nobody else has to know of the switch.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from acclimate.analysis.directives import Construct, parse
from acclimate.analysis.ir import Associate, Directive, Statement
from acclimate.analysis.source import Lines
from acclimate.analysis.switches import on, while_off, while_on
from acclimate.porter.names.scope import COMPUTE, Scope
from acclimate.porter.names.traversal import last_line
from acclimate.porter.planning.draft import Draft
from acclimate.porter.text.fortran_text import fortran

Report = Callable[[Lines, str], None]
"""Takes the place and the message of what breaks the invariant."""


@dataclass(frozen=True, eq=False)
class _Around:
    """The updates next to one kernel that its switch alone lets through."""

    brought: dict[str, Directive]
    sent: dict[str, Directive]


@dataclass(eq=False)
class SwitchedKernels:
    """The switched kernels of one procedure, asked for statement by statement."""

    draft: Draft
    scope: Scope
    directives: list[Directive]
    report: Report
    _met: set[Lines] = field(default_factory=set)

    def at(self, body: list[Statement], number: int, start: int, end: int) -> None:
        """Check a construct that begins at a statement of a list between two lines.

        Args:
            start: the last line of what stands before the statement in its list.
            end: the first line behind the list.
        """
        first = body[number].at.first
        for place, unit in self._switches:
            directive = self.directives[place]
            if start < directive.at.first <= first:
                construct = parse(directive)
                last = self._last(construct, place, body[number])
                aliases, limit = _behind(body, number, last, end)
                around = self._around(unit, place, (start, last, limit), aliases)
                self._check(unit, construct, directive, last, around)

    @cached_property
    def _switches(self) -> list[tuple[int, str]]:
        """Compute constructs that a switch turns off, by their number among the directives."""
        constructs = enumerate(map(parse, self.directives))
        computing = ((n, while_on(c)) for n, c in constructs if _computes(c))
        return [(number, unit) for number, unit in computing if unit is not None]

    def finish(self) -> None:
        """What waits for a switch and stands at no kernel of it would spoil one of the copies."""
        for directive in self.directives:
            unit = while_off(parse(directive))
            if unit is not None and directive.at not in self._met:
                self.report(directive.at, f"an update for '{unit}' switched off is at no kernel")

    def _last(self, construct: Construct, place: int, statement: Statement) -> int:
        """The last line of a compute construct."""
        if construct.name.endswith("loop"):
            return last_line(statement)
        ends = (d.at.last for d in self.directives[place:] if parse(d).name.startswith("end "))
        return next(ends, last_line(statement))

    def _around(
        self, unit: str, place: int, lines: tuple[int, int, int], aliases: dict[str, str]
    ) -> _Around:
        start, last, limit = lines
        ahead = [d for d in self.directives[:place] if start < d.at.first]
        following = [d for d in self.directives[place:] if last < d.at.first < limit]
        while following and parse(following[0]).name.startswith("end "):
            following = following[1:]
        brought: dict[str, Directive] = {}
        sent: dict[str, Directive] = {}
        for directive, names in self._waiting(unit, reversed(ahead), "self", "host"):
            brought |= dict.fromkeys(names, directive)
        for directive, names in self._waiting(unit, iter(following), "device"):
            sent |= {aliases.get(name, name): directive for name in names}
        return _Around(brought, sent)

    def _waiting(
        self, unit: str, directives: Iterator[Directive], *clauses: str
    ) -> Iterator[tuple[Directive, tuple[str, ...]]]:
        """Updates to one side that wait for the switch, up to the first other directive."""
        for directive in directives:
            names = parse(directive).arguments(*clauses)
            if while_off(parse(directive)) != unit or not names:
                return
            self._met.add(directive.at)
            yield directive, names

    def _check(
        self, unit: str, construct: Construct, directive: Directive, last: int, around: _Around
    ) -> None:
        wanted, written = self._touched(directive.at, last)
        parts = {part.split("(")[0]: part for part in construct.arguments("present")}
        off = f"if(.not. {on(unit)})"
        for name in sorted(wanted):
            if not {name, parts.get(name, name)} & around.brought.keys():
                self.report(directive.at, f"`update self({name}) {off}` before it is missing")
        for name in sorted(written):
            if not {name, parts.get(name, name)} & around.sent.keys():
                self.report(directive.at, f"`update device({name}) {off}` behind it is missing")
        for name, update in sorted(around.sent.items()):
            if name.split("(")[0] not in written and name not in around.brought:
                self.report(update.at, f"'{name}' is not written by the kernel before it")

    def _touched(self, at: Lines, last: int) -> tuple[set[str], set[str]]:
        """What the kernels of a construct use that may be stale on the host; what they write."""
        wanted: set[str] = set()
        written: set[str] = set()
        for kernel in self.draft.kernels_of(self.scope.unit):
            if not at.last < kernel.statement.at.first <= last:
                continue
            data = self.draft.data[id(kernel)]
            for found in data.references:
                if found.node in data.visiting or not self.draft.is_resident(found.node):
                    continue
                wanted |= {found.designator} if self.draft.is_behind(found.node) else set()
                written |= {found.designator} if found.node in data.writes else set()
        return wanted, written


def _computes(construct: Construct) -> bool:
    words = construct.name.split()
    return words[:1] != [] and words[0] in COMPUTE


def _behind(body: list[Statement], number: int, last: int, end: int) -> tuple[dict[str, str], int]:
    """Other names of what is updated behind a construct, and the line of the next statement."""
    aliases: dict[str, str] = {}
    for statement in body[number + 1 :]:
        if statement.at.first <= last:
            continue
        if not isinstance(statement, Associate) or statement.body:
            return aliases, statement.at.first
        aliases |= {name: fortran(selector) for name, selector in statement.associations}
    return aliases, end
