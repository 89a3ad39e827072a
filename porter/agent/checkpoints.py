"""Checkpoints of the flow in one SQLite file of the work folder."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from langgraph.checkpoint.sqlite import SqliteSaver


@contextmanager
def checkpoints(work: Path) -> Iterator[SqliteSaver]:
    """Open the checkpoints of a work folder; a damaged file is set aside and a new one begun."""
    path = work / "checkpoints.sqlite"
    if not _sound(path):
        path.replace(path.with_suffix(".damaged"))
        for tail in ("-wal", "-shm"):
            path.with_name(path.name + tail).unlink(missing_ok=True)
    with closing(sqlite3.connect(path, check_same_thread=False)) as connection:
        connection.execute("PRAGMA synchronous=FULL")
        yield SqliteSaver(connection)


def _sound(path: Path) -> bool:
    if not path.exists():
        return True
    with closing(sqlite3.connect(path)) as connection:
        try:
            answer = connection.execute("PRAGMA quick_check").fetchone()
        except sqlite3.DatabaseError:
            return False
    return bool(answer == ("ok",))
