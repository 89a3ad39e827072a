"""READ, WRITE and the other input/output statements."""

from tree_sitter import Node

from acclimate.analysis.ir import Apply, Component, Expr, InputOutput, Keyword, Literal, Name, Star
from acclimate.analysis.reader.expressions import ExpressionReader
from acclimate.analysis.reader.position import Position

IO_NODES = {
    "write_statement": "write",
    "read_statement": "read",
    "print_statement": "print",
    "open_statement": "open",
    "close_statement": "close",
    "inquire_statement": "inquire",
    "file_position_statement": "",  # rewind, backspace, endfile, flush: the first word says
}
_LABEL = "statement_label_reference"  # of a FORMAT
_LABELS = frozenset({"err", "end", "eor"})
_WRITTEN = frozenset({"iostat", "iomsg", "size", "newunit"})
_ASKED_WITH = frozenset({"unit", "file", "id", "err"})  # of INQUIRE: read, all others are written


class IoReader:
    """Lowers I/O statements; `unit_of` remembers units that may turn out to be internal."""

    def __init__(self, expressions: ExpressionReader, position: Position) -> None:
        self._expressions = expressions
        self._position = position
        self.units: list[tuple[InputOutput, Expr]] = []

    def read(self, node: Node) -> InputOutput:
        keyword = IO_NODES[node.type] or self._expressions.text.of(node).split("(")[0].split()[0]
        reads: list[Expr] = []
        writes: list[Expr] = []
        labels: list[str] = []
        namelist: str | None = None
        unit: Expr | None = None
        for child in node.named_children:
            kind = child.type
            if kind == "keyword_argument":
                argument = self._expressions.read(child)
                if not isinstance(argument, Keyword):
                    reads.append(argument)
                elif argument.name in _LABELS:
                    labels.append(self._expressions.text.of(child).split("=")[1].strip())
                elif argument.name == "nml" and isinstance(argument.value, Name):
                    namelist = argument.value.id
                elif self._is_written(keyword, argument.name):
                    writes.append(argument.value)
                else:
                    reads.append(argument.value)
                    unit = argument.value if argument.name == "unit" else unit
            elif kind in ("output_item_list", "input_item_list"):
                items = self._expressions.read_all(child.named_children)
                (writes if kind == "input_item_list" else reads).extend(items)
            elif kind in ("unit_identifier", "format_identifier"):
                named = [c for c in child.named_children if c.type != _LABEL]
                values = self._expressions.read_all(named)
                reads.extend(values)
                if values and kind == "unit_identifier":
                    unit = values[0]
                elif values and isinstance(values[0], Name):
                    namelist = values[0].id
            else:
                reads.append(self._expressions.read(child))
        statement = InputOutput(
            at=self._position.at(node),
            label=self._position.view(node).label,
            keyword=keyword,
            reads=tuple(e for e in reads if not isinstance(e, Star | Literal)),
            writes=tuple(writes),
            branches=tuple(labels),
            namelist=namelist,
        )
        if keyword == "write" and isinstance(unit, Name | Apply | Component):
            self.units.append((statement, unit))
        return statement

    @staticmethod
    def _is_written(keyword: str, name: str) -> bool:
        return name in _WRITTEN or (keyword == "inquire" and name not in _ASKED_WITH)
