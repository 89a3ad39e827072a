"""Expressions: from nodes of the syntax tree to the IR."""

from collections.abc import Callable

from tree_sitter import Node

from acclimate.analysis.ir import (
    Apply,
    ArrayConstructor,
    Binary,
    Component,
    Expr,
    ImpliedDo,
    Keyword,
    Literal,
    LiteralKind,
    Name,
    Section,
    Star,
    Unary,
    Unreadable,
)
from acclimate.analysis.reader.parsing import NodeText

# What a walker of the tree has to recurse through: a chain of terms is a tree as deep as it is
# long; for each pair of parentheses a walker calls several functions.
_DEPTH = 200
_PARENTHESES = 3
_SPELLING = {".eq.": "==", ".ne.": "/=", ".lt.": "<", ".le.": "<=", ".gt.": ">", ".ge.": ">="}
_BINARY = frozenset(
    {
        "math_expression",
        "relational_expression",
        "logical_expression",
        "concatenation_expression",
    }
)
_TYPE_NODES = frozenset({"intrinsic_type", "derived_type", "comment"})


def generic_name(text: str) -> str:
    """A generic name without blanks; operators as they are spelt in expressions."""
    name = "".join(text.split())
    word, _, operator = name.partition("(")
    return f"{word}({_SPELLING[operator[:-1]]})" if operator[:-1] in _SPELLING else name


def _joined(left: Expr, right: Expr) -> Expr:
    """`//` binds to the left, the grammar to the right."""
    if isinstance(right, Binary) and right.op == "//":
        return Binary("//", _joined(left, right.left), right.right)
    return Binary("//", left, right)


