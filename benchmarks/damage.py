"""Damaged sources by the thousand: no crash, no hang, nothing written outside the cache.

    python benchmarks/damage.py FOLDER [--count 5000] [--first 0]

Each seed takes some Fortran files of FOLDER, damages four, each in a way of its own, and runs
`acclimate analyze --json` on the tree in a process of its own. A seed fails if the command does not
end within a minute of processor time, ends by a signal or as a bug, or leaves the tree, the home,
the current or the temporary folder other than they were. Prints what the commands ended with, by
kind of damage; exit code 1 if one failed.
"""

import argparse
import hashlib
import os
import random
import resource
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

from acclimate.workflows.cli import main as acclimate

_TOGETHER = 4  # damaged sources in a tree
_PROCESSOR, _WALL = 60, 600  # s, for one command
_ENDED_WELL = (0, 2, 3)  # done, misused with a message, inconclusive
_TOO_LATE = (-signal.SIGKILL, -signal.SIGXCPU, -signal.SIGALRM)
_DEEP = 10_000
_LONG = 1_000_000

_Damage = Callable[[random.Random, bytes], bytes]


def _cut(chance: random.Random, data: bytes) -> bytes:
    return data[: chance.randrange(len(data))]


def _shuffled(chance: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    chance.shuffle(lines)
    return b"\n".join(lines)


def _lines_lost(chance: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    for _ in range(chance.randrange(1, 6)):
        lines.pop(chance.randrange(len(lines)))
        if not lines:
            break
    return b"\n".join(lines)


def _lines_repeated(chance: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    for _ in range(chance.randrange(1, 6)):
        lines.insert(chance.randrange(len(lines)), chance.choice(lines))
    return b"\n".join(lines)


def _bytes_flipped(chance: random.Random, data: bytes) -> bytes:
    flipped = bytearray(data)
    for _ in range(chance.randrange(1, 40)):
        flipped[chance.randrange(len(flipped))] = chance.randrange(256)
    return bytes(flipped)


def _within(chance: random.Random, data: bytes, inserted: bytes) -> bytes:
    lines = data.split(b"\n")
    lines.insert(chance.randrange(len(lines)), inserted)
    return b"\n".join(lines)


def _nul_bytes(chance: random.Random, data: bytes) -> bytes:
    return _within(chance, data, b"\0" * chance.randrange(1, 10_000))


def _nested(chance: random.Random, data: bytes) -> bytes:
    opened = chance.choice(
        [b"x = " + b"(" * _DEEP, b"do i = 1, n\n" * _DEEP, b"if (a) then\n" * _DEEP,
         b"#if A\n" * _DEEP, b"x = " + b"f(" * _DEEP + b"1" + b")" * _DEEP, b"block\n" * _DEEP]
    )  # fmt: skip
    return _within(chance, data, opened)


def _long_line(chance: random.Random, data: bytes) -> bytes:
    piece = chance.choice([b"x", b"a+", b"'", b"& ", b"1,", b"!", b" ", b"a(1)%", b"\\", b"&\n&"])
    return _within(chance, data, b"y = " + piece * (_LONG // len(piece)))


def _included(chance: random.Random, data: bytes) -> bytes:
    name = chance.choice([b"cycle.inc", b"damaged0.f90", b"gone.inc", b"/etc/passwd", b"loop/x"])
    form = chance.choice([b"include '%s'", b'#include "%s"'])
    return _within(chance, data, form % name)


_DAMAGES: Mapping[str, _Damage] = {
    "cut": _cut,
    "lines shuffled": _shuffled,
    "lines lost": _lines_lost,
    "lines repeated": _lines_repeated,
    "bytes flipped": _bytes_flipped,
    "NUL bytes": _nul_bytes,
    "nested deeply": _nested,
    "a long line": _long_line,
    "includes": _included,
}


def _make_tree(chance: random.Random, sources: list[Path], tree: Path) -> list[str]:
    """Some of the sources, four of them damaged; the kinds of damage."""
    tree.mkdir()
    kinds = chance.sample(sorted(_DAMAGES), _TOGETHER)
    taken = chance.sample(sources, k=min(len(sources), _TOGETHER + chance.randrange(3)))
    for other in taken[_TOGETHER:]:
        (tree / other.name).write_bytes(other.read_bytes())
    for number, (kind, source) in enumerate(zip(kinds, taken[:_TOGETHER], strict=True)):
        damaged = _DAMAGES[kind](chance, source.read_bytes())
        (tree / f"damaged{number}{source.suffix}").write_bytes(damaged)
    if "includes" in kinds:
        (tree / "cycle.inc").write_bytes(b"include 'cycle.inc'\n#include \"cycle.inc\"\n")
        (tree / "loop").symlink_to(tree)
        (tree / "self.f90").symlink_to(tree / "self.f90")
    return kinds


def _contents(folder: Path) -> str:
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        found.update(str(path.relative_to(folder)).encode())
        found.update(bytes(path.readlink()) if path.is_symlink() else b"")
        found.update(path.read_bytes() if path.is_file() and not path.is_symlink() else b"")
    return found.hexdigest()


def _analyze(tree: Path, cache: Path, empty: Path) -> int:
    """Exit code of the command in a process of its own; negative: the signal that ended it."""
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (_PROCESSOR, _PROCESSOR))
        signal.alarm(_WALL)
        os.chdir(empty)
        os.environ.update(HOME=str(empty), TMPDIR=str(empty), XDG_CACHE_HOME=str(empty))
        tempfile.tempdir = None
        sink = os.open(os.devnull, os.O_WRONLY)
        os.dup2(sink, 1)
        os.dup2(sink, 2)
        code = signal.SIGUSR1 + 128  # no command ends so
        try:
            code = acclimate(
                ["analyze", str(tree), "--cache", str(cache), "-j", "1", "--json", "-"]
            )
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def _try_seed(seed: int, sources: list[Path], work: Path) -> tuple[list[str], str]:
    """Kinds of damage, and what the command ended with."""
    kinds = _make_tree(random.Random(seed), sources, work / "tree")
    before = _contents(work / "tree")
    (work / "empty").mkdir()
    code = _analyze(work / "tree", work / "cache", work / "empty")
    if code not in _ENDED_WELL:
        return kinds, "not in time" if code in _TOO_LATE else f"FAILED with {code}"
    if _contents(work / "tree") != before or any((work / "empty").iterdir()):
        return kinds, "WROTE outside the cache"
    return kinds, f"exit {code}"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="with the Fortran files to damage, four or more")
    parser.add_argument("--count", type=int, default=5000, help="how many sources to damage")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    options = parser.parse_args()
    sources = sorted(
        p for p in options.folder.rglob("*") if p.suffix.lower() in (".f", ".f90") and p.is_file()
    )
    if len(sources) < _TOGETHER:
        parser.error(f"{options.folder} holds fewer than {_TOGETHER} Fortran files")
    ends: Counter[tuple[str, str]] = Counter()
    failed = 0
    trees = -(-options.count // _TOGETHER)
    for seed in range(options.first, options.first + trees):
        with tempfile.TemporaryDirectory() as folder:
            kinds, end = _try_seed(seed, sources, Path(folder))
        ends.update((kind, end) for kind in kinds)
        if not end.startswith("exit"):
            failed += 1
            print(f"seed {seed}: {', '.join(kinds)}: {end}", flush=True)
    for (kind, end), count in sorted(ends.items()):
        print(f"{kind:16} {end:12} {count:6}")
    print(f"{ends.total()} damaged sources in {trees} trees, {failed} trees failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
