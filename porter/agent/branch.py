"""Landing a port on a git branch of its own; the work tree and the index stay as they are."""

import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from tempfile import TemporaryDirectory

from acclimate.analysis.problems import Kind, Problem
from acclimate.porter.agent.artefacts import Landed
from acclimate.porter.agent.tree import GIT

TRAILER = "Acclimate-Port"
_A_TRAILER = re.compile(r"[A-Z][\w-]*: .+")
_NOBODY = {
    "GIT_AUTHOR_NAME": "Acclimate",
    "GIT_AUTHOR_EMAIL": "acclimate@localhost",
    "GIT_COMMITTER_NAME": "Acclimate",
    "GIT_COMMITTER_EMAIL": "acclimate@localhost",
}


@dataclass(frozen=True, slots=True)
class Series:
    """Commits of one landing, the last one last; `replaced` are those that the branch held before.

    `is_same`: the branch holds the same files as before.
    """

    commits: tuple[str, ...]
    replaced: tuple[str, ...] = ()
    is_same: bool = False


def check_branch(root: Path, branch: str, *, allow_dirty: bool) -> None:
    """Refuse a branch that is somebody else's, or a model whose files are not committed.

    Raises:
        Problem: no repository, a bad name, a branch that is not ours, or uncommitted changes.
    """
    if _ask(root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}") is None:
        raise Problem(
            f"{root} is not in a git repository with a commit",
            hint="commit the model first, or let the port go to a folder",
        )
    if _ask(root, "check-ref-format", "--branch", branch) is None:
        raise Problem(f"'{branch}' is not a valid branch name", hint="name another one")
    tip = _tip(root, branch)
    if tip is not None and not _is_ours(root, tip):
        raise _foreign(root, branch, tip)
    dirty = _git(root, "status", "--porcelain", "--untracked-files=no", "--", ".").splitlines()
    if dirty and not allow_dirty:
        raise Problem(
            f"{len(dirty)} of the model's files have changes that are not committed",
            notes=tuple(line.strip() for line in dirty[:5]),
            hint="commit them; migrate --allow-dirty puts them into the port's commit",
        )


def _is_ours(root: Path, commit: str) -> bool:
    return TRAILER in _git(root, "log", "-1", "--format=%B", commit)


def _foreign(root: Path, branch: str, tip: str) -> Problem:
    """That a branch is somebody else's, or that somebody has gone on where a port stood."""
    above = _git(root, "log", "-z", "--format=%h %s%n%B", tip, "--not", "HEAD").split("\0")
    strangers = list(takewhile(lambda text: TRAILER not in text, above))
    if len(strangers) == len(above):
        what = f"branch '{branch}' exists and is not a port made by acclimate"
        return Problem(what, hint="name another branch")
    commits = f"{len(strangers)} commit{'s' * (len(strangers) != 1)}"
    return Problem(
        f"branch '{branch}' holds a port made by acclimate and, on top of it, {commits} of others",
        notes=tuple(text.partition("\n")[0] for text in strangers[:5]),
        hint="name another branch: landing here would lose them",
    )


def land_on_branch(
    root: Path, files: Mapping[str, bytes], message: str, branch: str, key: str
) -> str:
    """Commit `files` (paths relative to `root`) on top of HEAD and point `branch` at the commit.

    Returns the commit; the message's trailer with `key` marks the branch as ours.
    """
    return land_series(root, [(message, files)], branch, key).commits[-1]


def land_series(
    root: Path, series: Sequence[tuple[str, Mapping[str, bytes]]], branch: str, key: str
) -> Series:
    """Commit each message with its files, one on top of the other, the first on top of HEAD.

    A message may end with trailers of its own.
    """
    head = _git(root, "rev-parse", "HEAD").strip()
    old = _tip(root, branch)
    commit, made = head, []
    for message, files in series:
        gap = "\n" if _A_TRAILER.fullmatch(message.rpartition("\n")[2]) else "\n\n"
        commit = _commit(root, commit, files, f"{message}{gap}{TRAILER}: {key}\n")
        made.append(commit)
    replaced = _git(root, "rev-list", old, "--not", head).split() if old else []
    is_same = bool(replaced) and _tree_of(root, replaced[0]) == _tree_of(root, commit)
    _git(root, "update-ref", f"refs/heads/{branch}", commit, old or "0" * len(commit))
    return Series(tuple(made), tuple(replaced), is_same)


