"""Time of procedures, from a gprof flat profile or a table `procedure,seconds`."""

import csv
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from acclimate.analysis.problems import Problem
from acclimate.analysis.source import Span

_FLAT = re.compile(r"\s*[\d.]+\s+[\d.]+\s+(?P<seconds>\d+\.\d+)\s+(?:[\d.]+\s+)*(?P<name>\S+)$")
_MODULE = re.compile(r"__(?P<module>\w+)_MOD_(?P<name>\w+)$", re.IGNORECASE)
_INNER = re.compile(r"(?P<name>\w+?)\.\d+$")
_TOOLS = re.compile(r"\.(?:constprop|isra|part|cold|_omp_fn|lto_priv)\.?\d*")


@dataclass(frozen=True, slots=True)
class Profile:
    """Seconds of each procedure by qualified name, callees left out; names that are not known."""

    seconds: dict[str, float]
    unknown: tuple[tuple[str, float], ...]  # the longest first


def read_profile(path: Path, procedures: Iterable[tuple[str, str]]) -> Profile:
    """`procedures`: qualified names with their kinds.

    Names of gfortran's and ifort's objects (`__module_MOD_name`, `module_mp_name_`, `name_`,
    `MAIN__`) are understood, and clones of a procedure are added to it.

    Raises:
        Problem: the file cannot be read, or is neither kind of profile.
    """
    try:
        text = path.read_text("utf-8", "replace")
    except OSError as error:
        raise Problem(f"cannot read {path}: {error.strerror}", hint="name a profile") from error
    rows = _flat(text) if "self" in text and "cumulative" in text else _table(path, text)
    known = _Names(procedures)
    seconds: dict[str, float] = defaultdict(float)
    unknown: dict[str, float] = defaultdict(float)
    for name, time in rows:
        found = known.find(name)
        if found is None:
            unknown[name] += time
        else:
            seconds[found] += time
    if not seconds:
        raise Problem(
            f"{path} names no procedure of this model",
            notes=tuple(f"it names {name}" for name, _ in rows[:3]),
            hint="give the flat profile of gprof, or a table with the heading procedure,seconds",
        )
    longest = sorted(unknown.items(), key=lambda item: (-item[1], item[0]))
    return Profile(dict(seconds), tuple(longest))


def _flat(text: str) -> list[tuple[str, float]]:
    """The rows of gprof's flat profile, which ends at the first blank line behind them."""
    rows: list[tuple[str, float]] = []
    for line in text.splitlines():
        match = _FLAT.match(line)
        if match:
            rows.append((match["name"], float(match["seconds"])))
        elif rows:
            break
    return rows


def _table(path: Path, text: str) -> list[tuple[str, float]]:
    rows: list[tuple[str, float]] = []
    for number, row in enumerate(csv.reader(text.splitlines()), 1):
        if not row or row[0].lstrip().startswith("#"):
            continue
        try:
            rows.append((row[0].strip(), float(row[1])))
        except (IndexError, ValueError):
            if not rows and number == 1:
                continue  # the heading
            raise Problem(
                "this is no row of a profile",
                where=Span(path, number),
                hint="each row is procedure,seconds; or give the flat profile of gprof",
            ) from None
    return rows


class _Names:
    def __init__(self, procedures: Iterable[tuple[str, str]]) -> None:
        self._known: dict[str, str] = {}
        self._short: dict[str, list[str]] = defaultdict(list)
        self._program: str | None = None
        for name, kind in procedures:
            self._known[name] = name
            self._short[name.rpartition("::")[2]].append(name)
            if kind == "program":
                self._program = name

    def find(self, name: str) -> str | None:
        """The procedure a profiler means; a short name only where one procedure has it."""
        name = _TOOLS.sub("", name).lower()
        if name in ("main__", "main"):
            return self._program
        match = _MODULE.match(name)
        if match:
            name = f"{match['module']}::{match['name']}"
        elif "_mp_" in name:
            module, _, rest = name.partition("_mp_")
            name = f"{module}::{rest.rstrip('_')}"
        inner = _INNER.match(name)
        for candidate in (name, name.rstrip("_"), inner["name"] if inner else name):
            if candidate in self._known:
                return candidate
            named = self._short.get(candidate.rpartition("::")[2], [])
            if len(named) == 1 and "::" not in candidate:
                return named[0]
        return None
