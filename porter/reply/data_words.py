"""Data directives that authors write by habit are taken out: the plan of residency moves data."""

from collections.abc import Sequence

from acclimate.analysis.directives import Clause, parse, scan
from acclimate.analysis.ir import Directive
from acclimate.analysis.source import Edit

_MOVES = frozenset({"data", "end data", "enter data", "exit data", "update"})
_CLAUSES = frozenset(
    ["copy", "copyin", "copyout", "create", "present", "no_create", "present_or_copy", "async"]
)
_WIDTH = 100


def without_data(edits: Sequence[Edit], form: str) -> tuple[tuple[Edit, ...], int]:
    """The edits with kernels on resident data only, and how many directives that changed.

    `data`, `enter data`, `exit data` and `update` go; data clauses of `parallel loop` become
    `default(present)`. Free form only: in fixed form they stay, to be objected to.
    """
    if form != "free":
        return tuple(edits), 0
    changed = [_stripped(edit) for edit in edits]
    return tuple(edit for edit, _ in changed), sum(count for _, count in changed)


def _stripped(edit: Edit) -> tuple[Edit, int]:
    lines: list[str | None] = list(edit.text)
    count = 0
    for directive in scan("\n".join(edit.text).encode("latin-1", "replace"), "free", edit.file):
        if directive.sentinel != "acc":
            continue
        first, last = directive.at.first - 1, directive.at.last
        indent = edit.text[first][: len(edit.text[first]) - len(edit.text[first].lstrip())]
        new = _rewritten(directive)
        if new is None:
            continue
        count += 1
        lines[first:last] = [_folded(indent, new) if new else None] + [None] * (last - first - 1)
    text = tuple(piece for line in lines if line is not None for piece in line.split("\n"))
    return Edit(edit.file, edit.first, edit.last, text), count


def _rewritten(directive: Directive) -> str | None:
    """The directive's new text, "" for none at all, None where it stays as it is."""
    construct = parse(directive)
    if construct.name in _MOVES:
        return ""
    if construct.name != "parallel loop":
        return None
    kept = [c for c in construct.clauses if c.name not in _CLAUSES and c.name != "default"]
    if construct.arguments("default") == ("present",) and len(kept) + 1 == len(construct.clauses):
        return None
    return " ".join([construct.name, *map(_written, kept), "default(present)"])


def _written(clause: Clause) -> str:
    if not clause.args:
        return clause.name
    modifier = f"{clause.modifier}:" if clause.modifier else ""
    return f"{clause.name}({modifier}{', '.join(clause.args)})"


def _folded(indent: str, text: str) -> str:
    """The directive in lines of no more than `_WIDTH` columns, where its words allow it."""
    lines = [f"{indent}!$acc"]
    for word in text.split(" "):
        if len(lines[-1]) + len(word) + 3 > _WIDTH:
            lines[-1] += " &"
            lines.append(f"{indent}!$acc&")
        lines[-1] += f" {word}"
    return "\n".join(lines)
