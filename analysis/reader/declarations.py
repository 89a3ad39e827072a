"""Declarations: types, attributes, shapes, COMMON, EQUIVALENCE, NAMELIST, DATA."""

import re
from collections.abc import Iterable
from dataclasses import replace

from tree_sitter import Node

from acclimate.analysis.ir import (
    Dimension,
    Expr,
    Section,
    Shape,
    Star,
    Symbol,
    Unit,
    Unreadable,
)
from acclimate.analysis.reader.expressions import ExpressionReader
from acclimate.analysis.reader.position import Position
from acclimate.analysis.source import Lines

BLANK_COMMON = "blank_common__"
_DECLARATORS = frozenset({"init_declarator", "data_declarator", "pointer_init_declarator"})
_BYTES_PAIR = re.compile(r"\*\s*(\d+)$")


def symbol_of(unit: Unit, name: str, at: Lines) -> Symbol:
    """The unit's symbol of that name, made when it is first spoken of."""
    symbol = unit.symbols.get(name)
    if symbol is None:
        symbol = unit.symbols[name] = Symbol(name=name, at=at, owner=unit)
    return symbol


def settle_shapes(symbols: Iterable[Symbol]) -> None:
    """`(:)` is deferred for allocatables and pointers, assumed for the rest."""
    for symbol in symbols:
        if not symbol.dims:
            continue
        deferred = bool(symbol.attributes & {"allocatable", "pointer"})
        shape = Shape.DEFERRED if deferred else Shape.ASSUMED
        symbol.dims = tuple(
            replace(d, shape=shape) if d.shape in (Shape.ASSUMED, Shape.DEFERRED) else d
            for d in symbol.dims
        )


