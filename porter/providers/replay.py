"""Recorded replies: the text of `<key of the question>.md` in a folder, nothing else."""

from dataclasses import dataclass, field
from pathlib import Path

from acclimate.porter.asking.question import Failed, Failure, Finish, Question, Said, most_tokens


@dataclass(slots=True)
class Replay:
    """Answers from `folder`: by the question's key, else by its label where `by_label` allows it.

    A reply under a label may have been recorded for an older prompt; `older` counts those.
    """

    folder: Path
    by_label: bool = False
    older: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return "replay"

    def ask(self, question: Question, label: str) -> Said:
        named = [f"{question.key}.md", *([f"{file_name(label)}.md"] if self.by_label else [])]
        for place, name in enumerate(named):
            path = self.folder / name
            if path.is_file():
                if place:
                    self.older.append(label)
                return said(path.read_text(encoding="utf-8"), question)
        raise Failed(Failure.NOT_RECORDED, f"'{label}' has no {' nor '.join(named)}")


def file_name(label: str) -> str:
    """A label as the name of a file."""
    return "".join(c if c.isalnum() or c in "._-" else "_" for c in label)


def said(text: str, question: Question) -> Said:
    """A recorded text as a reply; its tokens are estimated."""
    return Said(
        text=text,
        model=question.model,
        finish=Finish.STOP,
        prompt_tokens=question.prompt_tokens,
        completion_tokens=most_tokens(text),
        counted=False,
    )
