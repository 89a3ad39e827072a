"""A selection of hunks: the port as it would be with exactly these."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import TypeAlias

from acclimate.workflows.reviewing.hunks import Hunk, applied
from acclimate.workflows.reviewing.modules import Module

Made: TypeAlias = dict[str, tuple[tuple[str, ...], bytes]]
"""The bytes of each file, with the names of the hunks that were put into it."""


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
    made: Made | None = None,
) -> Selection:
    """The selection of all hunks that are `wanted`.

    `made` remembers the files of earlier selections, of which few change from one to the next.
    """
    made = {} if made is None else made
    files: dict[str, bytes] = {}
    taken: list[Hunk] = []
    left: list[Hunk] = []
    for module in modules:
        chosen = tuple(hunk for hunk in module.hunks if wanted(hunk))
        taken += chosen
        if len(chosen) < len(module.hunks):
            left += [hunk for hunk in module.hunks if not wanted(hunk)]
        if chosen:
            names = tuple(hunk.name for hunk in chosen)
            before = made.get(module.file)
            if before is None or before[0] != names:
                before = made[module.file] = (names, applied(original(module.file), chosen))
            files[module.file] = before[1]
    return Selection(files, tuple(taken), tuple(left))


def digest_of(changed: Mapping[str, str]) -> str:
    """The name of a port: the sha256 over the sha256 of each changed file."""
    return sha256(json.dumps(sorted(changed.items())).encode()).hexdigest()