class DeclarationReader:
    """Lowers the statements of a specification part into symbols of a unit."""

    def __init__(self, expressions: ExpressionReader, position: Position) -> None:
        self._expressions = expressions
        self._text = expressions.text
        self._position = position

    def type_of(self, node: Node) -> tuple[str, str | None]:
        """Type and kind of an `intrinsic_type`, `derived_type` or `procedure` node.

        The kind of CHARACTER is its length as written; `real*8` is kind 8, `complex*16` kind 8,
        DOUBLE PRECISION is REAL of kind `kind(1d0)`.
        """
        text = "".join(self._text.of(node).split())
        if node.type != "intrinsic_type":
            kind = node.child_by_field_name("name") if node.type == "derived_type" else None
            head = text.split("(")[0]
            if kind is None or head not in ("type", "class"):
                return text, None
            return f"{head}({text[len(head) + 1 : -1]})", None
        if text.startswith("double"):
            return ("complex" if "complex" in text else "real"), "kind(1d0)"
        pair = _BYTES_PAIR.search(text)
        name = re.match(r"[a-z]+", text)
        base = name[0] if name else text
        if pair and base != "character":
            size = int(pair[1])
            return base, str(size // 2 if base == "complex" else size)
        rest = text[len(base) :].lstrip("*")
        rest = rest[1:-1] if rest.startswith("(") else rest
        return base, (rest.removeprefix("kind=") or None)

    def variable(self, node: Node, unit: Unit, symbols: dict[str, Symbol]) -> None:
        """A type declaration statement; `symbols` is the unit's, or a derived type's components."""
        type_node = node.child_by_field_name("type")
        if type_node is None:
            return
        type_name, kind = self.type_of(type_node)
        attributes: set[str] = set()
        intent: str | None = None
        dims: tuple[Dimension, ...] = ()
        if type_node.type == "procedure":
            attributes.add("procedure")
            for child in type_node.named_children:
                if child.type == "procedure_attribute":
                    attributes.add("".join(self._text.of(child).split()).split("(")[0])
            type_name = type_name.split(")")[0] + ")"
        for attribute in node.children_by_field_name("attribute"):
            text = "".join(self._text.of(attribute).split())
            if text.startswith("intent"):
                intent = text[7:-1]
            elif text.startswith(("dimension", "codimension")):
                dims = self._dimension_attribute(attribute) or dims
            else:
                attributes.add(text)
        for declarator in node.children_by_field_name("declarator"):
            symbol = self.declarator(declarator, unit, symbols, dims)
            if symbol is None:
                continue
            symbol.type, symbol.kind = type_name, self._own_length(declarator) or kind
            symbol.attributes |= attributes
            symbol.intent = intent or symbol.intent
            self._implied_save(symbol, unit, symbols)

    @staticmethod
    def _implied_save(symbol: Symbol, unit: Unit, symbols: dict[str, Symbol]) -> None:
        initialised = symbol.initial is not None and not symbol.is_parameter
        if initialised and symbols is unit.symbols:
            symbol.attributes |= {"save"}

    def declarator(
        self,
        node: Node,
        unit: Unit,
        symbols: dict[str, Symbol],
        dims: tuple[Dimension, ...] = (),
    ) -> Symbol | None:
        """A name with what stands behind it: bounds, initial value, codimension."""
        initial: Expr | None = None
        if node.type in _DECLARATORS:
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if left is None:
                return None
            initial = self._expressions.read(right) if right is not None else None
            node = left
        coarray = node.type == "coarray_declarator"
        if coarray:
            node = node.named_children[0]
        if node.type == "sized_declarator":
            for child in node.named_children:
                if child.type == "size":
                    dims = self.dimensions(child)
            node = node.named_children[0]
        name = self._text.of(node)
        symbol = symbols.get(name)
        if symbol is None:
            symbol = symbols[name] = Symbol(name=name, at=self._position.at(node), owner=unit)
        symbol.dims = dims or symbol.dims
        symbol.initial = initial if initial is not None else symbol.initial
        if coarray:
            symbol.attributes |= {"codimension"}
        return symbol

    def _own_length(self, node: Node) -> str | None:
        pending = [node]
        while pending:
            current = pending.pop()
            if current.type == "character_length":
                return "".join(self._text.of(current).split()).lstrip("*").strip("()")
            if current.type in ("sized_declarator", *_DECLARATORS):
                pending.extend(current.named_children)
        return None

    def _dimension_attribute(self, node: Node) -> tuple[Dimension, ...]:
        for child in node.named_children:
            if child.type in ("argument_list", "size"):
                return self.dimensions(child)
        return ()

    def dimensions(self, node: Node) -> tuple[Dimension, ...]:
        """Bounds as written; whether `(:)` is assumed or deferred is settled at the unit's end."""
        dims: list[Dimension] = []
        for bound in self._expressions.arguments(node):
            match bound:
                case Section(lower, Star()):
                    dims.append(Dimension(Shape.ASSUMED_SIZE, lower, None))
                case Section(lower, None):
                    dims.append(Dimension(Shape.ASSUMED, lower, None))
                case Section(lower, upper):
                    dims.append(Dimension(Shape.EXPLICIT, lower, upper))
                case Star():
                    dims.append(Dimension(Shape.ASSUMED_SIZE, None, None))
                case Unreadable():
                    dims.append(Dimension(Shape.ASSUMED, None, None))
                case _:
                    dims.append(Dimension(Shape.EXPLICIT, None, bound))
        return tuple(dims)

    def modification(self, node: Node, unit: Unit) -> None:
        """DIMENSION, ALLOCATABLE, POINTER, EXTERNAL, INTENT and the like as statements."""
        attribute = ""
        for child in node.named_children:
            if child.type == "type_qualifier":
                attribute = "".join(self._text.of(child).split())
        for declarator in node.children_by_field_name("declarator"):
            symbol = self.declarator(declarator, unit, unit.symbols)
            if symbol is None:
                continue
            if attribute.startswith("intent"):
                symbol.intent = attribute[7:-1]
            elif not attribute.startswith("dimension"):
                symbol.attributes |= {attribute}

    def parameter(self, node: Node, unit: Unit) -> None:
        for child in node.named_children:
            parts = child.named_children
            if len(parts) == 2:
                symbol = symbol_of(unit, self._text.of(parts[0]), self._position.at(node))
                symbol.attributes |= {"parameter"}
                symbol.initial = self._expressions.read(parts[1])

    def save(self, node: Node, unit: Unit) -> bool:
        """Names in a SAVE statement; True for the blanket SAVE without names."""
        names = [c for c in node.named_children if c.type == "identifier"]
        for name in names:
            symbol_of(unit, self._text.of(name), self._position.at(node)).attributes |= {"save"}
        return not node.named_children

    def common(self, node: Node, unit: Unit) -> None:
        for group in node.named_children:
            block = ""
            for child in group.named_children:
                if child.type == "name":
                    block = self._text.of(child)
                    continue
                symbol = self.declarator(child, unit, unit.symbols)
                if symbol is not None:
                    symbol.common = "" if block == BLANK_COMMON else block
                    unit.symbols[symbol.name] = unit.symbols.pop(symbol.name)  # its place counts

    def equivalence(self, node: Node, unit: Unit) -> None:
        for group in node.named_children:
            unit.equivalences.append(self._expressions.read_all(group.named_children))

    def namelist(self, node: Node, unit: Unit) -> None:
        for group in node.named_children:
            names = [self._text.of(child) for child in group.named_children]
            if names:
                unit.namelists[names[0]] = unit.namelists.get(names[0], ()) + tuple(names[1:])

    def implicit(self, node: Node, unit: Unit) -> None:
        text = "".join(self._text.of(node).split())[len("implicit") :]
        if text.startswith("none"):
            unit.implicit_none = True
            return
        for spec in re.finditer(r"([a-z]+(?:\*\d+|\((?!\w-)[^()]*\))?)\(([a-z,-]+)\)", text):
            for letters in spec[2].split(","):
                first, _, last = letters.partition("-")
                for code in range(ord(first), ord(last or first) + 1):
                    unit.implicit[chr(code)] = spec[1]


_VALUES = re.compile(r"/[^/]*/")
_STRINGS = re.compile(r"'[^']*'|\"[^\"]*\"")


def initialised_names(text: str) -> list[str]:
    """The variables a DATA statement gives values to."""
    objects = _VALUES.sub(",", _STRINGS.sub("0", text[len("data") :].lower()))
    names: list[str] = []
    depth = 0
    for match in re.finditer(r"[a-z]\w*|[(),=]", objects):
        token = match[0]
        if token in "(),=":
            depth += {"(": 1, ")": -1}.get(token, 0)
        elif depth == 0 or objects[match.end() : match.end() + 1] == "(":
            names.append(token)
    return names
