"""A selection of hunks: the port as it would be with exactly these."""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TypeAlias

from acclimate.analysis.source import Lines
from acclimate.porter.agent.artefacts import Answer
from acclimate.porter.agent.blame import LineMap
from acclimate.porter.agent.outcome import Outcome
from acclimate.porter.rewrite import Rewrite
from acclimate.workflows.reviewing.hunks import Hunk, applied, decoded
from acclimate.workflows.reviewing.modules import Module

Made: TypeAlias = dict[str, tuple[tuple[str, ...], bytes, str]]
"""The bytes of each file and their sha256, with the names of the hunks that were put into it."""
_COMPUTES = re.compile(r"\$acc\s+(end\s+)?(parallel|kernels|serial|loop)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Selection:
    """`files` are the bytes of every file that differs from the original, `keys` their sha256."""

    files: Mapping[str, bytes]
    keys: Mapping[str, str]
    taken: tuple[Hunk, ...]
    left: tuple[Hunk, ...]

    @property
    def digest(self) -> str:
        return digest_of(self.keys)

    def line_map(self, file: str, original: bytes) -> LineMap:
        """Lines of a file as selected to lines of its original."""
        return LineMap(original, [hunk.edit for hunk in self.taken if hunk.file == file])


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
    keys: dict[str, str] = {}
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
                text = applied(original(module.file), chosen)
                before = made[module.file] = (names, text, sha256(text).hexdigest())
            files[module.file], keys[module.file] = before[1:]
    return Selection(files, keys, tuple(taken), tuple(left))


def answers(outcome: Outcome, selection: Selection, reviewer: str) -> dict[str, Answer]:
    """What each author's answer comes down to with only the selected hunks."""
    kept = defaultdict[str, list[Hunk]](list)
    for hunk in selection.taken:
        kept[hunk.unit].append(hunk)
    every = by_file(hunk for hunk in (*selection.taken, *selection.left))
    taken = {hunk.name for hunk in selection.taken}
    found = {}
    for unit in dict.fromkeys([*outcome.planned.units, *kept]):
        before = outcome.answers.get(unit, Answer()).rewrite or Rewrite(unit, reviewer, ())
        edits = tuple(hunk.edit for hunk in kept.get(unit, []))
        offloaded = tuple(
            loop
            for loop in before.offloaded
            if not (at := _directing(every.get(loop.file, ()), loop))
            or any(hunk.name in taken for hunk in at)
        )
        found[unit] = Answer(rewrite=replace(before, edits=edits, offloaded=offloaded))
    return found


def by_file(hunks: Iterable[Hunk]) -> dict[str, list[Hunk]]:
    found: dict[str, list[Hunk]] = {}
    for hunk in hunks:
        found.setdefault(hunk.file, []).append(hunk)
    return found


def _directing(hunks: Iterable[Hunk], loop: Lines) -> list[Hunk]:
    """The hunks at a loop that make it a kernel: by a directive, or by rewriting its DO."""
    at = [h for h in hunks if h.first <= loop.first <= max(h.first, h.last)]
    return [h for h in at if h.old or any(_COMPUTES.search(decoded(line)) for line in h.new)]


def digest_of(changed: Mapping[str, str]) -> str:
    """The name of a port: the sha256 over the sha256 of each changed file."""
    return sha256(json.dumps(sorted(changed.items())).encode()).hexdigest()
