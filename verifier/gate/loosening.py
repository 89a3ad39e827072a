"""Which tolerances are looser than they were, by how much, and who made them so."""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from acclimate.analysis.tree.toml_table import TomlTable
from acclimate.verifier.gate.tolerances import Mode, Tolerance, Tolerances, load, parse
from acclimate.verifier.limits import Limits, run_limited

_GIT = Limits(wall=20, cpu=20, memory=1024, file=64, processes=16)
_WEAKNESS = {mode: number for number, mode in enumerate(Mode)}


@dataclass(frozen=True, slots=True)
class Loosened:
    """One thing that is allowed now and was not; `who` made the change, empty: not committed."""

    what: str
    before: str
    after: str
    who: str


def loosened(path: Path, against: str | None, scratch: Path) -> tuple[Loosened, ...]:
    """Hold a file of tolerances against the revision `against`.

    Without one, against the last commit if the file was changed since, else against the commit
    before the one that changed it last. Empty where git knows nothing of the file.
    """
    if not path.is_file():
        return ()
    commits = _git(path, scratch, "log", "-2", "--format=%H%x09%an, %as", "--", path.name)
    history = [line.partition("\t") for line in commits.splitlines()]
    if against is None and not history:
        return ()
    dirty = bool(_git(path, scratch, "status", "--porcelain", "--", path.name).strip())
    if against is not None:
        revision, who = against, "" if dirty else history[0][2] if history else ""
    elif dirty:
        revision, who = history[0][0], ""
    elif len(history) > 1:
        revision, who = history[1][0], history[0][2]
    else:
        return ()
    text = _git(path, scratch, "show", f"{revision}:./{path.name}")
    before = parse(TomlTable(path, text, tomllib.loads(text))) if text else Tolerances()
    return tuple(compare(before, load(path), who))


def compare(before: Tolerances, after: Tolerances, who: str) -> Iterable[Loosened]:
    """What `after` allows and `before` does not."""
    if _WEAKNESS[after.mode] > _WEAKNESS[before.mode]:
        yield Loosened("mode", before.mode, after.mode, who)
    for ignored in after.ignored:
        if not before.ignores(ignored.variable):
            yield Loosened(ignored.variable, "compared", f"ignored: {ignored.reason}", who)
    for name in sorted(set(after.may_differ) - set(before.may_differ)):
        yield Loosened(name, "as the baseline", f"may differ: {after.may_differ_reason}", who)
    seen: set[tuple[object, ...]] = set()
    for entry in after.entries:
        key = (entry.variable, entry.check, entry.steps, entry.levels)
        if key not in seen:
            seen.add(key)
            yield from _entry(entry, _same(before, entry), _same(after, entry) or entry, who)


def _same(tolerances: Tolerances, like: Tolerance) -> Tolerance | None:
    """The entry that counts for what `like` is about."""
    step = like.steps[0] if like.steps else 0
    found = [e for e in tolerances.find(like.variable, like.check, step) if e.levels == like.levels]
    return found[-1] if found else None


def _entry(
    entry: Tolerance, before: Tolerance | None, after: Tolerance, who: str
) -> Iterable[Loosened]:
    what = f"{entry.variable} ({entry.check})"
    if before is None:
        yield Loosened(what, "every bit", f"abs {after.abs:.3g}: {after.reason}", who)
        return
    for name in ("abs", "rel", "growth", "flips", "flip_abs"):
        old, new = float(getattr(before, name)), float(getattr(after, name))
        if new > old:
            times = f", {new / old:.3g} times as much" if old else ""
            yield Loosened(what, f"{name} {old:.3g}", f"{name} {new:.3g}{times}", who)


def revision(root: Path, scratch: Path) -> str:
    """The commit a tree stands at, with `+` where it was changed since; empty: git knows none."""
    head = _git(root / "x", scratch, "rev-parse", "HEAD").strip()
    changed = head and _git(root / "x", scratch, "status", "--porcelain", "--", ".").strip()
    return head + ("+" if changed else "")


def _git(path: Path, scratch: Path, *arguments: str) -> str:
    """What git says in the folder of `path`; empty where it fails or is not installed."""
    scratch.mkdir(parents=True, exist_ok=True)
    command = ["git", "-c", "core.fsmonitor=false", "--no-optional-locks", *arguments]
    done = run_limited(command, cwd=path.parent, limits=_GIT, logs=scratch / "git")
    return done.stdout.decode("utf-8", "replace") if done.ok else ""
