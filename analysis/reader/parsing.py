"""tree-sitter's Fortran grammar, and the text of its nodes."""

from threading import local
from time import process_time

import tree_sitter_fortran
from tree_sitter import Language, Node, Parser, Tree

SECONDS = 30.0  # of processor time for one file; the slowest real ones seen take one
_PIECE = 1 << 16
_SHORT = 1 << 12


_of_thread = local()


def _parser() -> Parser:
    """This thread's own: a parser that two threads enter ends the process."""
    found: Parser | None = getattr(_of_thread, "parser", None)
    if found is None:
        found = _of_thread.parser = Parser(Language(tree_sitter_fortran.language()))
    return found


class Parsing:
    """Parses the texts of one file, which all together may take `SECONDS`.

    The grammar recovers from errors slowly: 30 s are enough for a tenth of a million statements
    that are all wrong, and for a hundred times as many that are right.
    """

    def __init__(self) -> None:
        self._until = process_time() + SECONDS

    def parse(self, text: str) -> Tree:
        """The concrete syntax tree of free-form text; one character is one byte for the parser.

        Raises:
            TimeoutError: the time is up.
        """
        data = text.encode("ascii", "replace")
        if process_time() > self._until:
            raise TimeoutError
        if len(data) < _SHORT:
            return _parser().parse(data)
        try:
            return _parser().parse(
                lambda start, _: data[start : start + _PIECE],
                progress_callback=lambda _offset, _wrong: process_time() > self._until,
            )
        except ValueError:  # how the parser says that it was stopped
            _parser().reset()
            raise TimeoutError from None


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
