"""What the oracle saw of each loop, with addresses turned into lines of the original source."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from acclimate.analysis.source import Lines
from acclimate.verifier.limits import Limits, run_limited


@dataclass(frozen=True, slots=True)
class Finding:
    """The first example of a kind of conflict.

    Kinds: "flow", "anti", "output" between two iterations on shared storage; "carried": a private
    variable read with the value of an earlier iteration; "entry": read with the value from before
    the loop; "live-out": read behind the loop; "update": too many places touch a reduction.
    """

    kind: str
    count: int
    earlier: int  # code address, 0 unknown
    later: int
    variable: int  # number of the clause's variable, -1: shared storage
    iterations: tuple[int, int]


@dataclass(slots=True)
class Seen:
    """What one run saw of one loop; `writing` iterations changed something the loop shares."""

    instances: int
    iterations: int
    writing: int
    findings: list[Finding] = field(default_factory=list)
    updates: list[tuple[int, bool, int]] = field(default_factory=list)  # variable, writes, address


@dataclass(slots=True)
class Trial:
    """One process: the loops it reached by number, and whether it came to its end."""

    number: int
    loops: dict[int, Seen] = field(default_factory=dict)
    finished: bool = False


def read_report(path: Path) -> list[Trial]:
    """The trials in a report; a program that is run as it is makes one, number 0."""
    trials: list[Trial] = []
    for line in path.read_text().splitlines() if path.exists() else ():
        word, *rest = line.split()
        if word == "trial":
            trials.append(Trial(int(rest[0])))
            continue
        if not trials:
            trials.append(Trial(0))
        _read_line(trials[-1], word, rest)
    return trials


def _read_line(trial: Trial, word: str, rest: Sequence[str]) -> None:
    match word:
        case "loop":
            number, instances, iterations, writing = map(int, rest)
            trial.loops[number] = Seen(instances, iterations, writing)
        case "found":
            loop, kind, count, earlier, later, variable, first, second = rest
            trial.loops[int(loop)].findings.append(
                Finding(
                    kind,
                    int(count),
                    int(earlier, 16),
                    int(later, 16),
                    int(variable),
                    (int(first), int(second)),
                )
            )
        case "place":
            loop, variable, mode, address = rest
            seen = trial.loops[int(loop)]
            seen.updates.append((int(variable), mode == "w", int(address, 16)))
        case "done":
            trial.finished = True


def lines_of(
    program: Path, source: Path, addresses: Iterable[int], work: Path
) -> Mapping[int, Lines]:
    """The line below the folder `source` of each code address; those without one are left out."""
    wanted = sorted(set(addresses) - {0})
    if not wanted:
        return {}
    given = work / "addresses"
    given.write_text("".join(f"{address - 1:x}\n" for address in wanted))
    argv = ["addr2line", "-e", str(program), f"@{given}"]
    limits = Limits(wall=120.0, cpu=120.0, memory=4096)
    done = run_limited(argv, cwd=work, limits=limits, logs=work / "addr2line")
    found: dict[int, Lines] = {}
    for address, line in zip(wanted, done.stdout.decode().splitlines(), strict=False):
        name, _, number = line.partition(" ")[0].rpartition(":")
        if number.isdigit():
            inside = Path(name).relative_to(source) if Path(name).is_relative_to(source) else name
            found[address] = Lines(str(inside), int(number), int(number))
    return found
