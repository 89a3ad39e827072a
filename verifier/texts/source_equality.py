"""Original and port with OpenACC directives stripped: the same tokens, or which statements differ.

The same tokens give the compiler the same program, whatever the directives do; a changed
statement is named with its place and with what was changed about it.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from enum import StrEnum

from acclimate.analysis.source import Lines
from acclimate.verifier.texts.source_file import SourceFile
from acclimate.verifier.texts.statement_change import Rewritten, classify
from acclimate.verifier.texts.statements import Statement


class Change(StrEnum):
    """A first classification; see `statement_change` for the classes of a rewritten statement."""

    MOVED = "moved"
    ADDED = "statement added"
    DROPPED = "statement dropped"


@dataclass(frozen=True, slots=True)
class ChangedStatement:
    """One difference. `at` is its place in the port: for a dropped statement the one after it."""

    kind: str
    at: Lines
    unit: str
    was: str = ""  # text in the original
    now: str = ""  # text in the port
    original: Lines | None = None

    @property
    def message(self) -> str:
        if not self.now:
            return f"{self.kind}: '{self.was}' stood at {self.original} of the original"
        if self.kind == Change.ADDED:
            return f"{self.kind}: '{self.now}'"
        if self.kind == Change.MOVED:
            return f"{self.kind}: '{self.now}' stood at {self.original} of the original"
        return f"{self.kind}: '{self.was}' became '{self.now}'"


def pair_files(
    original: Mapping[str, SourceFile], port: Mapping[str, SourceFile]
) -> list[tuple[SourceFile | None, SourceFile | None]]:
    """Files with the same relative name; two one-file programs whatever their names."""
    if len(original) == len(port) == 1:
        return [(next(iter(original.values())), next(iter(port.values())))]
    names = sorted(original.keys() | port.keys())
    return [(original.get(name), port.get(name)) for name in names]


def changed_statements(
    original: Mapping[str, SourceFile], port: Mapping[str, SourceFile]
) -> tuple[ChangedStatement, ...]:
    """All statements that differ, in the order of the port; empty means proved equal."""
    found: list[ChangedStatement] = []
    for before, after in pair_files(original, port):
        found += _compare(before, after)
    return tuple(found)


def _compare(before: SourceFile | None, after: SourceFile | None) -> list[ChangedStatement]:
    if before is not None and after is not None and before.data == after.data:
        return []
    a = before.told if before else ()
    b = after.told if after else ()
    name = after.name if after else before.name if before else ""
    return _mark_moved(list(_differences(a, b, name)))


def _differences(
    a: Sequence[Statement], b: Sequence[Statement], file: str
) -> Iterator[ChangedStatement]:
    keys_a, keys_b = [_key(s) for s in a], [_key(s) for s in b]
    known = frozenset(token for statement in a for token in statement.tokens)
    matcher = SequenceMatcher(None, keys_a, keys_b, autojunk=False)
    for tag, a0, a1, b0, b1 in matcher.get_opcodes():
        if tag != "equal":
            following = b[b0].at if b0 < len(b) else b[-1].at if b else Lines(file, 1, 1)
            yield from _block(a[a0:a1], b[b0:b1], following, known)


def _key(statement: Statement) -> tuple[str, ...]:
    return (statement.label or "", *statement.tokens)


def _block(
    a: Sequence[Statement], b: Sequence[Statement], following: Lines, known: frozenset[str]
) -> Iterator[ChangedStatement]:
    """Pair the statements of a rewritten block by likeness; the rest was dropped or added.

    Likeness across procedures does not make it the same statement: no class of change is named.
    """
    pairs = _pairs(a, b)
    paired_b = {j: i for i, j in pairs.items()}
    place = following
    for i, old in enumerate(a):
        if i in pairs:
            place = b[pairs[i]].at
        else:
            yield ChangedStatement(Change.DROPPED, place, old.unit, old.text, original=old.at)
    for j, new in enumerate(b):
        if j in paired_b:
            old = a[paired_b[j]]
            same = old.unit == new.unit
            kind = classify(old.tokens, new.tokens, known) if same else Rewritten.OTHER
            yield ChangedStatement(kind, new.at, new.unit, old.text, new.text, old.at)
        else:
            yield ChangedStatement(Change.ADDED, new.at, new.unit, now=new.text)


_ALIKE = 0.5  # share of common tokens from which one statement counts as a rewrite of another


def _pairs(a: Sequence[Statement], b: Sequence[Statement]) -> dict[int, int]:
    """Match statements one to one, the most alike first, in order within the block."""
    if len(a) * len(b) > 10_000:
        return {}
    scored = sorted(
        (
            (-_likeness(old.tokens, new.tokens), abs(i - j), i, j)
            for i, old in enumerate(a)
            for j, new in enumerate(b)
            if _heads_loop(old) == _heads_loop(new)
        )
    )
    pairs: dict[int, int] = {}
    for likeness, _, i, j in scored:
        if -likeness < _ALIKE:
            break
        crosses = any((i - k) * (j - m) <= 0 for k, m in pairs.items())
        if not crosses:
            pairs[i] = j
    return pairs


def _heads_loop(statement: Statement) -> bool:
    return "do" in statement.tokens[:3] and "=" not in statement.tokens[:2]


def _likeness(a: tuple[str, ...], b: tuple[str, ...]) -> float:
    common = sum((Counter(a) & Counter(b)).values())
    return 2 * common / (len(a) + len(b))


def _mark_moved(found: list[ChangedStatement]) -> list[ChangedStatement]:
    """A statement dropped here and added there, in the same file, has moved."""
    dropped: dict[str, list[ChangedStatement]] = {}
    for change in found:
        if change.kind == Change.DROPPED:
            dropped.setdefault("".join(change.was.split()).lower(), []).append(change)
    result, gone = [], set()
    for change in found:
        match = dropped.get("".join(change.now.split()).lower()) if not change.was else None
        if change.kind == Change.ADDED and match:
            old = match.pop()
            gone.add(id(old))
            change = ChangedStatement(
                Change.MOVED, change.at, change.unit, old.was, change.now, old.original
            )
        result.append(change)
    return [_guards_named(change) for change in result if id(change) not in gone]


_BRANCHES = frozenset({"cycle", "exit", "return", "stop", "goto"})


def _guards_named(change: ChangedStatement) -> ChangedStatement:
    """`if (...) cycle` that is gone was a guard of what follows it."""
    words = change.was.lower().split("!")[0].replace(")", " ").split()
    if change.kind != Change.DROPPED or not words or not words[0].startswith("if"):
        return change
    return replace(change, kind=Rewritten.GUARD_DROPPED) if _BRANCHES & {*words[1:]} else change
