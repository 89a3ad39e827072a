"""The journal of a review: one file for each reviewer, added to line by line, never rewritten.

A line is on the disk before the call that wrote it returns. A torn last line, all that a crash can
leave, is no event.
"""

import fcntl
import os
import re
from collections.abc import Iterable
from pathlib import Path

import msgspec

from acclimate.analysis.problems import Kind, Problem
from acclimate.workflows.reviewing.events import Event

FOLDER = "reviews"
SUFFIX = ".jsonl"
_DECODER = msgspec.json.Decoder(Event)
_ENCODER = msgspec.json.Encoder()


class Journal:
    """All reviewers' events in one folder; `reviewer` writes."""

    def __init__(self, folder: Path, reviewer: str) -> None:
        self.folder, self.reviewer = folder, reviewer
        self._sizes: dict[Path, int] = {}
        self._events: dict[str, Event] = {}

    @property
    def path(self) -> Path:
        """The file that this reviewer's events go to."""
        return self.folder / f"{_file_name(self.reviewer)}{SUFFIX}"

    def events(self) -> tuple[Event, ...]:
        """What everybody has done so far, in an order that respects what each had seen.

        Raises:
            Problem: a line in the middle of a file is damaged, or two events share a name.
        """
        for path in sorted(self.folder.glob(f"*{SUFFIX}")):
            size = path.stat().st_size
            if self._sizes.get(path) != size:
                self._take(read(path), path)
                self._sizes[path] = size
        return tuple(sorted(self._events.values(), key=lambda e: (e.clock, e.name)))

    def add(self, event: Event) -> None:
        """Write one event; it is on the disk when this returns."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab+") as stream:
            fcntl.flock(stream, fcntl.LOCK_EX)  # a verification of ours may write as well
            _mend(stream.fileno())
            stream.write(_ENCODER.encode(event) + b"\n")
            stream.flush()
            os.fsync(stream.fileno())

    def merge(self, path: Path) -> int:
        """Take over the events of another review's file; returns how many were new.

        Raises:
            Problem: it cannot be read, is damaged, or contradicts what is known.
        """
        known = {event.name for event in self.events()}
        theirs = read(path)
        self._take(theirs, path)
        fresh = [event for event in theirs if event.name not in known]
        for event in fresh:
            Journal(self.folder, event.by).add(event)
        return len(fresh)

    def _take(self, events: Iterable[Event], path: Path) -> None:
        for event in events:
            if self._events.setdefault(event.name, event) != event:
                raise Problem(
                    f"{path} and another file of this review hold two different events"
                    f" '{event.name}'",
                    kind=Kind.ENVIRONMENT,
                    hint="one of the files was changed by hand: take the untouched one",
                )


def read(path: Path) -> tuple[Event, ...]:
    """The events of one file.

    Raises:
        Problem: the file cannot be read, or a line other than a torn last one is damaged.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise Problem(
            f"cannot read {path}: {error.strerror}", hint="name a file of a review"
        ) from error
    events = []
    for number, line in enumerate(content.split(b"\n")[:-1], 1):
        try:
            events.append(_DECODER.decode(line))
        except msgspec.DecodeError as error:
            raise Problem(
                f"{path}:{number}: not an event of a review ({error})",
                kind=Kind.ENVIRONMENT,
                hint="take the line out, or take an untouched copy of the file",
            ) from None
    return tuple(events)


def _mend(handle: int) -> None:
    """Cut off a torn last line, so that the next event begins on a line of its own."""
    size = os.fstat(handle).st_size
    content = os.pread(handle, size, 0)
    whole = content.rfind(b"\n") + 1
    if whole != size:
        os.ftruncate(handle, whole)


def _file_name(reviewer: str) -> str:
    """A reviewer's name as a file name: letters, digits and dashes, never hidden or empty."""
    return re.sub(r"[^\w.-]+", "-", reviewer).strip("-.") or "reviewer"
