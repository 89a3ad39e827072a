"""What the results of an analysis depend on, as digests: the tool, the manifest, every file read.

Nothing rests on times of files. Include files are found by their names in the text, wherever a
name may be looked up, also where no file is (yet): more than the reader opens, never less. Where
the text does not say what is included (`#include MACRO`), there is no fingerprint.
"""

import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import cache
from hashlib import blake2b
from importlib import metadata
from pathlib import Path, PurePosixPath

from acclimate.analysis.dependence.solver import solver
from acclimate.analysis.source_texts import SourceTexts
from acclimate.analysis.tree.manifest import Manifest
from acclimate.analysis.view.regular_files import read_regular

DIGEST_BYTES = 16
# What a model is called and how it is built and run says nothing of its source.
_WITHOUT_MEANING = frozenset(
    {
        *("root", "name", "sources", "compiler", "link_flags", "run", "further_runs"),
        *("steps", "guessed"),
        "configurations",  # each is read as a model of its own
    }
)
_READERS = ("tree-sitter", "tree-sitter-fortran")
_NAMED = re.compile(
    rb"""(?:include\w*|import)\s*(?:"([^"\n]+)"|'([^'\n]+)'|<([^>\n]+)>)""", re.IGNORECASE
)
_HIDDEN = re.compile(
    rb"""^[ \t]*\#(?:[ \t]|/\*.*?\*/)*(?:include\w*|import)\b(?![ \t]*["<])|__has_include""",
    re.MULTILINE,
)


def digest(*parts: bytes) -> str:
    """Hexadecimal digits that tell any two lists of parts apart."""
    whole = blake2b(digest_size=DIGEST_BYTES)
    for part in parts:
        whole.update(len(part).to_bytes(8, "little"))
        whole.update(part)
    return whole.hexdigest()


@cache
def tool_digest() -> str:
    """The analysis itself: its sources, parser, interpreter, preprocessor and solver."""
    folder = Path(__file__).parents[1]
    sources = [path.read_bytes() for path in sorted(folder.rglob("*.py"))]
    versions = [sys.version, *(metadata.version(name) for name in _READERS)]
    for program in (shutil.which("cpp"), solver()):
        if program is not None:
            state = Path(program).stat()
            versions += [program, str(state.st_size), str(state.st_mtime_ns)]
    return digest(*sources, *(version.encode() for version in versions))


def configuration_digest(manifest: Manifest) -> str:
    """The parts of a manifest that decide how its files are read."""
    given = [f.name for f in fields(manifest) if f.name not in _WITHOUT_MEANING]
    return digest(*(f"{name}={getattr(manifest, name)!r}".encode() for name in sorted(given)))


def file_digests(manifest: Manifest, sources: SourceTexts) -> dict[str, str] | None:
    """A digest of each source file and all it includes; None where that cannot be told."""
    if any("include" in define for define in manifest.defines):
        return None
    included = _Included(manifest)
    found: dict[str, str] = {}
    for file in manifest.sources:
        if file in sources.texts:
            parts = included.parts(file, sources.texts[file])
            if parts is None:
                return None
            found[file] = digest(file.encode(), manifest.form(file).encode(), *parts)
        else:
            found[file] = digest(file.encode(), sources.unreadable[file].reason.encode())
    return found


def model_digest(manifest: Manifest, files: Mapping[str, str]) -> str:
    """One digest for everything that the results rest on."""
    parts = [f"{file}={own}".encode() for file, own in files.items()]  # the order counts
    return digest(tool_digest().encode(), configuration_digest(manifest).encode(), *parts)


def tree_digest(manifest: Manifest) -> str:
    """A name for the model in this place, whatever its files hold."""
    place = str(manifest.root.resolve()).encode()
    return digest(place, tool_digest().encode(), configuration_digest(manifest).encode())


class _Included:
    """The include files of a model by every place where they may be looked for."""

    def __init__(self, manifest: Manifest) -> None:
        self._root = manifest.root
        self._folders = (*manifest.include_dirs, ".")
        self._known: dict[str, bytes | None] = {}

    def parts(self, file: str, data: bytes) -> list[bytes] | None:
        """The text and the texts of all that may be included, with their places."""
        found = [data]
        seen: set[str] = set()
        home = PurePosixPath(file).parent.as_posix()
        waiting = [(home, data)]
        while waiting:
            folder, text = waiting.pop()
            if b"nclude" not in text and b"NCLUDE" not in text and b"import" not in text:
                continue
            joined = text.replace(b"\\\r\n", b"").replace(b"\\\n", b"")
            if _HIDDEN.search(joined):
                return None
            for place in self._places(joined, (folder, home)):
                if place in seen:
                    continue
                seen.add(place)
                content = self._content(place)
                found += [place.encode(), b"absent" if content is None else b"present"]
                if content is not None:
                    found.append(content)
                    waiting.append((PurePosixPath(place).parent.as_posix(), content))
        return found

    def _places(self, text: bytes, own: tuple[str, ...]) -> Iterator[str]:
        for match in _NAMED.finditer(text):
            name = next(group for group in match.groups() if group).decode("latin-1")
            for folder in (*own, *self._folders):
                yield (PurePosixPath(folder) / name).as_posix()

    def _content(self, place: str) -> bytes | None:
        if place not in self._known:
            path = self._root / place
            try:
                self._known[place] = read_regular(path)
            except (OSError, ValueError):  # ValueError: a NUL byte in a name
                self._known[place] = None
        return self._known[place]
