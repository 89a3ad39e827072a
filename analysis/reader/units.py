"""Program units and procedures: headers, USE, interfaces, derived types, bodies."""

from bisect import bisect_left
from collections.abc import Iterator

from tree_sitter import Node

from acclimate.analysis.facts import ReadingProblem
from acclimate.analysis.ir import (
    Apply,
    Expr,
    InputOutput,
    Jump,
    Name,
    OpaqueStatement,
    Statement,
    Symbol,
    Unit,
    UnitKind,
    Use,
)
from acclimate.analysis.reader.blocks import enter
from acclimate.analysis.reader.declarations import DeclarationReader, settle_shapes, symbol_of
from acclimate.analysis.reader.derived_types import read_derived_type
from acclimate.analysis.reader.expressions import generic_name
from acclimate.analysis.reader.parsing import NodeText
from acclimate.analysis.reader.position import Position
from acclimate.analysis.reader.repair import ParsedUnit
from acclimate.analysis.reader.scanning import UnitSpan
from acclimate.analysis.reader.statements import ALTERNATE_RETURN, StatementReader
from acclimate.analysis.source import Lines
from acclimate.analysis.view.view import View

_UNITS = {
    "program": UnitKind.PROGRAM,
    "module": UnitKind.MODULE,
    "submodule": UnitKind.SUBMODULE,
    "subroutine": UnitKind.SUBROUTINE,
    "function": UnitKind.FUNCTION,
    "module_procedure": UnitKind.SUBROUTINE,
    "block_data": UnitKind.BLOCK_DATA,
}
_IGNORED = frozenset(
    {
        "contains_statement",
        "import_statement",
        "sequence_statement",
        "comment",
        "enum",
        "preproc_include",
        "internal_procedures",
    }
)


