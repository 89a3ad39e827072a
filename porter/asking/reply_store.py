"""Replies that were paid for, on disk before anybody reads them."""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from acclimate.porter.asking.question import Finish, Said


@dataclass(frozen=True, slots=True)
class ReplyStore:
    """One JSON file a reply below `folder`, named by the key of its question."""

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
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{key}.json"
        scratch = path.with_suffix(f".{os.getpid()}.tmp")
        with scratch.open("w", encoding="utf-8") as stream:
            json.dump({"said": asdict(said)}, stream, ensure_ascii=True)
            stream.flush()
            os.fsync(stream.fileno())
        scratch.replace(path)
        folder = os.open(self.folder, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
