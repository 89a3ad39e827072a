"""The port with every governed loop run backwards: the same numbers?"""

import hashlib
from collections.abc import Iterator

from acclimate.analysis.source import apply_edits
from acclimate.verifier.building.build import BuildFailure, build
from acclimate.verifier.building.variant import variant_tree
from acclimate.verifier.checks import check
from acclimate.verifier.comparing.comparison import Comparison
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.measuring.order_reversal import Reversal, reversal_edits, reversals
from acclimate.verifier.measuring.repeats import compared
from acclimate.verifier.running.runs import Run
from acclimate.verifier.subject import Length, Side, Subject
from acclimate.verifier.toolchains import Build

_SHOWN = 8
_EPSILON = 2.0**-52
# A sum of n terms in another order differs by at most 2(n-1) eps times the sum of |terms|. The
# terms are not seen here, so the sum of |terms| is taken as at most this many times the largest
# |value| of the output it ends in.
_CANCELLATION = 1e3
# Beyond the bound, but up to here, a sum that feeds back into the model may explain it.
_GROWN = 1e-6
# What rounding leaves of a difference, at most, when reals get twice the bits (2^-29), and more.
_SHRUNK = 1e-6


@check(cost=32)
def reversed_order(subject: Subject) -> Iterator[Evidence]:
    """Bit identity for plain loops, apart from them a rounding bound for sums and atomics."""
    found = [r for file in subject.port_files.values() for r in reversals(file)]
    if not found:
        text = "no loop of the port is said to be parallel"
        yield _evidence(Outcome.INCONCLUSIVE, text)
        return
    forward = subject.ran(Side.PORT, Build.HOST, Length.SHORT)
    if isinstance(forward, BuildFailure) or not forward.ok:
        yield _evidence(Outcome.INCONCLUSIVE, "the port does not build or run forward")
        return
    for rounds in (False, True):
        group = [r for r in found if r.rounds is rounds]
        if group:
            yield from _measure(subject, forward, group, rounds)


def _measure(
    subject: Subject, forward: Run, group: list[Reversal], rounds: bool
) -> Iterator[Evidence]:
    backward = _run_backwards(subject, group, "sums" if rounds else "plain")
    if backward is None:
        yield _evidence(Outcome.INCONCLUSIVE, "the reversed port does not build")
        return
    what = "sums and atomics" if rounds else "plain loops"
    if not backward.ok:
        text = f"with {len(group)} {what} reversed the port {backward.finished.outcome}"
        yield from _at_loops(group, text, None, 0)
        return
    found = compared(subject, forward, backward)
    limit = _limit(forward) if rounds else 0.0
    if _same(found, limit):
        text = f"{len(group)} {what} may run backwards ({found.compared} values compared)"
        yield _evidence(Outcome.HOLDS, text, found.relative, limit)
        return
    text = f"the order of {what} matters: {found.findings[0].message}"
    if rounds and not found.structural and found.relative <= _GROWN:
        yield _evidence(Outcome.INCONCLUSIVE, f"{text}; rounding may have grown so far")
        return
    if rounds and not found.structural and _is_rounding(subject, group, found):
        text = f"{text}; with reals of twice the bits it all but vanishes: rounding, no race"
        yield _evidence(Outcome.HOLDS, text, found.relative, limit)
        return
    culprits = _culprits(subject, forward, group, limit)
    yield from _at_loops(culprits, text, found.relative, limit)


def _is_rounding(subject: Subject, group: list[Reversal], found: Comparison) -> bool:
    """Whether every difference shrinks with the precision; that of a race stays as large."""
    forward = subject.ran(Side.PORT, Build.WIDER, Length.SHORT)
    backward = _run_backwards(subject, group, "sums-wider", Build.WIDER)
    if isinstance(forward, BuildFailure) or backward is None or not (forward.ok and backward.ok):
        return False
    wider = compared(subject, forward, backward)
    if wider.structural:
        return False
    left = {f.variable: f.norms.worst for f in wider.findings if f.norms}
    return all(
        f.norms is not None and left.get(f.variable, 0.0) <= _SHRUNK * f.norms.worst
        for f in found.findings
    )


def _run_backwards(
    subject: Subject, group: list[Reversal], name: str, kind: Build = Build.HOST
) -> Run | None:
    changed = {}
    for file in subject.port_files.values():
        edits = reversal_edits(file, [r for r in group if r.loop.file == file.name])
        if edits:
            changed[file.name] = apply_edits(file.data, edits)
    key = hashlib.sha256(name.encode()).hexdigest()[:12]
    tree = variant_tree(subject.port, changed, subject.work / "variants" / key)
    made = build(tree, subject.toolchain, kind, subject.work)
    if isinstance(made, BuildFailure):
        return None
    return subject.run(made.executable, f"reversed-{name}", Length.SHORT)


def _culprits(
    subject: Subject, forward: Run, group: list[Reversal], limit: float
) -> list[Reversal]:
    """Halve the loops until single ones are left that change the result by themselves."""
    if len(group) == 1:
        return group
    middle = len(group) // 2
    found: list[Reversal] = []
    for half in (group[:middle], group[middle:]):
        run = _run_backwards(subject, half, f"{half[0].loop.file}:{half[0].loop.line}+{len(half)}")
        if run is None:
            continue
        result = compared(subject, forward, run)
        if not run.ok or not _same(result, limit):
            found += _culprits(subject, forward, half, limit)
    return found or group


def _limit(forward: Run) -> float:
    """The rounding bound relative to the largest value: n is the length of the longest output."""
    longest = max((field.values.size for field in forward.outputs.fields.values()), default=1)
    return 2 * longest * _EPSILON * _CANCELLATION


def _same(found: Comparison, limit: float) -> bool:
    """Bit identity, or a difference in values alone that is within a limit above zero."""
    return found.identical or (not found.structural and 0 < found.relative <= limit)


def _at_loops(
    group: list[Reversal], text: str, figure: float | None, limit: float
) -> Iterator[Evidence]:
    for each in group[:_SHOWN]:
        yield Evidence(
            "reversed_order",
            Light.RACES,
            Outcome.FAILS,
            text,
            figure=figure,
            limit=limit,
            unit="1",
            file=each.loop.file,
            line=each.loop.line,
            decisive=False,
        )


def _evidence(
    outcome: Outcome, message: str, figure: float | None = None, limit: float | None = None
) -> Evidence:
    return Evidence(
        "reversed_order",
        Light.RACES,
        outcome,
        message,
        figure=figure,
        limit=limit,
        unit="1",
        decisive=False,
    )