class UnitReader:
    """Lowers one outermost program unit with all it contains."""

    def __init__(self, view: View, parsed: ParsedUnit) -> None:
        self._view = view
        self._parsed = parsed
        self._text = NodeText(parsed.text)
        self._position = Position(view, parsed.base, parsed.kept_out)
        self._statements = StatementReader(self._text, self._position)
        self._declarations = DeclarationReader(self._statements.expressions, self._position)
        self._data_rows = sorted(parsed.data)
        self.by_row: dict[int, Unit] = {}  # first view row -> unit
        self.io_units: list[tuple[Unit, InputOutput, Expr]] = []

    @property
    def problems(self) -> list[ReadingProblem]:
        return self._statements.problems()

    def read(self, span: UnitSpan) -> list[Unit]:
        if self._parsed.root is None:
            return [self._unread(span, None)]
        return [
            self._unit(node, _UNITS[node.type], None)
            for node in self._parsed.root.named_children
            if node.type in _UNITS
        ]

    def _unread(self, span: UnitSpan, parent: Unit | None) -> Unit:
        """A unit of which nothing but its place and name is known."""
        unit = self._start(span.kind, span.first, span.last, parent)
        unit.name = span.name
        self._lose_body(unit, span.first, span.last)
        for child in span.children:
            unit.units[child.name] = self._unread(child, unit)
        return unit

    def _start(self, kind: UnitKind, first: int, last: int, parent: Unit | None) -> Unit:
        expressions = self._statements.expressions
        expressions.begin_unit()
        start = self._view.statements[first].at
        unit = Unit(
            kind=kind,
            name="",
            at=start,
            end=self._view.statements[last].at,
            specification_end=start,
            parent=parent,
            applied=expressions.applied,
            mentioned=expressions.mentioned,
        )
        self.by_row[first] = unit
        return unit

    def _unit(self, node: Node, kind: UnitKind, parent: Unit | None) -> Unit:
        header = node.named_children[0]
        first = max(self._position.row(header), self._parsed.first)
        last_row = node.end_point[0] - (node.end_point[1] == 0) + self._parsed.base
        last = min(max(last_row, first), len(self._view.statements) - 1)
        unit = self._start(kind, first, last, parent)
        self._header(header, unit)
        self._members(node.named_children[1:], unit, first, last)
        if self._position.row(header) in self._parsed.bodies_lost:
            self._lose_body(unit, first, last)
        self._finish(unit, first, last)
        return unit

    def _lose_body(self, unit: Unit, first: int, last: int) -> None:
        lines = self._position.lines(first, last)
        statement = OpaqueStatement(
            at=lines,
            end=unit.end,
            reason="unit not understood",
            text=self._view.statements[first].text,
        )
        unit.body = [statement]

    def _header(self, node: Node, unit: Unit) -> None:
        prefixes: set[str] = set()
        type_node = node.child_by_field_name("type")
        for child in node.named_children:
            if child.type == "name" and not unit.name:
                unit.name = self._text.of(child)
            elif child.type == "parameters":
                names = [self._text.of(c) for c in child.named_children]
                unit.args = ["*" if name == ALTERNATE_RETURN else name for name in names]
            elif child.type == "function_result":
                unit.result = self._text.of(child.named_children[-1])
            elif child.type == "procedure_qualifier":
                prefixes.add(self._text.of(child))
        if node.type == "module_procedure_statement":
            prefixes.add("module procedure")
        if node.type == "submodule_statement":
            ancestor = node.child_by_field_name("parent") or node.child_by_field_name("ancestor")
            unit.ancestor = self._text.of(ancestor).strip() if ancestor else None
        unit.prefixes = frozenset(prefixes)
        unit.name = unit.name or f"{unit.kind.value.replace('-', '_')}__"
        if unit.kind is UnitKind.FUNCTION:
            symbol = symbol_of(unit, unit.result or unit.name, unit.at)
            symbol.attributes |= {"result"}
            if type_node is not None:
                symbol.type, symbol.kind = self._declarations.type_of(type_node)

    def _members(self, nodes: list[Node], unit: Unit, first: int, last: int) -> None:
        executable: list[Node] = []
        contained: list[Node] = []
        specification = first
        save_all = False
        for node in nodes:
            if node.type == "internal_procedures" or node.type in _UNITS:
                contained.append(node)
            elif node.type == "save_statement":
                save_all = self._declarations.save(node, unit) or save_all
                specification = self._position.row(node)
            elif self._declare(node, unit):
                end_row = node.end_point[0] - (node.end_point[1] == 0)
                specification = end_row + self._parsed.base
            elif node.type not in _IGNORED and not node.type.startswith("end"):
                executable.append(node)
        until = min([self._position.row(n) for n in contained], default=last)
        specification = self._data(unit, first, until, specification, executable)
        self._kept_out_of_specification(executable, specification)
        unit.body = self._statements.block(executable, until)
        unit.entries = tuple(_entries(unit.body))
        io = self._statements.io
        self.io_units += [(unit, statement, expr) for statement, expr in io.units]
        io.units.clear()
        unit.specification_end = self._specification_end(unit, specification)
        if save_all:
            for symbol in unit.symbols.values():
                symbol.attributes |= {"save"}
        self._enter_blocks(unit)
        for node in contained:
            for child in node.named_children if node.type == "internal_procedures" else [node]:
                if child.type in _UNITS:
                    inner = self._unit(child, _UNITS[child.type], unit)
                    unit.units[inner.name] = inner

    def _enter_blocks(self, unit: Unit) -> None:
        for block, declarations in self._statements.blocks:
            declared: dict[str, Symbol] = {}
            for node in declarations:
                self._declarations.variable(node, unit, declared)
            for symbol in declared.values():
                if symbol.initial is not None and not symbol.is_parameter:
                    symbol.attributes |= {"save"}
            enter(block, declared, unit.symbols)
            unit.mentioned.update(block.names)
        self._statements.blocks.clear()

    def _kept_out_of_specification(self, executable: list[Node], specification: int) -> None:
        """Unreadable declarations are reported; they are no statements of the body."""
        if executable:
            specification = min(specification, self._position.row(executable[0]) - 1)
        self._position.take_until(specification + 1, [])

    def _data(
        self, unit: Unit, first: int, until: int, specification: int, executable: list[Node]
    ) -> int:
        """Names in DATA are saved; a DATA before the first executable ends the specification."""
        begin = self._position.row(executable[0]) if executable else until
        for row in self._data_rows[bisect_left(self._data_rows, first) :]:
            if row > until:
                break
            for name in self._parsed.data[row]:
                symbol = symbol_of(unit, name, self._view.statements[row].at)
                symbol.attributes |= {"save", "data"}
            if row < begin:
                specification = max(specification, row)
        return specification

    def _specification_end(self, unit: Unit, row: int) -> Lines:
        """The last specification statement, or the line that includes it."""
        statement = self._view.statements[max(row, 0)]
        if statement.at.file == unit.at.file:
            return statement.at
        for order, line in self._view.resumptions:
            if order > statement.order:
                return Lines(unit.at.file, line - 1, line - 1)
        return statement.at

    def _declare(self, node: Node, unit: Unit) -> bool:
        """Read a specification statement; False when the node is none."""
        kind = node.type
        declarations = self._declarations
        if kind == "variable_declaration":
            declarations.variable(node, unit, unit.symbols)
        elif kind == "use_statement":
            unit.uses.append(self._use(node))
        elif kind == "variable_modification":
            declarations.modification(node, unit)
        elif kind == "implicit_statement":
            declarations.implicit(node, unit)
        elif kind == "parameter_statement":
            declarations.parameter(node, unit)
        elif kind == "common_statement":
            declarations.common(node, unit)
        elif kind == "equivalence_statement":
            declarations.equivalence(node, unit)
        elif kind == "namelist_statement":
            declarations.namelist(node, unit)
        elif kind in ("public_statement", "private_statement"):
            self._access(node, unit, kind == "private_statement")
        elif kind == "interface":
            self._interface(node, unit)
        elif kind == "derived_type_definition":
            derived = read_derived_type(node, unit, declarations, self._text, self._position)
            unit.types[derived.name] = derived
        else:
            return kind in _IGNORED
        return True

    def _access(self, node: Node, unit: Unit, private: bool) -> None:
        names = {generic_name(self._text.of(child)) for child in node.named_children}
        if private and not names:
            unit.private_default = True
        (unit.private if private else unit.public).update(names)

    def _use(self, node: Node) -> Use:
        module = ""
        only: list[tuple[str, str]] | None = None
        renames: list[tuple[str, str]] = []
        for child in node.named_children:
            if child.type == "module_name":
                module = self._text.of(child)
            elif child.type == "included_items":
                only = [self._use_item(item) for item in child.named_children]
            elif child.type == "use_alias":
                renames.append(self._use_item(child))
        return Use(
            module,
            None if only is None else tuple(only),
            tuple(renames),
            self._position.at(node),
        )

    def _use_item(self, node: Node) -> tuple[str, str]:
        local, arrow, original = "".join(self._text.of(node).split()).partition("=>")
        name = generic_name(local)
        return name, generic_name(original) if arrow else name

    def _interface(self, node: Node, unit: Unit) -> None:
        generic: str | None = None
        for child in node.named_children:
            if child.type == "interface_statement":
                names = [
                    c for c in child.named_children if c.type in ("name", "operator", "assignment")
                ]
                generic = generic_name(self._text.of(names[0])) if names else None
                if generic is not None:
                    unit.generics.setdefault(generic, [])
            elif child.type == "procedure_statement":
                for name in child.children_by_field_name("declarator"):
                    if generic is not None:
                        unit.generics[generic].append(self._text.of(name))
            elif child.type in ("subroutine", "function"):
                body = self._unit(child, UnitKind.INTERFACE_BODY, unit)
                body.body.clear()  # what damage put there is reported
                unit.interfaces[body.name] = body
                if generic is not None:
                    unit.generics[generic].append(body.name)

    def _finish(self, unit: Unit, first: int, last: int) -> None:
        settle_shapes(unit.symbols.values())
        for derived in unit.types.values():
            settle_shapes(derived.components.values())


def _entries(body: list[Statement]) -> Iterator[str]:
    for statement in body:
        match statement:
            case Jump(keyword="entry", value=Apply(Name(name), _)):
                yield name
