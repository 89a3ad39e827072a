"""Where a command's data goes: a file, whole or not at all, or standard output."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EACCES, EDQUOT, ENOSPC, EPERM, EROFS
from pathlib import Path

from acclimate.analysis.problems import Kind, Problem
from acclimate.porter.keeping.atomic import write_atomically

HINT = "name another file, or - for standard output"


def check_target(target: str) -> None:
    """Refuse, before any work is done, a file that cannot be written.

    Raises:
        Problem: `target` is a folder, or its folder cannot be made or written.
    """
    if target == "-":
        return
    path = Path(target)
    with _writable(target):
        if path.is_dir():
            raise Problem(f"cannot write {target}: it is a folder", hint=HINT)
        replaced = path.is_file() or not path.exists()
        place = next(folder for folder in path.parents if folder.exists()) if replaced else path
        if replaced and not place.is_dir():
            raise Problem(f"cannot write {target}: {place} is not a folder", hint=HINT)
        if not os.access(place, os.W_OK):
            raise PermissionError(EACCES, os.strerror(EACCES), str(place))


def deliver(text: str, target: str) -> None:
    """Write `text` to the file `target`, or to standard output for "-".

    Raises:
        Problem: the file cannot be written.
        OSError: the disk is full.
    """
    path = Path(target)
    if target == "-":
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    with _writable(target):
        if path.exists() and not path.is_file():  # a pipe or a device cannot be replaced
            path.write_text(text)
        else:
            write_atomically(path, text.encode())


def deliver_json(value: object, target: str) -> None:
    """Write `value` as JSON; see `deliver`."""
    deliver(json.dumps(value, indent=1, ensure_ascii=False) + "\n", target)


@contextmanager
def _writable(target: str) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.errno in (ENOSPC, EDQUOT):
            raise
        kind = Kind.ENVIRONMENT if error.errno in (EACCES, EPERM, EROFS) else Kind.MISUSED
        raise Problem(f"cannot write {target}: {error.strerror}", kind=kind, hint=HINT) from error
