"""From the text of a reply to edits of one unit that may be tried, or to what speaks against it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from acclimate.analysis.facts import ReadingProblem
from acclimate.analysis.ir import Unit
from acclimate.analysis.reader.reading import FileUnits, read
from acclimate.analysis.second_reader import parses
from acclimate.analysis.source import Edit, Lines, apply_edits
from acclimate.analysis.tree.manifest import Manifest
from acclimate.analysis.view.normalising import view_of
from acclimate.porter.reply.blocks import Contract, Reply, read_reply
from acclimate.porter.reply.data_words import without_data
from acclimate.porter.reply.line_screen import line_objections
from acclimate.porter.reply.objection import Objection, Reason, UnsafeReply
from acclimate.porter.reply.placing import between, place_blocks
from acclimate.porter.reply.unit_screen import Two, blank, unit_objections
from acclimate.porter.reply.whole_unit import whole_unit

LARGEST = 400_000  # characters of a reply; no unit that fits a prompt needs more
_WORDS = frozenset({"parallel", "private", "injective", "noalias"})


@dataclass(frozen=True, slots=True)
class Ground:
    """What a reply may touch: lines `may_edit` of one file, all inside one unit, and `also`.

    `callable` are the bare names of the model's procedures, `unit` is a qualified name.
    """

    manifest: Manifest
    data: bytes
    unit: str
    may_edit: Lines
    callable: frozenset[str]
    also: Lines | None = None  # the unit's declarations, where `may_edit` is a part of the unit

    @property
    def file(self) -> str:
        return self.may_edit.file

    @property
    def lines(self) -> list[str]:
        return [line.rstrip("\r") for line in self.data.decode("latin-1").split("\n")]


@dataclass(frozen=True, slots=True)
class Proposal:
    """Edits that passed every question that the text can answer, and what was claimed beside.

    `data_directives` counts those that were taken out of the reply.
    """

    edits: tuple[Edit, ...]
    contracts: tuple[Contract, ...] = ()
    data_directives: int = 0


@dataclass(frozen=True, slots=True)
class Declined:
    """The author would rather leave the unit as it is."""

    reason: str


def propose_from(text: str, ground: Ground) -> Proposal | Declined:
    """Read a reply and judge it by its text and by two readings of the unit.

    Raises:
        UnsafeReply: with all objections of the first stage that has any.
    """
    if len(text) > LARGEST:
        said = f"the reply has {len(text)} characters, more than {LARGEST}"
        raise UnsafeReply(ground.unit, [Objection(Reason.UNREADABLE, said)])
    reply = read_reply(text)
    if reply.refusal and not reply.blocks and not reply.objections:
        return Declined(reply.refusal)
    edits, moved = without_data(_edits(reply, ground), ground.manifest.form(ground.file))
    _demand(ground, _stage_of_text(edits, ground))
    _demand(ground, _stage_of_unit(edits, ground))
    _demand(ground, _contracts(reply.contracts, ground))
    return Proposal(edits, reply.contracts, moved)


def _demand(ground: Ground, objections: Iterator[Objection]) -> None:
    found = tuple(dict.fromkeys(objections))
    if found:
        raise UnsafeReply(ground.unit, found)


def _edits(reply: Reply, ground: Ground) -> tuple[Edit, ...]:
    edits, objections = place_blocks(reply.blocks, ground.lines, ground.may_edit, ground.also)
    if not reply.blocks and not reply.objections:
        edits = _from_whole(reply.fenced, ground)
    _demand(ground, iter((*reply.objections, *objections)))
    if not edits:
        said = "the reply holds no edit block that changes anything"
        raise UnsafeReply(ground.unit, [Objection(Reason.EMPTY, said)])
    return edits


def _from_whole(fenced: Sequence[tuple[str, ...]], ground: Ground) -> tuple[Edit, ...]:
    """The edits that a reply with the unit written out in full amounts to."""
    first, last = ground.may_edit.first, ground.may_edit.last
    old = ground.lines[first - 1 : last]
    new = whole_unit(fenced, old)
    return between(old, new, ground.file, first) if new else ()


def _stage_of_text(edits: Sequence[Edit], ground: Ground) -> Iterator[Objection]:
    form = ground.manifest.form(ground.file)
    yield from line_objections(edits, ground.lines, form, ground.manifest.fixed_width)
    before = Counter(s.strip() for s in ground.lines if _is_fixed_point(s))
    lines = ground.lines
    gone = Counter(
        s.strip()
        for e in edits
        if not e.inserts
        for s in lines[e.first - 1 : e.last]
        if _is_fixed_point(s)
    )
    kept = Counter(s.strip() for e in edits for s in e.text if _is_fixed_point(s))
    for text in (gone - kept) & before:
        yield Objection(Reason.PREPROCESSOR, f"'{text}' may not be taken out or moved")


def _is_fixed_point(line: str) -> bool:
    """A line that decides what is compiled: preprocessor, INCLUDE, directives not OpenACC's."""
    text = line.strip().lower()
    is_directive = text.startswith(("!$", "!dir$", "!dec$", "!gcc$")) and text[:5] != "!$acc"
    return text.startswith(("#", "include ", "include'", 'include"')) or is_directive


def _stage_of_unit(edits: Sequence[Edit], ground: Ground) -> Iterator[Objection]:
    before = _read(ground, ground.data)
    data = apply_edits(ground.data, edits)
    after = _read(ground, data)
    new = _new_problems(before.problems, after.problems)
    if new:
        yield from (Objection(Reason.SYNTAX, f"{p.reason}: {p.text[:60]}") for p in new)
        return
    strict = parses(view_of(ground.manifest, ground.file, data))
    if strict and not parses(view_of(ground.manifest, ground.file, ground.data)):
        yield Objection(Reason.SYNTAX, f"not readable as Fortran: {strict.text[:80]}")
        return
    known, now = _by_name(before.units), _by_name(after.units)
    inner = f"{ground.unit}::"
    strange = [n for n in now.keys() - known.keys() if not n.startswith(inner)]
    lost = known.keys() - now.keys()
    if lost or strange:
        said = f"the program units of the file changed: {', '.join(sorted(lost) + strange)}"
        yield Objection(Reason.INTERFACE, said)
        return
    added = frozenset(now[name].name for name in now.keys() - known.keys())
    for name, unit in sorted(now.items()):
        if name == ground.unit or name.startswith(inner):
            was = known.get(name) or blank(unit)
            yield from unit_objections(Two(was, unit, ground.callable | added))


def _new_problems(
    before: Sequence[ReadingProblem], after: Sequence[ReadingProblem]
) -> list[ReadingProblem]:
    known = Counter((p.reason, p.text) for p in before)
    now = Counter((p.reason, p.text) for p in after)
    new = now - known
    return [p for p in after if new[p.reason, p.text]]


def _read(ground: Ground, data: bytes) -> FileUnits:
    return read(view_of(ground.manifest, ground.file, data))


def _by_name(units: Sequence[Unit]) -> dict[str, Unit]:
    found: dict[str, Unit] = {}
    for unit in units:
        found[unit.qualified_name] = unit
        found |= _by_name(tuple(unit.units.values()))
    return found


def _contracts(contracts: Sequence[Contract], ground: Ground) -> Iterator[Objection]:
    for contract in contracts:
        inside = ground.may_edit.first <= contract.line <= ground.may_edit.last
        if contract.word not in _WORDS or not inside:
            said = f"contract '{contract.word}' at line {contract.line} says nothing known"
            yield Objection(Reason.CONTRACT, said)
