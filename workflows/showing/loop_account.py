"""Why a loop is, or is not, parallel: in words, with the source lines and what to paste."""

import re
import textwrap
from collections import Counter
from collections.abc import Mapping

from acclimate.analysis.facts import (
    Agreement,
    Condition,
    Finding,
    LoopFacts,
    Obstacle,
    Verdict,
    Witness,
)
from acclimate.analysis.source import Lines

_MEANING = {
    Verdict.PARALLEL: "its iterations can run at the same time",
    Verdict.REDUCTION: "its iterations can run at the same time, their partial results combined",
    Verdict.ATOMIC: "its iterations can run at the same time if what they share has atomic updates",
    Verdict.REWRITE: "its iterations can run at the same time after the change named below",
    Verdict.SERIAL: "its iterations must run one after another",
    Verdict.HOST: "it must stay on the host",
    Verdict.UNKNOWN: "whether its iterations are independent could not be found out",
}
_OFFLOADABLE = (Verdict.PARALLEL, Verdict.REDUCTION, Verdict.ATOMIC, Verdict.REWRITE)
_READY = (Verdict.PARALLEL, Verdict.REDUCTION, Verdict.ATOMIC)
_PROMISE = re.compile(r"!\$acclimate [\w(), %:]*[\w)]")
_NOTE_OF_HINT = "directive: acclimate "  # hints are told as such
_WIDTH = 98  # of a directive line
_LONG_STATEMENT = 5  # lines, from here on quoted in part


def explained(
    loop: LoopFacts, texts: Mapping[str, bytes], most: int | None, *, is_ported: bool | None = None
) -> str:
    """Verdict, source, obstacles with both references, remedies and a directive, as text.

    Where the loop `is_ported` there is nothing to paste; None: not known here.

    At most `most` obstacles are told, None: all. Of a loop that calls procedures and has more of
    them, the first of each reason come first.
    """
    source = _Source(texts)
    what = "loop" if loop.kind == "do" else "array statement"
    what += f" over '{loop.index}'" if loop.index else ""
    lines = [f"{loop.at}: {what} in {loop.unit}: {loop.verdict.value}", _meaning(loop)]
    lines += source.quoted(loop.at)
    if loop.only_in:
        lines += [f"it stands in some configurations only: {', '.join(loop.only_in)}"]
    lines += _conditions(loop, source)
    lines += _calls(loop, most)
    told = _varied(loop.obstacles)[:most] if most else loop.obstacles
    for number, obstacle in enumerate(told, 1):
        lines += ["", *_obstacle(number, obstacle, loop, source)]
    if len(told) < len(loop.obstacles):
        lines += ["", f"and {len(loop.obstacles) - len(told)} more reasons (--all)"]
    if not is_ported:
        lines += _advice(loop, source)
    if loop.last_values:
        lines += [f"values used after the loop: {', '.join(loop.last_values)}"]
    told_below = {f"directive: {claim.text}" for claim in loop.claims}
    lines += [
        f"note: {note}"
        for note in loop.notes
        if note not in told_below and not note.startswith(_NOTE_OF_HINT)
    ]
    lines += [f"hint at {hint.at}: {hint.text}" for hint in loop.hints]
    lines += [f"directive at {c.at}: !${c.text}: {_AGREEMENT[c.agreement]}" for c in loop.claims]
    for finding in loop.findings:
        lines += _finding(finding, source)
    if loop.is_skipped:
        lines += ["it is not ported: a hint asks to leave it alone"]
    elif is_ported is None and loop.verdict in _OFFLOADABLE:
        lines += ["whether it is ported depends on where its data lives: see the report of migrate"]
    return "\n".join(lines) + "\n"


_AGREEMENT = {
    Agreement.CONFIRMED: "confirmed",
    Agreement.CONTRADICTED: "contradicted, see below",
    Agreement.UNDECIDED: "neither confirmed nor contradicted",
}


def _meaning(loop: LoopFacts) -> str:
    if loop.unproved:
        number = len(loop.unproved)
        return f"{_MEANING[loop.verdict]}, under {number} condition{'s' * (number != 1)}"
    return _MEANING[loop.verdict]


# --- conditions and findings ---------------------------------------------------------------------


