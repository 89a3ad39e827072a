"""Every call and every attempt, one JSON line each, on disk when it happened."""

import json
import os
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SCHEMA = "acclimate/journal/1"


@dataclass(slots=True)
class Journal:
    """Lines appended to `path`; a line that a crash cut off is read over."""

    path: Path
    migration: str = ""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, what: str, **facts: Any) -> None:
        """Append one line; `facts` never hold a key of an endpoint."""
        moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        line = {"schema": SCHEMA, "at": moment, "migration": self.migration, "what": what, **facts}
        data = (json.dumps(line, default=str) + "\n").encode()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self._lock, self.path.open("ab") as stream:
            if stream.tell() and not self._ends_whole():
                data = b"\n" + data
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())

    def lines(self) -> Iterator[dict[str, Any]]:
        """What was noted for this migration, in order."""
        if not self.path.exists():
            return
        for line in self.path.read_bytes().split(b"\n"):
            try:
                content = json.loads(line)
            except ValueError:
                continue
            if isinstance(content, dict) and content.get("migration") == self.migration:
                yield content

    def _ends_whole(self) -> bool:
        with self.path.open("rb") as stream:
            stream.seek(-1, os.SEEK_END)
            return stream.read(1) == b"\n"

    def spent(self) -> tuple[int, int]:
        """Prompt and output tokens of all calls so far."""
        calls = [line for line in self.lines() if line["what"] in ("call", "failed-call")]
        return sum(c["prompt_tokens"] for c in calls), sum(c["output_tokens"] for c in calls)


def last_migration(path: Path) -> str:
    """The migration that the last whole line of a journal speaks of; "" where there is none."""
    for line in reversed(path.read_bytes().split(b"\n") if path.exists() else []):
        try:
            return str(json.loads(line)["migration"])
        except (ValueError, KeyError, TypeError):
            continue
    return ""
