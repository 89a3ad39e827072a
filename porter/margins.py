"""How far original lines are indented, so that inserted lines fit in."""

from collections.abc import Callable, Mapping


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

    def of(self, file: str, line: int) -> int:
        """Blanks before the text of a line; 6 columns at least in fixed form, tabs count one."""
        text = self.lines(file)[line - 1].rstrip(b"\r")
        if self.form(file) == "fixed":
            text = b" " * 6 + text[6:]
        return len(text) - len(text.lstrip())
