"""Verdicts and clauses beside the `!$omp do` or `!$acc loop` that people wrote."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from acclimate.analysis.directives import Construct, parse, scan
from acclimate.analysis.facts import LoopFacts
from acclimate.analysis.index import ProjectIndex

_WORK_SHARING = {
    "omp": ("do", "parallel do", "do simd", "parallel do simd"),
    "acc": ("loop", "parallel loop", "kernels loop"),
}
_PRIVATE = ("private", "firstprivate", "lastprivate")


@dataclass(frozen=True, slots=True)
class Compared:
    """One loop under a directive; `private` and `reduction` say how our list relates to theirs."""

    file: str
    line: int
    verdict: str
    conditional: bool  # it rests on conditions that nothing proves
    private: str  # "equal" | "superset" | "subset" | "different"
    reduction: str
    missing: tuple[str, ...]  # private in the directive, not in ours
    reason: str
    second: str  # of the other tool: "parallel", "not", "not seen", or "" where it had no such file


@dataclass(frozen=True, slots=True)
class Second:
    """Another tool's verdicts by file and line of the DO statement, and the files it was given."""

    files: frozenset[str]
    parallel: Mapping[tuple[str, int], bool]

    def says(self, loop: LoopFacts) -> str:
        if loop.at.file not in self.files:
            return ""
        found = self.parallel.get((loop.at.file, loop.at.first))
        return "not seen" if found is None else "parallel" if found else "not"


@dataclass(frozen=True, slots=True)
class _Written:
    own: frozenset[str]
    region: frozenset[str]  # private in the regions around
    reduction: frozenset[tuple[str, str]]


def compare(index: ProjectIndex, sentinel: str, other: Second) -> list[Compared]:
    """Every loop that carries the directive."""
    written = {
        file: dict(_directives(data, index.manifest.form(file), file, sentinel))
        for file, data in index.texts.items()
    }
    found: list[Compared] = []
    for loop in index.loops:
        if loop.kind != "do":
            continue
        for claim in loop.claims:
            clauses = written[loop.at.file].get(claim.at.first)
            if clauses is not None:
                lines = index.texts[loop.at.file].split(b"\n")
                text = b"\n".join(lines[loop.at.first - 1 : loop.end.last]).decode("latin-1")
                found.append(_compared(loop, clauses, text.lower(), other.says(loop)))
    return found


def _directives(data: bytes, form: str, file: str, sentinel: str) -> Iterator[tuple[int, _Written]]:
    """Work-sharing directives by line, with the PRIVATE lists of the regions around them."""
    around: list[_Written] = []
    for directive in scan(data, form, file):
        if directive.sentinel != sentinel:
            continue
        construct = parse(directive)
        name = construct.name
        if name in _WORK_SHARING[sentinel]:
            own = _written(construct)
            region = frozenset[str]().union(*(outer.own for outer in around))
            yield directive.at.first, _Written(own.own, region, own.reduction)
        elif name in ("parallel", "kernels"):
            around.append(_written(construct))
        elif name in ("end parallel", "end kernels") and around:
            around.pop()


def _written(construct: Construct) -> _Written:
    reductions = frozenset(
        (clause.modifier, name)
        for clause in construct.clauses
        if clause.name == "reduction"
        for name in clause.args
    )
    return _Written(frozenset(construct.arguments(*_PRIVATE)), frozenset(), reductions)


def _compared(loop: LoopFacts, written: _Written, text: str, second: str) -> Compared:
    """PRIVATE names of a region count where the loop sets them; others are of what is around."""
    ours = frozenset({*loop.private, *loop.firstprivate, loop.index})
    inherited = {name for name in written.region if _is_set(name, text)}
    theirs = written.own | inherited | {loop.index}
    reductions = frozenset((r.op, r.var) for r in loop.reduction)
    return Compared(
        file=loop.at.file,
        line=loop.at.first,
        verdict=loop.verdict.value,
        conditional=any(condition.promise is None for condition in loop.conditions),
        private=_relation(ours, theirs),
        reduction=_relation(reductions, written.reduction),
        missing=tuple(sorted(theirs - ours)),
        reason=loop.reason,
        second=second,
    )


def _is_set(name: str, text: str) -> bool:
    """Is there an assignment to the variable, or a DO loop over it?"""
    target = rf"(?m)(?:^|[;)]|\bdo|\bthen|:)\s*{re.escape(name)}\s*(?:\([^=\n]*\))?\s*=(?!=)"
    return re.search(target, text) is not None


def _relation(ours: frozenset[object], theirs: frozenset[object]) -> str:
    if ours == theirs:
        return "equal"
    if ours > theirs:
        return "superset"
    return "subset" if ours < theirs else "different"


def table(compared: list[Compared]) -> list[str]:
    """What agrees, and each loop that does not with its reason."""
    total = len(compared) or 1
    verdicts = Counter(f"{c.verdict}{' (conditional)' * c.conditional}" for c in compared)
    lines = [f"{len(compared)} loops carry the directive"]
    lines += [f"  {v:24} {n:6} {100 * n / total:6.2f} %" for v, n in verdicts.most_common()]
    agreed = [c for c in compared if _agrees(c)]
    for what in ("private", "reduction"):
        counts = Counter(getattr(c, what) for c in agreed)
        words = ", ".join(f"{number} {relation}" for relation, number in counts.most_common())
        lines += [f"{what} lists of the parallel and reduction loops: {words}"]
    given = Counter(c.second for c in compared if c.second)
    words = ", ".join(f"{number} {verdict}" for verdict, number in given.most_common())
    lines += [f"PSyclone, of the {given.total()} such loops in its files: {words or 'none'}"]
    lines += [
        f"{c.file}:{c.line}: {c.verdict}: {c.reason or 'under a condition'}"
        for c in compared
        if not _agrees(c)
    ]
    lines += [
        f"{c.file}:{c.line}: private in the directive, not in ours: {', '.join(c.missing)}"
        for c in agreed
        if c.missing
    ]
    return lines


def _agrees(compared: Compared) -> bool:
    return compared.verdict in ("parallel", "reduction") and not compared.conditional
