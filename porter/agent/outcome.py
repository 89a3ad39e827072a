"""Everything a migration found and made, gathered from the store for whoever reads it."""

import difflib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from acclimate.analysis.source import Edit
from acclimate.porter.agent.artefacts import (
    Answer,
    Consultation,
    Decided,
    Planned,
    Reviewed,
    Survey,
    Tree,
)
from acclimate.porter.agent.blame import LineMap
from acclimate.porter.agent.model_lines import differences, on_original
from acclimate.porter.agent.state import Migration
from acclimate.porter.keeping.store import Store
from acclimate.porter.rewrite import Feedback
from acclimate.verifier.ladder import Examination


@dataclass(frozen=True)
class Outcome:
    """One finished examination and the port it belongs to.

    `answers` holds what the author said of every unit that the last plan changes, with the lines of
    the original; `consulted` what models made of the units that they were asked about. Where people
    have decided on it, all this is of what they let land, `reviewers` names them, and `decided`
    what they did.
    """

    root: Path
    survey: Survey
    planned: Planned
    answers: dict[str, Answer]
    turned_back: dict[str, Feedback]
    tree: Tree
    examination: Examination
    attempts: int
    store: Store
    reviewers: tuple[str, ...] = ()
    decided: tuple[Decided, ...] = ()
    consulted: dict[str, Consultation] = field(default_factory=dict)

    @property
    def model_units(self) -> set[str]:
        """Units that a model has changed in this port."""
        return {unit for unit, said in self.consulted.items() if said.edits}

    def original(self, file: str) -> bytes:
        """The bytes of a source file before the port; empty where the port added it."""
        known = self.survey.files.get(file)
        return self.store.get_bytes(known.sha256) if known else b""

    def ported(self, file: str) -> bytes:
        key = self.tree.changed.get(file)
        return self.store.get_bytes(key) if key else self.original(file)

    @cached_property
    def edits(self) -> dict[str, list[tuple[str, Edit]]]:
        """By file, each unit's edits to it, in the order in which they were put together."""
        found: dict[str, list[tuple[str, Edit]]] = {}
        for unit in dict.fromkeys([*self.planned.units, *self.answers]):
            answer = self.answers.get(unit)
            for edit in answer.rewrite.edits if answer and answer.rewrite else ():
                found.setdefault(edit.file, []).append((unit, edit))
        return found

    def line_map(self, file: str) -> LineMap:
        if any(edit.file == file for said in self.consulted.values() for edit in said.edits):
            original, ported = (c.split(b"\n") for c in (self.original(file), self.ported(file)))
            return LineMap(self.original(file), differences(original, ported, file))
        changed = self.edits.get(file, ()) if file in self.tree.changed else ()
        return LineMap(self.original(file), [edit for _, edit in changed])

    def changed(self) -> dict[str, bytes]:
        """New bytes of each file that differs from the original's."""
        return {file: self.store.get_bytes(key) for file, key in self.tree.changed.items()}

    def diff(self) -> Iterator[bytes]:
        """The port as one unified diff that `git apply` and `patch -p1` take."""
        for file in sorted(self.tree.changed):
            yield from unified(file, self.original(file), self.ported(file))


def gather(root: Path, state: Migration, store: Store) -> Outcome:
    """Read the artefacts behind the keys of an examined migration, as far as it was reviewed.

    Raises:
        Missing: an artefact is missing from the store or damaged.
    """
    drafted = proposed(root, state, store)
    key = state.get("reviewed")
    if not key:
        return drafted
    kept = store.get(key, Reviewed)
    return replace(
        drafted,
        answers={unit: store.get(answer, Answer) for unit, answer in kept.answers.items()},
        tree=store.get(kept.tree, Tree),
        examination=store.get(kept.examination, Examination),
        reviewers=kept.reviewers,
        decided=kept.decided,
    )


def proposed(root: Path, state: Migration, store: Store) -> Outcome:
    """The same as the authors left it, before anybody decided on it."""
    planned = store.get(state["planned"], Planned)
    turned_back = {u: store.get(k, Feedback) for u, k in state.get("turned_back", {}).items()}
    answers = {
        unit: store.get(key, Answer)
        for unit, key in state.get("drafts", {}).items()
        if unit in planned.units
    }
    consulted = {u: store.get(k, Consultation) for u, k in state.get("consulted", {}).items()}
    survey = store.get(state["surveyed"], Survey)
    if any(said.edits for said in consulted.values()):
        texts = {file: store.get_bytes(survey.files[file].sha256) for file in survey.sources}
        planned, answers = on_original(planned, answers, consulted, texts)
    return Outcome(
        root=root,
        survey=survey,
        planned=planned,
        answers=answers,
        turned_back=turned_back,
        tree=store.get(state["tree"], Tree),
        examination=store.get(state["examination"], Examination),
        attempts=state["attempt"],
        store=store,
        consulted=consulted,
    )


def unified(file: str, before: bytes, after: bytes) -> Iterator[bytes]:
    """A unified diff of one file with three lines of context; nothing where nothing differs."""
    if before == after:
        return
    old, new = (f"{side}/{file}".encode() for side in "ab")
    yield from _marked(
        difflib.diff_bytes(
            difflib.unified_diff,
            _lines(before),
            _lines(after),
            old if before else b"/dev/null",
            new,
            lineterm=b"\n",
        )
    )


def _lines(content: bytes) -> list[bytes]:
    """Lines as git counts them: only LF ends one."""
    return [line + b"\n" for line in content.split(b"\n")[:-1]] + (
        [] if content.endswith(b"\n") or not content else [content.rpartition(b"\n")[2]]
    )


def _marked(diff: Iterator[bytes]) -> Iterator[bytes]:
    for line in diff:
        yield line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n"
