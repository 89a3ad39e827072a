"""From addresses in an executable to lines of the source and names of variables, by binutils."""

import bisect
import re
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from acclimate.analysis.problems import Kind, Problem
from acclimate.verifier.limits import Limits, run_limited

_LIMITS = Limits(wall=120, cpu=120, memory=4096, file=256, processes=8)
_MODULE_PROCEDURE = re.compile(r"__(?P<module>\w+?)_MOD_(?P<name>\w+)")
_OUTLINED = re.compile(r"\._omp_fn\.\d+|\.(?:constprop|isra|part|cold|lto_priv|localalias)\.\d+")


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A line of the source as the compiler recorded it, and the procedure it belongs to."""

    file: str
    line: int
    procedure: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


def places(executable: Path, offsets: Iterable[int]) -> dict[int, Place]:
    """The places of code offsets; those without debug information are left out.

    Raises:
        Problem: addr2line is missing.
    """
    wanted = sorted(set(offsets))
    if not wanted:
        return {}
    listed = "\n".join(hex(offset) for offset in wanted)
    lines = _answer(["addr2line", "-f", "-e", str(executable)], listed)
    found = {}
    for offset, name, where in zip(wanted, lines[::2], lines[1::2], strict=False):
        file, _, line = where.partition(" (")[0].rpartition(":")
        if line.isdigit() and int(line):
            found[offset] = Place(file.removeprefix("./"), int(line), fortran_name(name))
    return found


def variables(executable: Path, offsets: Iterable[int]) -> dict[int, str]:
    """The names of the static variables that hold these offsets.

    Raises:
        Problem: nm is missing.
    """
    wanted = sorted(set(offsets))
    if not wanted:
        return {}
    symbols = []
    for line in _answer(["nm", "-S", "--defined-only", str(executable)], ""):
        fields = line.split()
        if len(fields) == 4 and fields[2].lower() in "bdsr":
            symbols.append((int(fields[0], 16), int(fields[1], 16), fields[3]))
    symbols.sort()
    starts = [start for start, _, _ in symbols]
    found = {}
    for offset in wanted:
        at = bisect.bisect_right(starts, offset) - 1
        if at >= 0 and offset < symbols[at][0] + symbols[at][1]:
            found[offset] = fortran_name(symbols[at][2])
    return found


def fortran_name(symbol: str) -> str:
    """What a gfortran symbol is called in the source: `module::name`, or `name`."""
    plain = _OUTLINED.sub("", symbol)
    match = _MODULE_PROCEDURE.fullmatch(plain)
    if match:
        return f"{match['module']}::{match['name']}"
    if plain in ("MAIN__", "main"):
        return "main program"
    return re.sub(r"\.\d+$", "", plain).removesuffix("_")


def _answer(argv: list[str], arguments: str) -> list[str]:
    """Lines of standard output; more arguments than a command line holds go through a file."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        response = folder / "arguments"
        response.write_text(arguments)
        more = [f"@{response}"] if arguments else []
        done = run_limited([*argv, *more], cwd=folder, limits=_LIMITS, logs=folder / "log")
    if not done.ok:
        raise Problem(
            f"'{argv[0]}' {done.outcome}: {done.last_words}",
            kind=Kind.ENVIRONMENT,
            hint="install binutils",
        )
    return done.stdout.decode("utf-8", "replace").splitlines()
