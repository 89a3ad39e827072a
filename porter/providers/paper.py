"""A folder of prompts and replies: whoever answers, by hand or elsewhere, puts a file beside."""

import threading
from dataclasses import dataclass, field
from pathlib import Path

from acclimate.analysis.problems import Kind, Problem
from acclimate.porter.asking.question import Failed, Failure, Question, Said
from acclimate.porter.keeping.atomic import write_atomically
from acclimate.porter.providers.replay import file_name, said

_SHOWN = 16  # digits of a question's key in file names
_KEY = "[0-9a-f]" * _SHOWN


class Unanswered(Problem):
    """Prompts lie in a folder and wait for replies."""

    def __init__(self, folder: Path, count: int) -> None:
        super().__init__(
            f"{count} prompts wait for replies",
            kind=Kind.BUDGET,
            notes=(f"each '*.prompt.md' in {folder} wants a reply beside it, as '*.reply.md'",),
            hint="write the replies and run the same command again",
        )


@dataclass(slots=True)
class Paper:
    """`<label>.<key>.prompt.md` goes out, `<label>.<key>.reply.md` is read; nothing is sent.

    With `by_label` a reply to an older prompt with the same label will do; `older` names those.
    """

    folder: Path
    by_label: bool = False
    older: list[str] = field(default_factory=list)
    waiting: set[str] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def name(self) -> str:
        return "paper"

    def ask(self, question: Question, label: str) -> Said:
        stem = f"{file_name(label)}.{question.key[:_SHOWN]}"
        reply = self._reply(stem, label)
        if reply is not None:
            return said(reply.read_text(encoding="utf-8"), question)
        self.folder.mkdir(parents=True, exist_ok=True)
        text = f"{question.system}\n\n{question.user}"
        with self._lock:
            self.waiting.add(stem)
            write_atomically(self.folder / f"{stem}.prompt.md", text.encode())
            unanswered = Unanswered(self.folder, len(self.waiting))
        raise Failed(Failure.NOT_RECORDED, f"{stem} is written", problem=unanswered)

    def _reply(self, stem: str, label: str) -> Path | None:
        reply = self.folder / f"{stem}.reply.md"
        if reply.is_file():
            return reply
        pattern = f"{file_name(label)}.{_KEY}.reply.md"
        former = sorted(self.folder.glob(pattern)) if self.by_label else []
        if not former:
            return None
        self.older.append(label)
        return max(former, key=lambda path: path.stat().st_mtime)
