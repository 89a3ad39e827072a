"""Replies that were paid for, on disk before anybody reads them, and the prompts they answer."""

import json
import os
import threading
from dataclasses import asdict, dataclass
from pathlib import Path

from acclimate.porter.asking.question import Finish, Question, Said


@dataclass(frozen=True, slots=True)
class ReplyStore:
    """One JSON file a reply below `folder`, named by the key of its question; prompts are text,
    named by their hash."""

    folder: Path

    def get(self, key: str) -> Said | None:
        """The reply that was kept under a key; None where there is none or it is damaged."""
        try:
            content = json.loads((self.folder / f"{key}.json").read_bytes())
            return Said(**{**content["said"], "finish": Finish(content["said"]["finish"])})
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def put(self, key: str, said: Said) -> None:
        """Keep a reply; it is on the disk, whole, when this returns."""
        self._write(f"{key}.json", json.dumps({"said": asdict(said)}, ensure_ascii=True))

    def prompt(self, prompt_hash: str) -> str:
        """What was asked under this hash, system text first; "" where it was not kept."""
        try:
            return (self.folder / f"{prompt_hash}.prompt.txt").read_text(encoding="utf-8")
        except (OSError, ValueError):
            return ""

    def keep_prompt(self, question: Question) -> None:
        """Keep what is asked, before it is."""
        name = f"{question.prompt_hash}.prompt.txt"
        if not (self.folder / name).exists():
            self._write(name, f"{question.system}\n\n{question.user}")

    def _write(self, name: str, text: str) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / name
        scratch = path.with_suffix(f".{os.getpid()}.{threading.get_ident()}.tmp")
        with scratch.open("w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        scratch.replace(path)
        folder = os.open(self.folder, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
