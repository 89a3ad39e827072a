"""Typed access to a TOML table, with errors that name file, line, key and the nearest valid key."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import NoReturn

from acclimate.analysis.problems import Problem
from acclimate.analysis.source import Span


class TomlTable:
    """One table of a TOML file; `path` is its dotted name, empty for the whole file."""

    def __init__(self, file: Path, text: str, values: Mapping[str, object], path: str = "") -> None:
        self.file = file
        self._text = text
        self._values = values
        self._path = path

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def allow(self, *keys: str) -> None:
        """Refuse any other key."""
        for key in self._values:
            if key not in keys:
                near = get_close_matches(key, keys, n=1)
                hint = f"did you mean '{near[0]}'?" if near else f"known: {', '.join(keys)}."
                self.refuse(key, f"unknown key '{self._name(key)}'", hint=hint)

    def refuse(
        self, key: str, what: str, *, notes: tuple[str, ...] = (), hint: str = ""
    ) -> NoReturn:
        raise Problem(what, where=self.place(key), notes=notes, hint=hint)

    def place(self, key: str) -> Span:
        """Where a key stands in the file; its table's head when it cannot be found."""
        inside, table = not self._path, Span(self.file, 1)
        for number, line in enumerate(self._text.splitlines(), start=1):
            head = re.match(r"\s*\[+\s*([^\]]+?)\s*\]", line)
            if head:
                name = head[1].replace('"', "").replace(" ", "")
                inside = name == self._path or (self._path != "" and name.startswith(self._path))
                if name == self._path:
                    table = Span(self.file, number, line.index("[") + 1, len(line.strip()))
                wanted = f"{self._path}.{key}" if self._path else key
                if name == wanted or name.startswith(wanted + "."):
                    return Span(self.file, number, line.index("[") + 1, len(line.strip()))
            match = re.match(rf"(\s*)\"?{re.escape(key)}\"?\s*=", line)
            if match and inside:
                return Span(self.file, number, len(match[1]) + 1, len(key))
        return table

    def table(self, key: str) -> "TomlTable | None":
        value = self._values.get(key)
        if value is None:
            return None
        if not isinstance(value, dict):
            self.refuse(key, f"'{self._name(key)}' must be a table")
        return TomlTable(self.file, self._text, value, self._name(key))

    def tables(self, key: str) -> "tuple[TomlTable, ...]":
        """The tables of an array of tables; each knows the lines it stands on."""
        value = self._values.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            self.refuse(
                key, f"'{self._name(key)}' must be an array of tables: [[{self._name(key)}]]"
            )
        name = self._name(key)
        parts = re.split(rf"(?m)^(?=\s*\[\[\s*{re.escape(name)}\s*\]\])", self._text)
        if len(parts) != len(value) + 1:  # written inline: the whole file is the place
            return tuple(TomlTable(self.file, self._text, item, name) for item in value)
        found, before = [], parts[0].count("\n")
        for item, part in zip(value, parts[1:], strict=True):
            found.append(TomlTable(self.file, "\n" * before + part, item, name))
            before += part.count("\n")
        return tuple(found)

    def size(self, key: str) -> float:
        """A number that is not negative; 0 where the key is absent."""
        value = self._values.get(key, 0)
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not (number and isinstance(value, int | float) and 0 <= value < float("inf")):
            self.refuse(key, f"'{self._name(key)}' must be a number that is not negative")
        assert isinstance(value, int | float)
        return float(value)

    def text(self, key: str, default: str) -> str:
        value = self._values.get(key, default)
        if not isinstance(value, str):
            self.refuse(key, f"'{self._name(key)}' must be a string")
        return value

    def texts(self, key: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        value = self._values.get(key)
        if value is None:
            return default
        if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
            self.refuse(key, f"'{self._name(key)}' must be a list of strings")
        return tuple(value)

    def number(self, key: str, default: float) -> float:
        value = self._values.get(key, default)
        if not isinstance(value, int | float) or isinstance(value, bool) or value <= 0:
            self.refuse(key, f"'{self._name(key)}' must be a positive number")
        return float(value)

    def flag(self, key: str, default: bool) -> bool:
        value = self._values.get(key, default)
        if not isinstance(value, bool):
            self.refuse(key, f"'{self._name(key)}' must be true or false")
        return value

    def raw(self, key: str) -> object:
        return self._values[key]

    def _name(self, key: str) -> str:
        return f"{self._path}.{key}" if self._path else key


def read_toml(file: Path) -> TomlTable:
    """A whole TOML file.

    Raises:
        Problem: it cannot be read, is not UTF-8, or is not TOML (with the line).
    """
    try:
        text = file.read_bytes().decode("utf-8")
    except OSError as error:
        raise Problem(f"cannot read {file}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        line = file.read_bytes()[: error.start].count(b"\n") + 1
        raise Problem(f"{file.name} is not UTF-8", where=Span(file, line)) from None
    try:
        return TomlTable(file, text, tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        match = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        where = Span(file, int(match[1]), int(match[2])) if match else Span(file, 1)
        what = re.sub(r" \(at .*\)$", "", str(error))
        raise Problem(f"{file.name} is not valid TOML: {what}", where=where) from None
