"""How far the last migration of a model has come, for readers that must not wait for it."""

import fcntl
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from acclimate.porter.agent.state import Migration
from acclimate.porter.keeping.atomic import write_atomically

FILE = "standing.json"
SCHEMA = "acclimate/standing/1"
_PAUSE = 0.5  # s between two writes inside of one stage


@dataclass(frozen=True, slots=True)
class Standing:
    """The migration `key` after `stage`; `command` is what a user types to go on with it."""

    key: str
    stage: str
    state: Migration
    command: tuple[str, ...] = ()


@dataclass(slots=True)
class Recorder:
    """Follows one migration and writes its standing into the work folder."""

    work: Path
    key: str
    command: tuple[str, ...]
    state: Migration = field(default_factory=lambda: Migration())
    _written: float = 0.0

    def begin(self, state: Migration) -> None:
        """Take over what a checkpoint holds."""
        self.state = cast(Migration, dict(state))
        self._write("resume")

    def wait(self) -> None:
        """Note that the migration waits for a person."""
        self._write("review")

    def follow(self, stage: str, update: Migration | None) -> None:
        """Note what one task of `stage` has found; many of one stage are written now and then."""
        merged: dict[str, object] = dict(self.state)
        for name, value in (update or {}).items():
            before = merged.get(name)
            both = isinstance(before, dict) and isinstance(value, dict)
            merged[name] = {**before, **value} if both else value  # type: ignore[dict-item]
        self.state = cast(Migration, merged)
        if stage != "draft" or time.monotonic() - self._written > _PAUSE:
            self._write(stage)

    def _write(self, stage: str) -> None:
        content = {
            "schema": SCHEMA,
            "key": self.key,
            "stage": stage,
            "command": self.command,
            "state": self.state,
        }
        write_atomically(self.work / FILE, json.dumps(content).encode())
        self._written = time.monotonic()


def last_standing(work: Path) -> Standing | None:
    """The standing of the last migration in a work folder; None where there is none to read."""
    try:
        content = json.loads((work / FILE).read_bytes())
    except (OSError, ValueError):
        return None
    if not isinstance(content, dict) or content.get("schema") != SCHEMA:
        return None
    return Standing(
        content["key"],
        content["stage"],
        cast(Migration, content["state"]),
        tuple(content["command"]),
    )


def written_at(work: Path) -> tuple[int, int]:
    """What changes whenever the standing in a work folder does."""
    try:
        found = (work / FILE).stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


def is_running(work: Path) -> bool:
    """Whether a process works in this folder at this moment."""
    try:
        with (work / "lock").open("rb") as stream:
            return _refused(lambda: fcntl.flock(stream, fcntl.LOCK_SH | fcntl.LOCK_NB))
    except OSError:
        return False


def _refused(lock: Callable[[], None]) -> bool:
    try:
        lock()
    except BlockingIOError:
        return True
    return False
