"""Statements of ported procedures with their tokens and the loops around them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from acclimate.analysis import ir
from acclimate.verifier.mutants.material import Material
from acclimate.verifier.texts.statements import Statement, token_spans

_OPENING, _CLOSING = ("(", "[", "(/"), (")", "]", "/)")
_IF = (("if",), ("elseif",))
_BEFORE_SIGN = ("=", "(", ",", "*", "/", "**", "+", "-", "<", ">", "<=", ">=", "==", "/=", ":")


@dataclass(frozen=True)
class Place:
    """One statement: what the reader makes of it (`node`), and how it is written.

    `indices` are those of the DO loops around it, outermost first.
    """

    unit: ir.Unit
    node: ir.Statement
    written: Statement
    indices: tuple[str, ...]

    @cached_property
    def spans(self) -> tuple[tuple[int, int], ...]:
        return token_spans(self.written.text)

    @property
    def tokens(self) -> tuple[str, ...]:
        return self.written.tokens

    def replaced(self, first: int, last: int, text: str) -> str:
        """The statement with its tokens `first` to `last` (not included) written as `text`."""
        begin = self.spans[first][0]
        end = self.spans[last - 1][1] if last > first else begin
        return self.written.text[:begin] + text + self.written.text[end:]

    def text(self, first: int, last: int) -> str:
        """The tokens `first` to `last` (not included) as written."""
        return self.written.text[self.spans[first][0] : self.spans[last - 1][1]]

    @cached_property
    def depths(self) -> tuple[int, ...]:
        """How many parentheses are open at each token; those of a token itself count outside."""
        found, depth = [], 0
        for token in self.tokens:
            depth -= token in _CLOSING
            found.append(depth)
            depth += token in _OPENING
        return tuple(found)

    @property
    def value(self) -> range:
        """The tokens of an assignment's right-hand side."""
        equals = next(
            n for n, t in enumerate(self.tokens) if t in ("=", "=>") and not self.depths[n]
        )
        return range(equals + 1, len(self.tokens))

    @property
    def condition(self) -> range:
        """The tokens between the outermost parentheses of an IF or ELSE IF statement."""
        first = self.tokens.index("(")
        last = next(n for n in range(first + 1, len(self.tokens)) if not self.depths[n])
        return range(first + 1, last)

    def is_binary(self, number: int) -> bool:
        """Whether a sign stands between two operands."""
        return number > 0 and not (
            self.tokens[number - 1] in _BEFORE_SIGN or self.tokens[number - 1].startswith(".")
        )

    def closing(self, opened: int) -> int:
        """The parenthesis that closes the one at `opened`."""
        return next(
            n for n in range(opened + 1, len(self.tokens)) if self.depths[n] == self.depths[opened]
        )

    def arguments(self, opened: int) -> tuple[range, ...]:
        """The tokens of each argument behind the parenthesis at `opened`."""
        end, inner = self.closing(opened), self.depths[opened] + 1
        commas = [
            n for n in range(opened + 1, end) if self.tokens[n] == "," and self.depths[n] == inner
        ]
        starts, ends = [opened + 1, *(n + 1 for n in commas)], [*commas, end]
        return tuple(range(a, b) for a, b in zip(starts, ends, strict=True))

    def subscripts(self, within: range, material: Material) -> Iterator[range]:
        """Every subscript of every array element or section in a stretch of tokens."""
        for number in within:
            following = self.tokens[number + 1 : number + 2] == ("(",)
            if following and self._is_array(number, material):
                yield from self.arguments(number + 1)

    def _is_array(self, number: int, material: Material) -> bool:
        if number and self.tokens[number - 1] == "%":
            return True
        symbol = material.variable(self.unit, self.tokens[number])
        return symbol is not None and symbol.is_array


def places(material: Material) -> Iterator[Place]:
    """The statements of all ported procedures that have lines of their own."""
    for unit in material.ported:
        yield from _in_body(material, unit, unit.body, ())


def _in_body(
    material: Material, unit: ir.Unit, body: list[ir.Statement], indices: tuple[str, ...]
) -> Iterator[Place]:
    for node in body:
        written = material.statement(node.at) if node.at.file in material.files else None
        if written is not None:
            yield Place(unit, node, written, indices)
        if isinstance(node, ir.Do):
            inner = (*indices, node.index) if node.index else indices
            yield from _in_body(material, unit, node.body, inner)
        elif isinstance(node, ir.If | ir.Where):
            for branch in node.branches:
                alone = branch.body[0] if len(branch.body) == 1 else None
                if alone is None or alone.at != node.at:  # a one-line IF is one statement
                    yield from _in_body(material, unit, branch.body, indices)
        elif isinstance(node, ir.Associate):
            yield from _in_body(material, unit, node.body, indices)


def branches(material: Material) -> Iterator[tuple[Place, ir.Branch]]:
    """IF and ELSE IF statements with their conditions, one-line IFs included."""
    for place in places(material):
        node = place.node
        if not isinstance(node, ir.If) or place.tokens[:1] == ("select",):
            continue
        for branch in node.branches:
            written = material.statement(branch.at)
            if written is None or branch.condition is None:
                continue
            if written.tokens[:1] in _IF or written.tokens[:2] == ("else", "if"):
                yield Place(place.unit, node, written, place.indices), branch
