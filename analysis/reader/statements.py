"""Executable statements that are not constructs, and blocks of statements."""

from collections.abc import Callable, Iterable

from tree_sitter import Node

from acclimate.analysis.facts import ReadingProblem
from acclimate.analysis.ir import (
    Allocate,
    Apply,
    Assignment,
    BlockConstruct,
    Call,
    Component,
    Continue,
    Deallocate,
    Expr,
    Jump,
    Keyword,
    Name,
    OpaqueStatement,
    PointerAssignment,
    Statement,
)
from acclimate.analysis.reader.constructs import ConstructReader
from acclimate.analysis.reader.expressions import ExpressionReader
from acclimate.analysis.reader.io_statements import IO_NODES, IoReader
from acclimate.analysis.reader.parsing import NodeText
from acclimate.analysis.reader.position import Position, opaque

ALTERNATE_RETURN = "alternate_return__"
_NO_EFFECT = frozenset({"format_statement", "include_statement"})
_NESTING = 40


class StatementReader:
    """Lowers statements of one parsed unit."""

    def __init__(self, text: NodeText, position: Position) -> None:
        self.text = text
        self.position = position
        self.expressions = ExpressionReader(text)
        self.io = IoReader(self.expressions, position)
        self._constructs = ConstructReader(self)
        self._nesting = 0
        self._opaques: list[OpaqueStatement] = []
        self.blocks: list[
            tuple[BlockConstruct, list[Node]]
        ] = []  # with their declarations, inner ones first
        self._lowerings: dict[str, Callable[[Node], Statement | None]] = {
            "assignment_statement": self._assignment,
            "pointer_association_statement": self._pointer_assignment,
            "subroutine_call": self._call,
            "keyword_statement": self._keyword,
            "stop_statement": self._stop,
            "arithmetic_if_statement": self._arithmetic_if,
            "allocate_statement": self._allocate,
            "deallocate_statement": self._deallocate,
            "nullify_statement": self._deallocate,
            "assign_statement": self._assign,
            "entry_statement": self._entry,
            **dict.fromkeys(IO_NODES, self.io.read),
            **self._constructs.lowerings,
        }

    def block(self, nodes: Iterable[Node], end_row: int) -> list[Statement]:
        """The statements of a block that ends before view row `end_row`."""
        body: list[Statement] = []
        self._nesting += 1
        for node in nodes:
            if not node.is_named:
                continue
            row = self.position.row(node)
            self.position.take_until(row, body)
            statement = self.read(node)
            if statement is not None:
                body.append(statement)
        self.position.take_until(end_row, body)
        self._nesting -= 1
        return body

    def read(self, node: Node) -> Statement | None:
        lowering = self._lowerings.get(node.type)
        if lowering is None:
            if node.type in _NO_EFFECT:
                return Continue(at=self.position.at(node), label=self.position.view(node).label)
            return self.opaque(node, node.type.replace("_", " "))
        if self._nesting > _NESTING:
            return self.opaque(node, "nested too deeply")
        return lowering(node)

    def is_executable(self, node: Node) -> bool:
        return node.type in self._lowerings or node.type in _NO_EFFECT

    def problems(self) -> list[ReadingProblem]:
        """What was left opaque or unreadable so far."""
        found = [ReadingProblem(s.at, f"not analysed: {s.reason}", s.text) for s in self._opaques]
        for node in self.expressions.given_up:
            view = self.position.view(node)
            found.append(ReadingProblem(view.at, "expression not understood", view.text[:200]))
        return found

    def opaque(self, node: Node, reason: str) -> OpaqueStatement:
        """A statement or construct that is not looked into."""
        statement = opaque(self.position.view(node), reason)
        self._opaques.append(statement)
        statement.end = self.position.end(node)
        last_row = node.end_point[0] - node.start_point[0] + self.position.row(node)
        self.position.skip_to(last_row + 1)
        return statement

    def _assignment(self, node: Node) -> Statement:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return self.opaque(node, "assignment")
        view = self.position.view(node)
        return Assignment(
            at=view.at,
            label=view.label,
            target=self.expressions.read(left),
            value=self.expressions.read(right),
        )

    def _pointer_assignment(self, node: Node) -> Statement:
        children = node.named_children
        if len(children) != 2:
            return self.opaque(node, "pointer assignment")
        view = self.position.view(node)
        target, value = self.expressions.read_all(children)
        return PointerAssignment(at=view.at, label=view.label, target=target, value=value)

    def _call(self, node: Node) -> Statement:
        callee = node.child_by_field_name("subroutine")
        if callee is None:
            return self.opaque(node, "call")
        args: tuple[Expr, ...] = ()
        for child in node.named_children:
            if child.type == "argument_list":
                args = tuple(map(_alternate_return, self.expressions.arguments(child)))
        view = self.position.view(node)
        procedure = self.expressions.read(callee)
        if not isinstance(procedure, Name | Component):
            return self.opaque(node, "call")
        if isinstance(procedure, Name):
            self.expressions.applied.add(procedure.id)
        return Call(at=view.at, label=view.label, procedure=procedure, args=args)

    def _keyword(self, node: Node) -> Statement:
        view = self.position.view(node)
        text = self.text.of(node)
        words = text.split()
        word = words[0]
        if word == "continue":
            return Continue(at=view.at, label=view.label)
        if word in ("exit", "cycle"):
            construct = words[1] if len(words) > 1 else None
            return Jump(at=view.at, label=view.label, keyword=word, construct=construct)
        if word == "return":
            values = self.expressions.read_all(node.named_children)
            value = values[0] if values else None
            return Jump(at=view.at, label=view.label, keyword="return", value=value)
        if word.startswith("go"):
            return self._goto(node)
        return self.opaque(node, text[:40])

    def _goto(self, node: Node) -> Statement:
        """Plain, computed and assigned GOTO."""
        view = self.position.view(node)
        labels = self._labels(node)
        others = [c for c in node.named_children if c.type != "statement_label_reference"]
        value = self.expressions.read(others[0]) if others else None
        return Jump(at=view.at, label=view.label, keyword="goto", targets=labels, value=value)

    def _labels(self, node: Node) -> tuple[str, ...]:
        found = [
            self.text.of(child).strip()
            for child in node.named_children
            if child.type == "statement_label_reference"
        ]
        return tuple(label.lstrip("0") for label in found)

    def _stop(self, node: Node) -> Statement:
        view = self.position.view(node)
        values = self.expressions.read_all(node.named_children)
        value = values[0] if values else None
        return Jump(at=view.at, label=view.label, keyword="stop", value=value)

    def _arithmetic_if(self, node: Node) -> Statement:
        view = self.position.view(node)
        return Jump(
            at=view.at,
            label=view.label,
            keyword="arithmetic-if",
            targets=self._labels(node),
            value=self.expressions.read(node.named_children[0]),
        )

    def _assign(self, node: Node) -> Statement:
        """ASSIGN 10 TO name: the variable holds a label, which GOTOs list as a target."""
        label, name = self.expressions.read_all(node.named_children)
        view = self.position.view(node)
        return Assignment(at=view.at, label=view.label, target=name, value=label)

    def _entry(self, node: Node) -> Statement:
        name = node.child_by_field_name("name")
        if name is None:
            return self.opaque(node, "entry")
        parameters = node.child_by_field_name("parameters")
        args = self.expressions.read_all(parameters.named_children) if parameters else ()
        view = self.position.view(node)
        value = Apply(Name(self.text.of(name)), args)
        return Jump(at=view.at, label=view.label, keyword="entry", value=value)

    def _allocate(self, node: Node) -> Statement:
        objects: list[Expr] = []
        options: list[Keyword] = []
        for child in node.children_by_field_name("allocation"):
            if child.type == "sized_allocation":
                base, *sizes = child.named_children
                extents = [e for size in sizes for e in self.expressions.arguments(size)]
                objects.append(Apply(self.expressions.read(base), tuple(extents)))
            else:
                objects.append(self.expressions.read(child))
        for child in node.named_children:
            if child.type == "keyword_argument":
                option = self.expressions.read(child)
                if isinstance(option, Keyword):
                    options.append(option)
        view = self.position.view(node)
        return Allocate(
            at=view.at, label=view.label, objects=tuple(objects), options=tuple(options)
        )

    def _deallocate(self, node: Node) -> Statement:
        values = self.expressions.read_all(node.named_children)
        view = self.position.view(node)
        return Deallocate(
            at=view.at,
            label=view.label,
            objects=tuple(v for v in values if not isinstance(v, Keyword)),
            options=tuple(v for v in values if isinstance(v, Keyword)),
            nullify=node.type == "nullify_statement",
        )


def _alternate_return(argument: Expr) -> Expr:
    """`*10` among the arguments of a CALL is read as `Keyword("*", 10)`."""
    if isinstance(argument, Keyword) and argument.name == ALTERNATE_RETURN:
        return Keyword("*", argument.value)
    return argument