def _conditions(loop: LoopFacts, source: "_Source") -> list[str]:
    """What the verdict rests on, with the references, and how to promise what nothing proves."""
    lines: list[str] = []
    for condition in loop.conditions:
        if condition.promise is not None:
            lines += [f"it rests on a promise at {condition.promise}: {condition.detail}"]
        else:
            lines += ["", *_unproved(condition, loop, source)]
    return lines


def _unproved(condition: Condition, loop: LoopFacts, source: "_Source") -> list[str]:
    lines = _wrapped(f"only if {condition.detail}, which nothing proves:")
    for at in dict.fromkeys(condition.references):
        lines += source.quoted(at)
    where = f"   if you know that it holds, promise it before line {loop.at.first}:"
    return [*lines, where, f"   {_indent(loop, source)}{condition.hint}"]


def _finding(finding: Finding, source: "_Source") -> list[str]:
    """A directive or hint that the source contradicts, with the references that clash."""
    word = "may be wrong" if finding.kind == "possible-race" else "is contradicted"
    lines = ["", *_wrapped(f"`{finding.claim}` at {finding.at} {word}: {finding.detail}")]
    for witness in finding.witnesses:
        lines += _witness(witness, source)
    return lines


# --- obstacles -----------------------------------------------------------------------------------


def _calls(loop: LoopFacts, most: int | None) -> list[str]:
    """What a loop that mostly calls is made of, and how many reasons there are of each kind."""
    if most is None or not loop.calls or len(loop.obstacles) <= most:
        return []
    kinds = Counter(obstacle.reason for obstacle in loop.obstacles).most_common()
    number = len(loop.calls)
    return [
        f"this loop calls {number} procedure{'s' * (number != 1)}; the loops in them are judged"
        " by themselves",
        f"reasons: {', '.join(f'{count} {kind}' for kind, count in kinds)}",
    ]


def _varied(obstacles: tuple[Obstacle, ...]) -> list[Obstacle]:
    """The first obstacle of each reason, then the others; each part in the given order."""
    first = {obstacle.reason: obstacle for obstacle in reversed(obstacles)}
    return sorted(obstacles, key=lambda obstacle: first[obstacle.reason] is not obstacle)


def _obstacle(number: int, obstacle: Obstacle, loop: LoopFacts, source: "_Source") -> list[str]:
    lines = _wrapped(f"{number}. {obstacle.detail} [{obstacle.reason}, {obstacle.verdict.value}]")
    if not obstacle.witnesses:
        lines += source.quoted(obstacle.at)
    for witness in obstacle.witnesses:
        lines += _witness(witness, source)
    promise = _PROMISE.search(obstacle.remedy)
    if promise is not None:
        remedy = obstacle.remedy[: promise.start()].rstrip(": ")
        lines += _wrapped(f"   what would change it: {remedy}; before line {loop.at.first}:")
        return [*lines, f"   {_indent(loop, source)}{promise[0]}"]
    if obstacle.remedy:
        lines += _wrapped(f"   what would change it: {obstacle.remedy}")
    return lines


def _wrapped(text: str) -> list[str]:
    """Lines of a sentence; names and quoted code are never split."""
    return textwrap.wrap(
        text, _WIDTH + 2, subsequent_indent="   ", break_long_words=False, break_on_hyphens=False
    )


_CLASH = {
    "flow": "{later} reads what {earlier} has written in `{name}`",
    "anti": "{later} overwrites what {earlier} must have read in `{name}` first",
    "output": "{later} writes what {earlier} has written in `{name}`, and the last must win",
    "scalar": "{later} may read what {earlier} has left in `{name}`",
    "call": "all iterations use the one `{name}`",
}


def _witness(witness: Witness, source: "_Source") -> list[str]:
    """What two references do to each other, and both of them."""
    sentence = _CLASH.get(witness.kind)
    lines = []
    if sentence is not None:
        words = sentence.format(name=witness.variable, **_iterations(witness.distance))
        lines = _wrapped(f"   {words} ({witness.kind} dependence):")
    lines += source.quoted(witness.source, witness.variable)
    if witness.sink != witness.source:
        lines += source.quoted(witness.sink, witness.variable)
    return lines


