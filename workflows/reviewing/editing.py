"""A reviewer's own text: through an editor, or a hint put before a loop."""

import os
import shlex
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

from acclimate.analysis.facts import LoopFacts
from acclimate.analysis.index import index_project
from acclimate.analysis.keeping.cache import Cache
from acclimate.analysis.problems import Kind, Problem
from acclimate.analysis.tree.manifest import Manifest
from acclimate.porter.agent.tree import put_tree, remove_tree
from acclimate.porter.keeping.atomic import write_atomically
from acclimate.workflows.reviewing.events import Edited
from acclimate.workflows.reviewing.hunks import applied, split
from acclimate.workflows.reviewing.session import Session

_DEFAULT = "vi"


def edit(session: Session, file: str, line: int = 1) -> Edited | None:
    """Open the user's editor on a file, at what `line` of the original is now; None: no change.

    Raises:
        Problem: there is no such editor, or it ended badly; nothing is changed then.
    """
    path = session.material.work / "review" / "edit" / Path(file).name
    write_atomically(path, session.text(file))
    words = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or _DEFAULT)
    if not words or shutil.which(words[0]) is None:
        raise Problem(
            f"there is no editor '{' '.join(words)}'",
            kind=Kind.ENVIRONMENT,
            hint="name one in the environment: EDITOR=nano acclimate review ...",
        )
    below = _above(session, file, line).count(b"\n") + 1
    place = [f"+{below}"] if Path(words[0]).name in _TAKES_A_LINE else []
    run = subprocess.run([*words, *place, str(path)])
    if run.returncode:
        raise Problem(
            f"the editor ended with exit code {run.returncode}; nothing was changed",
            kind=Kind.ENVIRONMENT,
            hint=f"what it left is in {path}",
        )
    return session.edit(file, path.read_bytes(), "editor")


_TAKES_A_LINE = {"vi", "vim", "nvim", "nano", "emacs", "micro", "joe", "helix", "hx"}


def add_hint(
    session: Session, file: str, line: int, hint: str, reason: str, until: str
) -> Edited | None:
    """Put `!$acclimate HINT` before the loop that begins at a line of the original.

    The reason and the day on which to look at it again stand in a comment above.

    Raises:
        Problem: no loop begins there.
    """
    loop = next(
        (
            found
            for found in session.outcome.survey.loops
            if found.at.file == file and found.at.first == line
        ),
        None,
    )
    if loop is None:
        raise Problem(
            f"no loop begins at {file}:{line}", hint="name the line of its DO, in the original"
        )
    original = session.outcome.original(file)
    first = split(original)[line - 1]
    indent = first[: len(first) - len(first.lstrip())]
    ending = b"\r\n" if first.endswith(b"\r\n") else b"\n"
    remark = f"! promised by {session.reviewer}, to be looked at by {until}: {reason}"
    added = [indent + text.encode() + ending for text in (remark, f"!$acclimate {hint}")]
    return session.edit(file, _with(session, file, line, added), f"hint: {hint}")


def _with(session: Session, file: str, line: int, added: list[bytes]) -> bytes:
    """The file's text with lines put in above all that stands before `line` of the original."""
    head, whole = _above(session, file, line), session.text(file)
    return head + b"".join(added) + whole[len(head) :]


def _above(session: Session, file: str, line: int) -> bytes:
    """The part of the file's text that stands above `line` of the original."""
    kept = (hunk for hunk in session.selection(with_open=True).taken if hunk.file == file)
    above = [hunk for hunk in kept if hunk.last < line and hunk.first < line]
    return applied(b"".join(split(session.outcome.original(file))[: line - 1]), above)


def loop_with_hint(
    session: Session, manifest: Manifest, file: str, line: int, hint: str, cache: Cache | None
) -> LoopFacts:
    """What the analysis says of a loop of the original once the hint stands before it.

    Raises:
        Problem: the analysis refuses the hint.
    """
    lines = split(session.outcome.original(file))
    lines.insert(line - 1, f"!$acclimate {hint}\n".encode())
    folder = session.material.work / "review" / "hinted"
    remove_tree(folder)
    folder.mkdir(parents=True)
    put_tree(manifest.root, session.outcome.survey.files, {file: b"".join(lines)}, folder)
    index = index_project(replace(manifest, root=folder), cache=cache)
    return next(
        found for found in index.loops if found.at.file == file and found.at.first == line + 1
    )
