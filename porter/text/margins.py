"""How far original lines are indented, so that inserted lines fit in."""

from collections.abc import Callable, Mapping

from acclimate.analysis.source import Lines


class Margins:
    """Indentation by file and line, read from the original bytes."""

    def __init__(self, texts: Mapping[str, bytes], form: Callable[[str], str]) -> None:
        self._texts = texts
        self._lines: dict[str, list[bytes]] = {}
        self.form = form

    def lines(self, file: str) -> list[bytes]:
        """The lines of a file without their ends."""
        if file not in self._lines:
            self._lines[file] = self._texts[file].split(b"\n")
        return self._lines[file]

    def text(self, at: Lines) -> str:
        """The first line of a statement as it stands."""
        return self.lines(at.file)[at.first - 1].rstrip(b"\r").decode("latin-1")

    def comments(self, file: str, first: int, last: int) -> list[str]:
        """Comments on the lines of a free-form statement, each from its exclamation mark on."""
        found = []
        for line in self.lines(file)[first - 1 : last]:
            text = line.decode("latin-1").rstrip()
            start = _comment_start(text)
            if start >= 0:
                found.append(text[start:])
        return found

    def of(self, file: str, line: int) -> int:
        """Blanks before the text of a line; 6 columns at least in fixed form, tabs count one."""
        text = self.lines(file)[line - 1].rstrip(b"\r")
        if self.form(file) == "fixed":
            text = b" " * 6 + text[6:]
        return len(text) - len(text.lstrip())


def _comment_start(text: str) -> int:
    """Where the comment of a line begins, -1 if there is none; quotes are respected."""
    quote = ""
    for column, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter == "!":
            return column
    return -1