def _iterations(distance: int | None) -> dict[str, str]:
    if distance is None:
        return {"earlier": "another iteration", "later": "one iteration"}
    number = abs(distance)
    before = "the iteration before" if number == 1 else f"the iteration {number} before it"
    return {"earlier": before, "later": "an iteration"}


# --- what to do ----------------------------------------------------------------------------------


def _advice(loop: LoopFacts, source: "_Source") -> list[str]:
    """A directive to paste; of a loop that needs a change or a promise first, its clauses.

    In fixed form it begins in column 1, where a sentinel has to stand.
    """
    clauses = _clauses(loop)
    if loop.kind != "do" or loop.verdict not in _READY or loop.unproved:
        if clauses and loop.verdict in _OFFLOADABLE:
            return ["", f"clauses it needs: {' '.join(clauses)}"]
        return []
    head = ["", f"an OpenACC directive for this loop alone, before line {loop.at.first}:"]
    fixed = _is_fixed(loop, source)
    lines = _directive(["parallel loop", *clauses], _indent(loop, source), fixed)
    lines = head + [line if fixed else f"   {line}" for line in lines]
    if loop.atomic:
        names = " and ".join(f"`{name}`" for name in loop.atomic)
        lines += [f"and before every update of {names} in it: !$acc atomic update"]
    return lines


def _clauses(loop: LoopFacts) -> list[str]:
    named = (("private", loop.private), ("firstprivate", loop.firstprivate))
    clauses = [f"{name}({', '.join(names)})" for name, names in named if names]
    return clauses + [f"reduction({r.op}:{r.var})" for r in loop.reduction]


def _directive(words: list[str], indent: str, fixed: bool) -> list[str]:
    """The directive with continuation lines where it is long, in the file's source form."""
    start, more = ("!$acc ", "!$acc&") if fixed else (f"{indent}!$acc ", f"{indent}!$acc& ")
    width = 71 if fixed else _WIDTH
    lines = [start]
    for word in " ".join(words).split(" "):
        if len(lines[-1]) + len(word) + 1 > width and lines[-1].strip() != "!$acc":
            lines.append(more)
        lines[-1] += word if lines[-1] in (start, more) else f" {word}"
    if not fixed:
        lines[:-1] = [f"{line} &" for line in lines[:-1]]
    return lines


def _is_fixed(loop: LoopFacts, source: "_Source") -> bool:
    """A statement that could be in fixed form, in a file whose name says that it is."""
    return loop.at.file.lower().endswith((".f", ".for", ".ftn", ".f77")) and not _line(
        loop, source
    )[:5].strip(b" 0123456789\t")


def _indent(loop: LoopFacts, source: "_Source") -> str:
    line = _line(loop, source)
    return " " * (len(line) - len(line.lstrip()))


def _line(loop: LoopFacts, source: "_Source") -> bytes:
    return source.lines(loop.at)[0]


class _Source:
    """The model's files, quoted as compilers do; what was quoted in full is not quoted again."""

    def __init__(self, texts: Mapping[str, bytes]) -> None:
        self._texts = texts
        self._told: set[tuple[Lines, str]] = set()

    def lines(self, at: Lines) -> list[bytes]:
        """The lines of a statement; one empty line where the file is not known."""
        return self._texts.get(at.file, b"").split(b"\n")[at.first - 1 : at.last] or [b""]

    def quoted(self, at: Lines, name: str = "") -> list[str]:
        """Numbered lines; of a long statement the first, and those that mention `name`."""
        width = len(str(at.last))
        rows = [
            (f"   {at.file} {number:>{width}} | ", line.decode("latin-1").rstrip())
            for number, line in enumerate(self.lines(at), at.first)
        ]
        if len(rows) <= _LONG_STATEMENT:
            return [head + text for head, text in rows]
        if (at, name) in self._told:
            return [f"{rows[0][0]}{rows[0][1].strip()} ... (quoted above)"]
        self._told.add((at, name))
        word = re.compile(rf"\b{re.escape(name.partition('%')[0])}\b", re.IGNORECASE)
        kept = [0, *(n for n, (_, text) in enumerate(rows) if n and name and word.search(text))]
        lines = [rows[number][0] + rows[number][1] for number in kept[:_LONG_STATEMENT]]
        return [*lines, f"   ... ({len(rows)} lines)"]
