"""tree-sitter's Fortran grammar, and the text of its nodes."""

from functools import cache

import tree_sitter_fortran
from tree_sitter import Language, Node, Parser, Tree


@cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_fortran.language()))


def parse(text: str) -> Tree:
    """The concrete syntax tree of free-form text; one character is one byte for the parser."""
    return _parser().parse(text.encode("ascii", "replace"))


def error_rows(root: Node) -> set[int]:
    """Rows covered by nodes the grammar could not make sense of, or had to invent."""
    rows: set[int] = set()
    pending = [root]
    while pending:
        node = pending.pop()
        if node.type == "ERROR" or node.is_missing:
            last = node.end_point[0] - (node.end_point[1] == 0)
            rows.update(range(node.start_point[0], max(last, node.start_point[0]) + 1))
        elif node.has_error:
            pending.extend(node.children)
    return rows


class NodeText:
    """The text behind a tree: in lower case for names and keywords, as written for strings."""

    __slots__ = ("lower", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.lower = text.lower()

    def of(self, node: Node) -> str:
        """Lower case."""
        return self.lower[node.start_byte : node.end_byte]

    def raw(self, node: Node) -> str:
        """As written."""
        return self.text[node.start_byte : node.end_byte]
