"""Outputs of a run by variable and time step: a variable is one thing in all the files it is in."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from acclimate.verifier.comparing.comparison import Outputs
from acclimate.verifier.outputs import Field

NO_STEP = -1  # of what a run writes once, in a file that names no step
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class History:
    """Fields by variable and step, and the files that could not be read, with reasons.

    A variable is called `file:name`, with `*` for the step in the name of the file.
    """

    fields: Mapping[str, Mapping[int, Field]]
    unreadable: tuple[str, ...] = ()

    @property
    def steps(self) -> tuple[int, ...]:
        return tuple(sorted({step for fields in self.fields.values() for step in fields}))


def history(outputs: Outputs, patterns: Iterable[str]) -> History:
    """Sort the fields of a run; `patterns` are the globs of its output files.

    The step is the last number in what a `*` stands for, or the number of a record in the file.
    """
    known = tuple(patterns)
    fields: dict[str, dict[int, Field]] = {}
    for name, field in outputs.fields.items():
        file, _, variable = name.partition(":")
        series, step = series_of(file, known)
        key = f"{series}:{variable}"
        if field.records is None:
            fields.setdefault(key, {})[step] = field
        else:
            fields.setdefault(key, {}).update(_records(field, field.records))
    return History(fields, outputs.unreadable)


def series_of(file: str, patterns: Iterable[str]) -> tuple[str, int]:
    """The name a file shares with those of other steps, and its own step.

    >>> series_of("dump_000012.fld", ["dump_*.fld"])
    ('dump_*.fld', 12)
    >>> series_of("diag2.txt", ["diag2.txt"])
    ('diag2.txt', -1)
    """
    for pattern in patterns:
        if pattern.count("*") != 1 or not fnmatchcase(file, pattern):
            continue
        before, after = pattern.split("*")
        numbers = list(_NUMBER.finditer(file, len(before), len(file) - len(after)))
        if numbers:
            last = numbers[-1]
            return f"{file[: last.start()]}*{file[last.end() :]}", int(last[0])
    return file, NO_STEP


def selected(variable: str, patterns: Iterable[str]) -> bool:
    """Whether one of the patterns means a variable: its whole name, or the part behind the file."""
    short = variable.partition(":")[2]
    return any(
        name == pattern or fnmatchcase(name, pattern)
        for pattern in patterns
        for name in (variable, short)
    )


def _records(field: Field, records: tuple[int, ...]) -> dict[int, Field]:
    digits = field.last_digit
    return {
        step: replace(
            field,
            values=field.values[..., number],
            lower=field.lower[:-1],
            places=None,
            records=None,
            last_digit=None if digits is None else digits[..., number],
        )
        for number, step in enumerate(records)
    }
