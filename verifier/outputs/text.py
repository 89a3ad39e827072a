"""Formatted output: the numbers of every line, and the words between them."""

import re
from pathlib import Path

import numpy as np

from acclimate.verifier.outputs import Field, raw

EXTENSIONS = (".txt", ".dat", ".csv", ".log", ".out", ".stdout")
_NUMBER = re.compile(
    r"(?:(?<![\w.])[+-]?|(?<=\d)[+-])(?:\d+\.?\d*(?:[eEdD][+-]?\d+|[+-]\d{3})?|\.\d+(?:[eEdD][+-]?\d+)?"
    r"|nan|inf(?:inity)?)(?![\w.])",
    re.IGNORECASE,
)
_THREE_DIGIT_EXPONENT = re.compile(r"(?<=\d)([+-]\d{3})$")  # 1.0-101, as Fortran prints it


def read(path: Path) -> dict[str, Field]:
    """`numbers`: every number in order, as float64; `words`: each line with `#` for a number.

    Stars in place of a number (a field too narrow) stay in the words. A file that holds a zero
    byte is no text, whatever it is called, and is its bytes.
    """
    data = path.read_bytes()
    if b"\0" in data:
        return raw.read(path)
    lines = data.decode("latin-1").splitlines()
    numbers: list[float] = []
    places: list[str] = []
    words: list[str] = []
    for row, line in enumerate(lines, 1):
        found = _NUMBER.findall(line)
        numbers += map(_value, found)
        places += [f"line {row}, number {column}" for column in range(1, len(found) + 1)]
        words.append(" ".join(_NUMBER.sub("#", line).split()))
    return {
        "numbers": Field(np.array(numbers, np.float64), places=tuple(places)),
        "words": Field(
            np.array(words, np.str_), places=tuple(f"line {n}" for n in range(1, len(words) + 1))
        ),
    }


def _value(text: str) -> float:
    plain = text.lower().replace("d", "e") if "n" not in text.lower() else text
    return float(_THREE_DIGIT_EXPONENT.sub(r"e\1", plain) if "e" not in plain else plain)
