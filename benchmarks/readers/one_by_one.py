"""Read files with fparser or PSyclone, one JSON line each: what they cost and what they gave.

usage: one_by_one.py fparser|psyclone < list of files

Runs in the competitors' own environment and imports nothing of Acclimate.
"""

import json
import resource
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType

SECONDS_PER_FILE = 120  # of processor time


class OutOfTimeError(Exception):
    """A file took longer than a competitor gets for one."""


def fparser_reader() -> Callable[[str], list[list[object]]]:
    """The whole file as a tree; no verdicts."""
    from fparser.common.readfortran import FortranFileReader
    from fparser.two.parser import ParserFactory

    parser = ParserFactory().create(std="f2008")

    def read(file: str) -> list[list[object]]:
        parser(FortranFileReader(file, ignore_comments=True))
        return []

    return read


def psyclone_reader() -> Callable[[str], list[list[object]]]:
    """PSyIR, and for each loop [line, is it parallel, why not]."""
    from psyclone.psyir.frontend.fortran import FortranReader
    from psyclone.psyir.nodes import Loop
    from psyclone.psyir.tools import DependencyTools

    def read(file: str) -> list[list[object]]:
        tree = FortranReader().psyir_from_file(file)
        found: list[list[object]] = []
        for loop in tree.walk(Loop):
            tools = DependencyTools()
            parallel = bool(tools.can_loop_be_parallelised(loop))
            reasons = [str(message)[:160] for message in tools.get_all_messages()]
            found.append([_line(loop), parallel, reasons[0] if reasons else ""])
        return found

    return read


def _line(loop: object) -> int:
    """The line of the DO statement; 0 where PSyclone made the loop itself (array syntax)."""
    tree = getattr(loop, "_ast", None)
    first = tree.content[0] if getattr(tree, "content", None) else None
    item = getattr(first, "item", None)
    return int(item.span[0]) if item is not None else 0


def _out_of_time(number: int, frame: FrameType | None) -> None:
    raise OutOfTimeError(f"more than {SECONDS_PER_FILE} s")


def main() -> None:
    read = {"fparser": fparser_reader, "psyclone": psyclone_reader}[sys.argv[1]]()
    signal.signal(signal.SIGVTALRM, _out_of_time)
    for line in sys.stdin:
        file, start = line.rstrip("\n"), time.process_time()
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS_PER_FILE)
        loops: list[list[object]] = []
        error = ""
        try:
            loops = read(file)
        except Exception as problem:  # whatever a competitor raises is a file it did not read
            error = f"{type(problem).__name__}: {problem}".splitlines()[0][:160]
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        seconds = time.process_time() - start
        lines = Path(file).read_bytes().count(b"\n")
        row = {"file": file, "lines": lines, "seconds": seconds, "error": error, "loops": loops}
        print(json.dumps(row), flush=True)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"peak_mib": peak / 1024}))


if __name__ == "__main__":
    main()
