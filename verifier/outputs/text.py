"""Formatted output: tables by column, the numbers of every other line, and the words between.

A table is a line of names and, directly below it, lines of as many numbers and nothing else.
"""

import re
from pathlib import Path

import numpy as np

from acclimate.verifier.outputs import Field, stream_binary

EXTENSIONS = (".txt", ".dat", ".csv", ".log", ".out", ".stdout")
_NUMBER = re.compile(
    r"(?:(?<![\w.])[+-]?|(?<=\d)[+-])(?:\d+\.?\d*(?:[eEdD][+-]?\d+|[+-]\d{3})?|\.\d+(?:[eEdD][+-]?\d+)?"
    r"|nan|inf(?:inity)?)(?![\w.])",
    re.IGNORECASE,
)
_PARTS = re.compile(r"[+-]?\d*(?:\.(?P<decimals>\d*))?(?:[eEdD]?(?P<exponent>[+-]?\d+))?")
_THREE_DIGIT_EXPONENT = re.compile(r"(?<=\d)([+-]\d{3})$")  # 1.0-101, as Fortran prints it


def read(path: Path) -> dict[str, Field]:
    """One variable for each column of a table, named by its head; `numbers`: all other numbers.

    All are float64, in order. `words`: each line with `#` for a number. A column called `step`
    numbers the rows of its table. Stars in place of a number (a field too narrow) stay in the
    words. A file that holds a zero byte is no text, whatever it is called, and is read as binary.
    """
    data = path.read_bytes()
    if b"\0" in data:
        return stream_binary.read(path)
    lines = data.decode("latin-1").splitlines()
    found = [_NUMBER.findall(line) for line in lines]
    words = [" ".join(_NUMBER.sub("#", line).split()) for line in lines]
    fields: dict[str, Field] = {}
    loose: list[tuple[int, int]] = []  # row and column, counted from 0, of numbers in no table
    row = 0
    while row < len(lines):
        names = _names(lines[row]) if row + 1 < len(lines) else []
        end = _end_of_table(found, words, row + 1, len(names)) if names else row + 1
        loose += [(row, column) for column in range(len(found[row]))]
        if end > row + 1:
            fields |= _columns(names, found, range(row + 1, end), fields)
        row = max(end, row + 1)
    texts = [found[row][column] for row, column in loose]
    places = tuple(f"line {row + 1}, number {column + 1}" for row, column in loose)
    fields["numbers"] = _field(texts, places, None)
    fields["words"] = Field(
        np.array(words, np.str_), places=tuple(f"line {n}" for n in range(1, len(words) + 1))
    )
    return fields


def _names(line: str) -> list[str]:
    """The names a line gives to columns: at least two words, none of them a number.

    A first word with a colon is the title of the table.
    """
    names = line.strip().lstrip("#!").replace(",", " ").split()
    names = names[1:] if names and names[0].endswith(":") else names
    named = len(names) >= 2 and len(set(names)) == len(names)
    return names if named and not any(_NUMBER.fullmatch(name) for name in names) else []


def _end_of_table(found: list[list[str]], words: list[str], row: int, width: int) -> int:
    """The first row behind `row` that is not `width` numbers and nothing else."""
    while row < len(found) and len(found[row]) == width and not words[row].strip("#, ;"):
        row += 1
    return row


def _columns(
    names: list[str], found: list[list[str]], rows: range, taken: dict[str, Field]
) -> dict[str, Field]:
    places = tuple(f"line {row + 1}" for row in rows)
    columns = [[found[row][number] for row in rows] for number in range(len(names))]
    lowered = [name.lower() for name in names]
    steps: tuple[int, ...] | None = None
    if "step" in lowered:
        counted = [_value(text) for text in columns[lowered.index("step")]]
        if all(step.is_integer() for step in counted) and len(set(counted)) == len(counted):
            steps = tuple(int(step) for step in counted)
    again = sum(name.split(" (")[0] == names[0] for name in taken)
    suffix = f" ({again + 1})" if again else ""
    return {
        name + suffix: _field(column, places, steps)
        for name, column in zip(names, columns, strict=True)
    }


def _field(texts: list[str], places: tuple[str, ...], steps: tuple[int, ...] | None) -> Field:
    values = np.array([_value(text) for text in texts], np.float64)
    digits = np.array([_last_digit(text) for text in texts], np.float64)
    return Field(values, places=places, records=steps, last_digit=digits)


def _last_digit(text: str) -> float:
    """What one in the last digit of a number is worth: 0.01 for 3.14, 10 for 1.5E+02, 1 for 7."""
    shown = _PARTS.fullmatch(text)
    if shown is None:
        return 0.0
    exponent = int(shown["exponent"] or 0) - len(shown["decimals"] or "")
    return float(10.0**exponent) if -300 < exponent < 300 else 0.0


def _value(text: str) -> float:
    plain = text.lower().replace("d", "e") if "n" not in text.lower() else text
    return float(_THREE_DIGIT_EXPONENT.sub(r"e\1", plain) if "e" not in plain else plain)
