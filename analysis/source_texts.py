"""The bytes of a model's source files."""

from dataclasses import dataclass

from acclimate.analysis.facts import ReadingProblem
from acclimate.analysis.source import Lines
from acclimate.analysis.tree.manifest import Manifest
from acclimate.analysis.view.regular_files import read_regular


@dataclass(frozen=True, slots=True)
class SourceTexts:
    """Bytes by file, in the manifest's order, and why the other files have none."""

    texts: dict[str, bytes]
    unreadable: dict[str, ReadingProblem]


def source_texts(manifest: Manifest) -> SourceTexts:
    """Read the source files of a model from the disk."""
    found = SourceTexts({}, {})
    for file in manifest.sources:
        try:
            found.texts[file] = read_regular(manifest.root / file)
        except OSError as error:
            reason = f"cannot be read: {error.strerror}"
            found.unreadable[file] = ReadingProblem(Lines(file, 1, 1), reason)
    return found
