"""Where a node stands: view row, original lines, label; and the statements kept out of the tree."""

from bisect import bisect_left
from collections.abc import Mapping

from tree_sitter import Node

from acclimate.analysis.ir import Directive, OpaqueStatement, Statement
from acclimate.analysis.source import Lines
from acclimate.analysis.view.view import View, ViewStatement


class Position:
    """Maps nodes of one parsed unit to the view.

    `base` is the view row of the parsed text's first row. `kept_out` holds statements that were
    blanked before parsing, by view row; blocks take them in where they stand.
    """

    def __init__(
        self,
        view: View,
        base: int,
        kept_out: Mapping[int, Statement],
    ) -> None:
        self._statements = view.statements
        self._base = base
        self._directives: dict[int, tuple[Directive, ...]] = {}
        for row, directive in view.directives:
            self._directives[row] = (*self._directives.get(row, ()), directive)
        self._kept_out = kept_out
        self._rows = sorted(kept_out)
        self._next = 0

    def row(self, node: Node) -> int:
        return node.start_point[0] + self._base

    def view(self, node: Node) -> ViewStatement:
        return self._statements[node.start_point[0] + self._base]

    def at(self, node: Node) -> Lines:
        return self._statements[node.start_point[0] + self._base].at

    def end(self, node: Node) -> Lines:
        """The last statement of a construct."""
        row = node.end_point[0] - (node.end_point[1] == 0)
        return self._statements[max(row, node.start_point[0]) + self._base].at

    def lines(self, first: int, last: int) -> Lines:
        """Original lines from one view row to another, in the file of the first."""
        start, end = self._statements[first].at, self._statements[last].at
        last_line = end.last if end.file == start.file and end.last >= start.first else start.last
        return Lines(start.file, start.first, last_line)

    def directives_before(self, node: Node) -> tuple[Directive, ...]:
        """Directives between the statement of a node and the statement before it."""
        return self._directives.get(self.row(node), ())

    def take_until(self, row: int, into: list[Statement]) -> None:
        """Move kept-out statements standing before a view row into a block."""
        while self._next < len(self._rows) and self._rows[self._next] < row:
            into.append(self._kept_out[self._rows[self._next]])
            self._next += 1

    def skip_to(self, row: int) -> None:
        self._next = max(self._next, bisect_left(self._rows, row))


def opaque(statement: ViewStatement, reason: str) -> OpaqueStatement:
    return OpaqueStatement(
        at=statement.at,
        end=statement.at,
        label=statement.label,
        reason=reason,
        text=statement.text[:200],
    )
