"""A selection of hunks: the port as it would be with exactly these."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256

from acclimate.workflows.reviewing.hunks import Hunk, applied
from acclimate.workflows.reviewing.modules import Module


@dataclass(frozen=True, slots=True)
class Selection:
    """`files` are the bytes of every file that differs from the original; hunks by file."""

    files: Mapping[str, bytes]
    taken: tuple[Hunk, ...]
    left: tuple[Hunk, ...]

    @property
    def digest(self) -> str:
        return digest_of({file: sha256(data).hexdigest() for file, data in self.files.items()})


def select(
    modules: Iterable[Module],
    original: Callable[[str], bytes],
    wanted: Callable[[Hunk], bool],
) -> Selection:
    """The selection of all hunks that are `wanted`."""
    files: dict[str, bytes] = {}
    taken: list[Hunk] = []
    left: list[Hunk] = []
    for module in modules:
        chosen = [hunk for hunk in module.hunks if wanted(hunk)]
        taken += chosen
        left += [hunk for hunk in module.hunks if hunk not in chosen]
        if chosen:
            files[module.file] = applied(original(module.file), chosen)
    return Selection(files, tuple(taken), tuple(left))


def digest_of(changed: Mapping[str, str]) -> str:
    """The name of a port: the sha256 over the sha256 of each changed file."""
    return sha256(json.dumps(sorted(changed.items())).encode()).hexdigest()
