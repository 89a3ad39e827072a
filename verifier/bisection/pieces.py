"""A port in pieces that can be put into the original one by one: its units.

A piece is all that differs in one procedure, as edits of the original file. Mixing is legitimate
where the run is on the host: there is one memory, so who keeps data on a device changes nothing.
Where declarations outside of procedures differ, their file is one piece, for what it declares and
what uses it belong together.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from acclimate.analysis.problems import Problem
from acclimate.analysis.source import Edit, apply_edits
from acclimate.analysis.tree.manifest import Manifest
from acclimate.verifier.building.variant import variant_tree
from acclimate.verifier.texts.source_equality import (
    ChangedStatement,
    changed_statements,
    pair_files,
)
from acclimate.verifier.texts.source_file import SourceFile, all_files
from acclimate.verifier.trials.attribution import Hunk, hunks


@dataclass(frozen=True, slots=True)
class Piece:
    """`name` is `file unit`, or the file alone where all that differs in it is one piece."""

    name: str
    file: str
    unit: str
    hunks: tuple[Hunk, ...]
    changed: tuple[ChangedStatement, ...]  # statements that differ, directives apart


@dataclass(frozen=True)
class Pieces:
    """Two trees and what differs between them, in the order of files and lines."""

    original: Manifest
    port: Manifest
    files: Mapping[str, SourceFile]  # of the original
    pieces: tuple[Piece, ...]
    always: tuple[Hunk, ...] = ()  # what directives of any piece ask

    def by_name(self, name: str) -> Piece:
        return next(piece for piece in self.pieces if piece.name == name)

    def mixture(self, chosen: frozenset[str], folder: Path) -> Manifest:
        """The original with the chosen pieces of the port, as a tree in `folder`."""
        return self.with_hunks(
            [hunk for piece in self.pieces if piece.name in chosen for hunk in piece.hunks], folder
        )

    def with_hunks(self, chosen: list[Hunk], folder: Path) -> Manifest:
        """The original with some hunks of the port; files that only the port has stay in."""
        edits: dict[str, list[Edit]] = {}
        for hunk in (*self.always, *chosen):
            edits.setdefault(hunk.edit.file, []).append(hunk.edit)
        every = [hunk for piece in self.pieces for hunk in piece.hunks]
        touched = {hunk.edit.file for hunk in (*self.always, *every)}
        changed = {
            name: apply_edits(self.files[name].data, edits.get(name, [])) for name in touched
        }
        return variant_tree(self.port, changed, folder)


def take_apart(original: Manifest, port: Manifest) -> Pieces:
    """What differs between original and port, in pieces.

    Raises:
        Problem: a file of the original is not in the port.
    """
    before, after = all_files(original), all_files(port)
    statements = changed_statements(before, after)
    pieces: list[Piece] = []
    always: list[Hunk] = []
    for mine, theirs in pair_files(before, after):
        if theirs is None:
            assert mine is not None, "a pair has two sides or one"
            raise Problem(
                f"{mine.name} is not in the port.",
                hint="units can only be exchanged where the port has the original's files",
            )
        if mine is not None:
            changed = tuple(c for c in statements if c.at.file == theirs.name)
            found = hunks(mine, theirs)
            always += [hunk for hunk in found if hunk.is_switch]
            apart = tuple(hunk for hunk in found if not hunk.is_switch)
            pieces += _of_file(mine, theirs, apart, changed)
    return Pieces(original, port, before, tuple(pieces), tuple(always))


def _of_file(
    mine: SourceFile,
    theirs: SourceFile,
    found: tuple[Hunk, ...],
    changed: tuple[ChangedStatement, ...],
) -> list[Piece]:
    if not found:
        return []
    modules = {s.unit for s in theirs.statements if s.tokens[:1] in (("module",), ("submodule",))}
    apart = all(change.unit not in modules | {""} for change in changed)
    if not apart:
        return [Piece(mine.name, mine.name, "", found, changed)]
    by_unit: dict[str, list[Hunk]] = {}
    for hunk in found:
        by_unit.setdefault(hunk.unit, []).append(hunk)
    return [
        Piece(
            f"{mine.name} {unit}".strip(),
            mine.name,
            unit,
            tuple(some),
            tuple(c for c in changed if c.unit == unit),
        )
        for unit, some in by_unit.items()
    ]
