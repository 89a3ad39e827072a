"""A folder of prompts and replies: whoever answers, by hand or elsewhere, puts a file beside."""

import threading
from dataclasses import dataclass, field
from pathlib import Path

from acclimate.analysis.problems import Kind, Problem
from acclimate.porter.asking.question import Failed, Failure, Question, Said
from acclimate.porter.keeping.atomic import write_atomically
from acclimate.porter.providers.replay import file_name, said


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
    """`<label>.<key>.prompt.md` goes out, `<label>.<key>.reply.md` is read; nothing is sent."""

    folder: Path
    waiting: set[str] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def name(self) -> str:
        return "paper"

    def ask(self, question: Question, label: str) -> Said:
        stem = f"{file_name(label)}.{question.key[:16]}"
        reply = self.folder / f"{stem}.reply.md"
        if reply.is_file():
            return said(reply.read_text(encoding="utf-8"), question)
        self.folder.mkdir(parents=True, exist_ok=True)
        text = f"{question.system}\n\n{question.user}"
        with self._lock:
            self.waiting.add(stem)
            write_atomically(self.folder / f"{stem}.prompt.md", text.encode())
            unanswered = Unanswered(self.folder, len(self.waiting))
        raise Failed(Failure.NOT_RECORDED, f"{stem} is written", problem=unanswered)
