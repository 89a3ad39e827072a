"""Are the kernels free of races and in bounds, proved from the port's own source and directives?"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial

from acclimate.analysis.dependence.solver import solver
from acclimate.verifier.checks import check
from acclimate.verifier.contracts.data import data_breaches
from acclimate.verifier.contracts.formulas import apart, within
from acclimate.verifier.contracts.kernels import Kernel, kernel_of
from acclimate.verifier.contracts.promises import Promise, applied, promise
from acclimate.verifier.contracts.proving import Answer, Finding, answered
from acclimate.verifier.contracts.scalars import Breach, breaches
from acclimate.verifier.contracts.shapes import Shapes
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.subject import Subject
from acclimate.verifier.texts.governed import GovernedLoop

_SHOWN = 3  # open questions named for one kernel
_ASKED_AT_ONCE = 2  # kernels; z3 works in a process of its own


@dataclass(frozen=True, slots=True)
class _Judged:
    loop: GovernedLoop
    findings: tuple[Finding, ...]
    breaches: tuple[Breach, ...]
    gaps: tuple[str, ...]
    promises: tuple[Promise, ...]

    @property
    def is_proved(self) -> bool:
        proved = all(f.answer is Answer.PROVED for f in self.findings)
        return proved and not self.breaches and not self.gaps


@check(cost=4)
def contracts(subject: Subject) -> Iterator[Evidence]:
    """Every parallel loop against its contracts; z3 answers, and what it does not is unknown.

    The dependences that the analysis found are not used: what a kernel touches is read anew from
    the port.
    """
    loops = [loop for loop in subject.governed if loop.parallel]
    wanted = [loop for loop in subject.judged if loop.parallel]
    if not wanted:
        return
    if solver() is None:
        text = "there is no z3: no kernel was proved free of races and in bounds"
        yield Evidence("contracts", Light.RACES, Outcome.INCONCLUSIVE, text)
        return
    promises = [promise(text) for text in subject.port.contracts]
    shapes = Shapes(subject.index.project)
    kernels = [
        kernel_of(subject.index.project, shapes, loop, subject.port_files[loop.file], loops)
        for loop in wanted
    ]
    with ThreadPoolExecutor(_ASKED_AT_ONCE) as pool:
        found = pool.map(partial(_judge, promises=promises), wanted, kernels)
        judged = list(found)
    yield _summary(judged)
    inherited = {loop.signature for loop in subject.original_governed}
    for each in judged:
        said = _told(each)
        yield from map(_not_blamed, said) if each.loop.signature in inherited else said


def _judge(loop: GovernedLoop, kernel: Kernel | None, promises: Sequence[Promise]) -> _Judged:
    """Without promises first: what needs none rests on none."""
    if kernel is None:
        return _Judged(loop, (), (), ("its loops could not be read",), ())
    record = kernel.iteration.record
    gaps = tuple(f"{reason} ({at})" for reason, at in record.gaps)
    broken = (*breaches(kernel), *data_breaches(kernel))
    questions = [*apart(kernel), *within(kernel)]
    found = answered(kernel, questions)
    used: tuple[Promise, ...] = ()
    open_ = [f.question for f in found if f.answer is not Answer.PROVED]
    given = applied(kernel, promises) if open_ else []
    if given:
        formulas = tuple(text for _, texts in given for text in texts)
        again = [replace(q, given=(*q.given, *formulas)) for q in open_]
        found = [f for f in found if f.answer is Answer.PROVED] + answered(kernel, again)
        used = tuple(each for each, _ in given)
    return _Judged(loop, tuple(found), broken, gaps, used)


def _summary(judged: Sequence[_Judged]) -> Evidence:
    proved = [each for each in judged if each.is_proved]
    promised = sorted({p.text for each in proved for p in each.promises})
    text = f"{len(proved)} of {len(judged)} kernels are proved free of races and in bounds"
    if promised:
        text += f", given {', '.join(promised)} (see promises)"
    every = len(proved) == len(judged)
    return Evidence(
        "contracts",
        Light.RACES,
        Outcome.HOLDS if every else Outcome.INCONCLUSIVE,
        text,
        figure=len(proved),
        limit=len(judged),
        unit="kernels",
        decisive=not promised,
    )


def _told(judged: _Judged) -> Iterator[Evidence]:
    """Certain violations one by one; of what is open, the first few in one line."""
    by_contract: dict[str, list[Breach]] = defaultdict(list)
    for breach in judged.breaches:
        if breach.certain:
            by_contract[breach.contract].append(breach)
    for contract, found in by_contract.items():
        others = ", ".join(dict.fromkeys(f"'{breach.variable}'" for breach in found[1:]))
        more = f"; so it is with {others}" if others else ""
        at = found[0].at
        yield _failure(f"{contract}: {found[0].detail}{more}", at.file, at.first)
    for finding in judged.findings:
        if finding.certain and finding.claim is not None:
            at = finding.claim.one.at
            yield _failure(_shown(finding), at.file, at.first)
    open_ = [_shown(f) for f in judged.findings if f.answer is not Answer.PROVED and not f.certain]
    open_ += [f"{b.contract}: {b.detail}" for b in judged.breaches if not b.certain]
    open_ += [f"not followed: {gap}" for gap in judged.gaps]
    if open_:
        more = f" (and {len(open_) - _SHOWN} more)" if len(open_) > _SHOWN else ""
        yield Evidence(
            "contracts",
            Light.RACES,
            Outcome.INCONCLUSIVE,
            "; ".join(open_[:_SHOWN]) + more,
            file=judged.loop.file,
            line=judged.loop.directive.at.first,
        )


def _shown(finding: Finding) -> str:
    """A contract, and what breaks it: `y'` is the value of `y` in the other iteration."""
    question, claim = finding.question, finding.claim
    if claim is None:
        return f"{question.contract}: not decided for '{question.array}'"
    values = ", ".join(f"{name} = {value}" for name, value in finding.values)
    where = str(claim.one.at)
    if claim.other is not None:
        where += f" and {claim.other.at}"
    elif claim.dimension is not None:
        where = f"dimension {claim.dimension + 1} at {where}"
    certain = "broken" if finding.certain else "may be broken"
    return f"{question.contract}: {certain} for '{question.array}' ({where}) with {values}"


def _not_blamed(evidence: Evidence) -> Evidence:
    """A directive that the original has as well is shown to the user, not held against the port."""
    if evidence.outcome is not Outcome.FAILS:
        return evidence
    message = f"the original's own directive: {evidence.message}"
    return replace(evidence, outcome=Outcome.INCONCLUSIVE, message=message, decisive=False)


def _failure(text: str, file: str, line: int) -> Evidence:
    return Evidence("contracts", Light.RACES, Outcome.FAILS, text, file=file, line=line)
