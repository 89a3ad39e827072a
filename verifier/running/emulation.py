"""Run an OpenACC program on the CPU as if it had a discrete device, and read what was seen.

The runtime (see runtime/README.md) stands between the program and libgomp: device memory is
separate and poisoned, every transfer and launch is counted, and defects become findings. A program
built for the access log also reports races between iterations and reads of stale copies.
"""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from acclimate.analysis.problems import Kind, Problem
from acclimate.verifier.limits import Limits, run_limited
from acclimate.verifier.running.code_places import Place, places, variables

RUNTIME = Path(__file__).parents[1] / "runtime"
LIBRARY = "libacclimate_emulation.so"
COMPILER = "gcc"

POISONS = (0xFF, 0x5A)  # bytes: NaN for reals; large and finite, because max and min swallow NaN
EXIT_FINDING = 97  # the program was stopped by a finding

_COMPILE = ("-std=gnu11", "-O2", "-fPIC", "-shared", "-fvisibility=hidden")
_LIMITS = Limits(wall=120, cpu=120, memory=2048, file=64, processes=16)
_SCHEMA = 1


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Updates that are not made, by the code offsets of their calls (`Transfer.call`).

    The run ends at the first read of a stale copy. `spoiled`: it does not, and where the updates
    would bring other bytes there is poison, to show whether anything depends on them.
    """

    calls: frozenset[int] = frozenset()
    spoiled: bool = False


NOTHING_LEFT_OUT = LeftOut()


@dataclass(frozen=True, slots=True)
class Runtime:
    """The compiled runtime."""

    library: Path

    @property
    def link_flags(self) -> tuple[str, ...]:
        """For a build with the access log, which calls the runtime directly."""
        return (str(self.library), f"-Wl,-rpath,{self.library.parent}")

    def environment(
        self, report: Path, poison: int = POISONS[0], left_out: LeftOut = NOTHING_LEFT_OUT
    ) -> dict[str, str]:
        """Variables to add for a run. `report` gets the summary as JSON, with several MPI ranks
        one file per rank (see `reports`)."""
        preloaded = os.environ.get("LD_PRELOAD")
        added = {
            "LD_PRELOAD": f"{self.library}:{preloaded}" if preloaded else str(self.library),
            "ACCLIMATE_REPORT": str(report),
            "ACCLIMATE_POISON": hex(poison),
        }
        if left_out.calls:
            added["ACCLIMATE_LEAVE_OUT"] = ",".join(map(hex, sorted(left_out.calls)))
            added["ACCLIMATE_SPOIL" if left_out.spoiled else "ACCLIMATE_STOP"] = "1"
        return added


@dataclass(frozen=True, slots=True)
class Kernel:
    """One compute construct: what its launches cost together. Times are those of the CPU."""

    at: Place | None
    launches: int
    seconds: float
    bytes_to_device: int  # by its own clauses
    bytes_to_host: int


@dataclass(frozen=True, slots=True)
class Transfer:
    """One directive that moves or allocates data, one direction. Up to 64 B counts as small.

    `call` is where the program calls it: an offset in its code.
    """

    at: Place | None
    call: int | None
    reason: str  # enter | exit | update | kernel | region | declare | api
    direction: str  # to-device | to-host | allocation
    count: int
    bytes: int
    changed: int  # copies that altered something, small ones included
    small_count: int
    small_bytes: int


@dataclass(frozen=True, slots=True)
class Finding:
    """A defect at one place, seen `count` times.

    `at` is the directive, or the statement that reads or writes; `writer` the statement behind the
    newer copy; `mapped_at` the directive that brought the data to the device; `variable` its name
    where it has static storage; `offset` the byte in it; `loop` the number of the governed loop
    whose iterations collide and `iterations` the two, folded as iteration_marks.py folds them.
    """

    kind: str
    error: bool
    detail: str
    count: int
    at: Place | None
    writer: Place | None
    mapped_at: Place | None
    variable: str | None
    variable_bytes: int
    offset: int
    loop: int | None
    iterations: tuple[int, int] | None

    @property
    def message(self) -> str:
        """One sentence for a report."""
        name = f" '{self.variable}'" if self.variable else ""
        parts = [f"{self.detail}{name}"]
        if self.mapped_at:
            parts.append(f"mapped at {self.mapped_at}")
        if self.writer:
            parts.append(f"last written at {self.writer}")
        if self.variable_bytes:
            parts.append(f"byte {self.offset} of {self.variable_bytes}")
        return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class EmulationSummary:
    """What one process did. Bytes and counts of transfers leave out those of 64 B and less."""

    ended: str  # exit | finding | signal
    poison: int
    accesses_logged: bool
    launches: int
    host_launches: int  # the IF clause was false
    asynchronous: int
    waits: int
    left_out: int  # updates that were asked to be left out of this run
    to_device: int
    bytes_to_device: int
    to_host: int
    bytes_to_host: int
    small_to_device: int
    small_to_host: int
    peak_bytes: int
    mapped_at_exit: int
    bytes_mapped_at_exit: int
    processor_seconds: float
    kernel_seconds: float
    runtime_seconds: float  # spent in the emulation itself
    kernels: tuple[Kernel, ...]
    transfers: tuple[Transfer, ...]
    findings: tuple[Finding, ...]
    findings_dropped: int

    @property
    def kernel_share(self) -> float:
        """The share of the model's own CPU time that was spent inside kernels, 0 to 1."""
        own = self.processor_seconds - self.runtime_seconds
        return min(1.0, self.kernel_seconds / own) if own > 0 else 0.0

    @property
    def errors(self) -> tuple[Finding, ...]:
        return tuple(f for f in self.findings if f.error)


