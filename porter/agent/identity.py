"""The name of a migration by its content: equal inputs resume, changed inputs start anew."""

import json
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable

from acclimate.analysis.tree.manifest import Manifest
from acclimate.porter.agent.artefacts import ModelFile
from acclimate.porter.agent.choice import Choice

ROOMS = ("analysis", "porter", "prompts", "verifier", "workflows")


def migration_key(
    manifest: Manifest, model: Mapping[str, ModelFile], choice: Choice, machine: str
) -> str:
    """A sha256 over everything that the ported tree and its evidence depend on.

    `machine` names what the evidence was gathered with: compilers and their versions.
    """
    content = (tool_version(), _plain(manifest), _plain(model), _plain(choice), machine)
    return sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _plain(value: object) -> object:
    """A value of dataclasses and mappings as JSON can hold it."""
    if is_dataclass(value):
        return {part.name: _plain(getattr(value, part.name)) for part in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, tuple):
        return [_plain(inner) for inner in value]
    return value if isinstance(value, bool | int | float | None) else str(value)


@cache
def tool_version() -> str:
    """The released version and a digest of the code that runs (editable installs change)."""
    digest = sha256()
    for room in ROOMS:
        _feed(digest.update, files(f"acclimate.{room}"))
    return f"{version('acclimate')}+{digest.hexdigest()[:12]}"


def _feed(update: Callable[[bytes], None], folder: Traversable) -> None:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir() and entry.name != "__pycache__":
            _feed(update, entry)
        elif entry.name.endswith((".py", ".c", ".h", ".f90", ".md", ".html", ".json")):
            update(entry.name.encode())
            update(entry.read_bytes())
