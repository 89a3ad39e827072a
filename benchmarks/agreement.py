"""Verdicts and clauses beside the `!$omp do` or `!$acc loop` that people wrote."""

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
    second: str  # of the other tool: "parallel", "not", or "unread"


@dataclass(frozen=True, slots=True)
class _Written:
    private: frozenset[str]
    reduction: frozenset[tuple[str, str]]


def compare(
    index: ProjectIndex, sentinel: str, other: Mapping[tuple[str, int], bool]
) -> list[Compared]:
    """Every loop that carries the directive; `other`: another tool's verdicts by file and line."""
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
                found.append(_compared(loop, clauses, other))
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
            private = own.private.union(*(region.private for region in around))
            yield directive.at.first, _Written(private, own.reduction)
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
    return _Written(frozenset(construct.arguments(*_PRIVATE)), reductions)


def _compared(
    loop: LoopFacts, written: _Written, other: Mapping[tuple[str, int], bool]
) -> Compared:
    ours = frozenset({*loop.private, *loop.firstprivate, loop.index})
    theirs = written.private | {loop.index}
    reductions = frozenset((r.op, r.var) for r in loop.reduction)
    second = other.get((loop.at.file, loop.at.first))
    return Compared(
        file=loop.at.file,
        line=loop.at.first,
        verdict=loop.verdict.value,
        conditional=any(condition.promise is None for condition in loop.conditions),
        private=_relation(ours, theirs),
        reduction=_relation(reductions, written.reduction),
        missing=tuple(sorted(theirs - ours)),
        reason=loop.reason,
        second="unread" if second is None else "parallel" if second else "not",
    )


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
    lines += [f"second tool: {dict(Counter(c.second for c in compared).most_common())}"]
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