def build_runtime(work: Path) -> Runtime:
    """Compile the runtime into `work`, once for each content and compiler.

    Raises:
        Problem: the C compiler is missing or refuses.
    """
    sources = sorted(RUNTIME.glob("*.c"))
    digest = hashlib.sha256(repr((COMPILER, _COMPILE)).encode())
    for path in sorted(RUNTIME.glob("*.[ch]")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    folder = work / "emulation" / digest.hexdigest()[:16]
    library = folder / LIBRARY
    if library.is_file():
        return Runtime(library)
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = folder / f"{LIBRARY}.{os.getpid()}"
    argv = [COMPILER, *_COMPILE, f"-Wl,-soname,{LIBRARY}", "-o", str(unfinished)]
    argv += [*map(str, sources), "-ldl"]
    done = run_limited(argv, cwd=folder, limits=_LIMITS, logs=folder / f"log.{os.getpid()}")
    if not done.ok:
        raise Problem(
            f"the emulation runtime does not build: {COMPILER} {done.outcome}.",
            kind=Kind.ENVIRONMENT,
            notes=(done.last_words,),
            hint="install gcc and the C library's headers",
        )
    unfinished.replace(library)
    return Runtime(library)


def reports(report: Path) -> tuple[Path, ...]:
    """The files a run left: `report` itself, or `report.0`, `report.1`, ... of MPI ranks."""
    if report.is_file():
        return (report,)
    ranks = [p for p in report.parent.glob(f"{report.name}.*") if p.suffix[1:].isdigit()]
    return tuple(sorted(ranks, key=lambda p: int(p.suffix[1:])))


def read_summary(report: Path) -> EmulationSummary | None:
    """Read one process's report and find the lines behind its addresses.

    None: there is no whole report; the program never came to an OpenACC construct, or was killed.

    Raises:
        Problem: binutils are missing.
    """
    try:
        raw = json.loads(report.read_text("utf-8", "replace"))
    except (OSError, json.JSONDecodeError):
        return None
    if raw["schema"] != _SCHEMA:
        return None
    found = _Places(raw)
    totals = {k: v for k, v in raw["totals"].items() if not k.startswith("small_bytes")}
    return EmulationSummary(
        ended=raw["ended"],
        poison=raw["poison"],
        accesses_logged=raw["accesses_logged"],
        **totals,
        kernels=tuple(_kernel(k, found) for k in raw["kernels"]),
        transfers=tuple(_transfer(t, found) for t in raw["transfers"]),
        findings=tuple(_finding(f, found) for f in raw["findings"]),
        findings_dropped=raw["findings_dropped"],
    )


class _Places:
    """All addresses of a report, looked up with one call per executable."""

    def __init__(self, raw: Mapping[str, Any]) -> None:
        code: dict[int, list[int]] = {}
        data: dict[int, list[int]] = {}
        for key, (module, offset) in _addresses(raw):
            (data if key == "object" else code).setdefault(module, []).append(offset)
        paths = [Path(name) for name in raw["modules"]]
        self._code = {m: places(paths[m], offsets) for m, offsets in code.items()}
        self._data = {m: variables(paths[m], offsets) for m, offsets in data.items()}

    def code(self, address: list[int] | None) -> Place | None:
        return self._code[address[0]].get(address[1]) if address else None

    def data(self, address: list[int] | None) -> str | None:
        return self._data[address[0]].get(address[1]) if address else None


def _addresses(raw: Mapping[str, Any]) -> Iterator[tuple[str, tuple[int, int]]]:
    for record in (*raw["kernels"], *raw["transfers"], *raw["findings"]):
        for key in ("at", "writer", "mapped_at", "object"):
            if record.get(key):
                yield key, tuple(record[key])


def _kernel(raw: Mapping[str, Any], found: _Places) -> Kernel:
    return Kernel(
        found.code(raw["at"]),
        raw["launches"],
        raw["microseconds"] / 1e6,
        raw["bytes_to_device"],
        raw["bytes_to_host"],
    )


def _transfer(raw: Mapping[str, Any], found: _Places) -> Transfer:
    call = raw["at"][1] if raw["at"] else None
    return Transfer(**{**raw, "at": found.code(raw["at"]), "call": call})


def _finding(raw: Mapping[str, Any], found: _Places) -> Finding:
    return Finding(
        kind=raw["kind"],
        error=raw["error"],
        detail=raw["detail"],
        count=raw["count"],
        at=found.code(raw["at"]),
        writer=found.code(raw["writer"]),
        mapped_at=found.code(raw["mapped_at"]),
        variable=found.data(raw["object"]),
        variable_bytes=raw["object_bytes"],
        offset=raw["offset"],
        loop=raw["loop"] or None,
        iterations=(raw["iterations"][0], raw["iterations"][1]) if raw["loop"] else None,
    )