class ExpressionReader:
    """Lowers expression nodes over one text; `given_up` holds what it could not."""

    def __init__(self, text: NodeText) -> None:
        self.text = text
        self.given_up: list[Node] = []
        self._depth = 0
        self._known: dict[Expr, Expr] = {}  # one object for equal expressions of a file
        self._names: dict[str, Name] = {}
        self.begin_unit()
        self._lowerings: dict[str, Callable[[Node], Expr]] = {
            "identifier": self._name,
            "name": self._name,
            "type_member": self._name,
            "number_literal": self._number,
            "string_literal": self._string,
            "boolean_literal": self._logical,
            "complex_literal": self._complex,
            "null_literal": lambda node: Apply(Name("null"), ()),
            "math_expression": self._binary,
            "relational_expression": self._binary,
            "logical_expression": self._binary,
            "concatenation_expression": self._binary,
            "unary_expression": self._unary,
            "parenthesized_expression": self._parenthesized,
            "call_expression": self._apply,
            "derived_type_member_expression": self._component,
            "keyword_argument": self._keyword,
            "extent_specifier": self._section,
            "assumed_size": lambda node: Star(),
            "array_literal": self._array,
            "implied_do_loop_expression": self._implied_do,
        }

    def begin_unit(self) -> None:
        """Collect names afresh: those mentioned, and those called or followed by arguments."""
        self.mentioned: set[str] = set()
        self.applied: set[str] = set()

    def read(self, node: Node) -> Expr:
        lowering = self._lowerings.get(node.type)
        if lowering is None or self._depth > _DEPTH:
            return self.give_up(node)
        self._depth += _PARENTHESES
        try:
            return lowering(node)
        finally:
            self._depth -= _PARENTHESES

    def read_all(self, nodes: list[Node]) -> tuple[Expr, ...]:
        return tuple(self.read(node) for node in nodes if node.type not in _TYPE_NODES)

    def arguments(self, node: Node) -> tuple[Expr, ...]:
        """The entries of an `argument_list`, or of a `size` in a declaration."""
        return tuple(self.read(child) for child in node.named_children)

    def give_up(self, node: Node) -> Expr:
        self.given_up.append(node)
        return Unreadable(self.text.raw(node)[:80])

    def _name(self, node: Node) -> Name:
        text = self.text.of(node)
        name = self._names.get(text)
        if name is None:
            name = self._names[text] = Name(text)
        self.mentioned.add(text)
        return name

    def _number(self, node: Node) -> Expr:
        text = self.text.of(node)
        if text[0] in "bozx'\"" or text[-1] in "'\"":
            return Literal(LiteralKind.BOZ, text)
        mantissa = text.split("_")[0]
        real = not mantissa.isdigit()
        return self._shared(Literal(LiteralKind.REAL if real else LiteralKind.INTEGER, text))

    def _string(self, node: Node) -> Expr:
        return Literal(LiteralKind.CHARACTER, self.text.raw(node))

    def _logical(self, node: Node) -> Expr:
        return Literal(LiteralKind.LOGICAL, self.text.of(node))

    def _complex(self, node: Node) -> Expr:
        return Literal(LiteralKind.COMPLEX, self.text.of(node))

    def _binary(self, node: Node) -> Expr:
        """Left spines are walked in a loop: sums of hundreds of terms are common."""
        pairs: list[tuple[str, Node]] = []
        current: Node | None = node
        while current is not None and current.type in _BINARY:
            left = current.child_by_field_name("left")
            right = current.child_by_field_name("right")
            operator = current.child_by_field_name("operator")
            if left is None or right is None or operator is None:
                break
            pairs.append((self.text.of(operator), right))
            current = left
        if current is None or self._depth + len(pairs) > _DEPTH:
            return self.give_up(node)
        self._depth += len(pairs)
        try:
            # the spine ends in `.not. x`, which the grammar calls a logical expression as well
            first = self._not(current) if current.type in _BINARY else self.read(current)
            return self._shared(self._fold(first, pairs[::-1]))
        finally:
            self._depth -= len(pairs)

    def _fold(self, value: Expr, pairs: list[tuple[str, Node]]) -> Expr:
        number = 0
        while number < len(pairs):
            operator, right = pairs[number]
            number += 1
            if operator == "//":
                value = _joined(value, self.read(right))
                continue
            if operator != "**":
                value = Binary(_SPELLING.get(operator, operator), value, self.read(right))
                continue
            operands = [value, self.read(right)]  # ** binds to the right, the grammar to the left
            while number < len(pairs) and pairs[number][0] == "**":
                operands.append(self.read(pairs[number][1]))
                number += 1
            value = operands.pop()
            while operands:
                value = Binary("**", operands.pop(), value)
        return value

    def _not(self, node: Node) -> Expr:
        argument = node.child_by_field_name("argument")
        return self.give_up(node) if argument is None else Unary(".not.", self.read(argument))

    def _unary(self, node: Node) -> Expr:
        operator = node.child_by_field_name("operator")
        argument = node.child_by_field_name("argument")
        if operator is None or argument is None:
            return self.give_up(node)
        return Unary(self.text.of(operator), self.read(argument))

    def _parenthesized(self, node: Node) -> Expr:
        inner = node.named_children
        return self.read(inner[0]) if len(inner) == 1 else self.give_up(node)

    def _apply(self, node: Node) -> Expr:
        children = node.named_children
        if len(children) > 2 or (len(children) == 2 and children[1].type != "argument_list"):
            return self.give_up(node)
        args = self.arguments(children[1]) if len(children) == 2 else ()
        base = self.read(children[0])
        if isinstance(base, Name) and not any(isinstance(arg, Section) for arg in args):
            self.applied.add(base.id)
        return self._shared(Apply(base, args))

    def _shared(self, expr: Expr) -> Expr:
        """The one object for all equal expressions: what is found of one holds for all."""
        return self._known.setdefault(expr, expr)

    def _component(self, node: Node) -> Expr:
        children = node.named_children
        if len(children) != 2:
            return self.give_up(node)
        return self._shared(Component(self.read(children[0]), self.text.of(children[1])))

    def _keyword(self, node: Node) -> Expr:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is None or value is None:
            return self.give_up(node)
        return Keyword(self.text.of(name), self.read(value))

    def _section(self, node: Node) -> Expr:
        parts: list[Expr | None] = [None, None, None]
        slot = 0
        for child in node.children:
            if child.is_named:
                if slot > 2:
                    return self.give_up(node)
                parts[slot] = self.read(child)
            else:
                slot += len(self.text.of(child).strip())
        return Section(parts[0], parts[1], parts[2])

    def _array(self, node: Node) -> Expr:
        spec = node.child_by_field_name("type")
        text = "".join(self.text.of(spec).split()) if spec else ""
        return ArrayConstructor(self.read_all(node.named_children), text)

    def _implied_do(self, node: Node) -> Expr:
        items = [c for c in node.named_children if c.type != "loop_control_expression"]
        control = [c for c in node.named_children if c.type == "loop_control_expression"]
        if len(control) != 1 or len(control[0].named_children) not in (3, 4):
            return self.give_up(node)
        parts = self.read_all(control[0].named_children)
        if not isinstance(parts[0], Name):
            return self.give_up(node)
        step = parts[3] if len(parts) == 4 else None
        return ImpliedDo(self.read_all(items), parts[0].id, parts[1], parts[2], step)