def _tree_of(root: Path, commit: str) -> str:
    return _git(root, "rev-parse", f"{commit}^{{tree}}").strip()


def _commit(root: Path, parent: str, files: Mapping[str, bytes], text: str) -> str:
    """A commit of `files` on top of `parent`; nothing points at it yet."""
    top = Path(_git(root, "rev-parse", "--show-toplevel").strip())
    prefix = root.resolve().relative_to(top.resolve())
    with TemporaryDirectory(prefix="acclimate-index-") as folder:
        index = {"GIT_INDEX_FILE": str(Path(folder) / "index")}
        _git(root, "read-tree", parent, environment=index)
        for name, content in sorted(files.items()):
            path = (prefix / name).as_posix()
            blob = _git(root, "hash-object", "-w", "--stdin", content=content).strip()
            entry = f"{_mode(root / name)},{blob},{path}"
            _git(top, "update-index", "--add", "--cacheinfo", entry, environment=index)
        tree = _git(root, "write-tree", environment=index).strip()
    identity = {} if _ask(root, "var", "GIT_COMMITTER_IDENT") else _NOBODY
    return _git(
        root, "commit-tree", tree, "-p", parent, content=text.encode(), environment=identity
    ).strip()


def landed_on(root: Path, branch: str, landed: Landed) -> bool:
    """Whether `branch` still points at the commit that was landed."""
    return _tip(root, branch) == landed.files.get("commit")


def inside_repository(root: Path) -> str:
    """Where a folder stands below the top of its repository, "" at the top or outside of one."""
    return (_ask(root, "rev-parse", "--show-prefix") or "").strip()


def git_identity(root: Path) -> str:
    """The user as git knows them, "Name <address>"; "" where it does not."""
    name, address = _ask(root, "config", "user.name"), _ask(root, "config", "user.email")
    if not name:
        return ""
    return f"{name.strip()} <{address.strip()}>" if address else name.strip()


def head_commit(root: Path) -> str:
    """The commit the model stands at, marked where its files differ; "" outside a repository."""
    commit = _ask(root, "rev-parse", "--short=12", "HEAD")
    if commit is None:
        return ""
    dirty = _ask(root, "status", "--porcelain", "--untracked-files=no", "--", ".")
    return f"{commit.strip()}{' with changes' if dirty else ''}"


def _tip(root: Path, branch: str) -> str | None:
    answer = _ask(root, "rev-parse", "--verify", "--quiet", f"refs/heads/{branch}")
    return answer.strip() if answer else None


def _mode(path: Path) -> str:
    return "100755" if os.access(path, os.X_OK) else "100644"


def _ask(root: Path, *arguments: str) -> str | None:
    """What git answers, None where it fails or is not there."""
    try:
        return _git(root, *arguments)
    except Problem:
        return None


def _git(
    root: Path,
    *arguments: str,
    content: bytes = b"",
    environment: Mapping[str, str] | None = None,
) -> str:
    """Run one git command.

    Raises:
        Problem: git is missing or the command failed, with its message.
    """
    try:
        run = subprocess.run(
            [*GIT, *arguments],
            cwd=root,
            input=content,
            capture_output=True,
            env=os.environ | (environment or {}),
            timeout=120,
        )
    except FileNotFoundError:
        raise Problem(
            "git is not installed", kind=Kind.ENVIRONMENT, hint="install git, or use --out"
        ) from None
    if run.returncode:
        message = run.stderr.decode("utf-8", "replace").strip()
        raise Problem(
            f"git {arguments[0]} failed in {root}",
            kind=Kind.ENVIRONMENT,
            notes=(message,) if message else (),
            hint="mend the repository and run the same command again",
        )
    return run.stdout.decode("utf-8", "surrogateescape")
