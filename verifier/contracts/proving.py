"""Questions about a kernel put to z3: proved, refuted with a witness, or unknown.

z3 runs in a process of its own under limits of steps, time and memory. Whatever it does not answer
is unknown: only the word `unsat` for a question proves it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from acclimate.analysis.dependence.solver import answer
from acclimate.verifier.contracts.formulas import Claim, Question
from acclimate.verifier.contracts.kernels import Kernel
from acclimate.verifier.contracts.terms import declarations, of_iteration, symbols_in

STEPS = 3_000_000  # z3's rlimit for one question
SECONDS = 20
_LOW = re.compile(r"\(<= (.+) (\?v\d+)\)$")
_HIGH = re.compile(r"\(<= (\?v\d+) (.+)\)$")
_VALUE = re.compile(r"\(define-fun (\w+) \(\) (?:Int|Bool)\s+(\(- \d+\)|\d+|true|false)\)")
_MARK = "next"


class Answer(StrEnum):
    PROVED = "proved"
    REFUTED = "refuted"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Finding:
    """The answer to one question; a refuted one has a claim and values that satisfy it.

    `certain` tells that the violation needs no particular input: the loops only have to run.
    """

    question: Question
    answer: Answer
    claim: Claim | None = None
    values: tuple[tuple[str, str], ...] = ()  # what a name stands for, and its value
    certain: bool = False


def answered(kernel: Kernel, questions: Sequence[Question]) -> list[Finding]:
    """The answers, in two processes at most: one for the questions, one for what is certain."""
    asked = [_asked(question) for question in questions]
    said = _answers(asked)
    pairs = zip(questions, said, strict=True)
    found = [_finding(kernel, question, text) for question, text in pairs]
    return _with_certainty(found)


def _asked(question: Question) -> list[str]:
    """What must hold, and one of the claims; the model says which."""
    names = [_label(n) for n in range(len(question.claims))]
    chosen = [f"(=> {n} {c.text})" for n, c in zip(names, question.claims, strict=True)]
    return [*question.given, *chosen, f"(or false {' '.join(names)})"]


def _label(number: int) -> str:
    return f"b9{number:06}"


def _answers(questions: Sequence[Sequence[str]]) -> list[str]:
    """What z3 says to each; "" where it says nothing."""
    if not questions:
        return []
    script = declarations(" ".join(part for parts in questions for part in parts))
    for parts in questions:
        script += [f'(echo "{_MARK}")', "(push)", *_asserted(parts), "(check-sat)", "(get-model)"]
        script.append("(pop)")
    said = answer("\n".join(script), steps=STEPS, seconds=SECONDS)
    found = said.split(f"{_MARK}\n")[1:]
    return [*found, *[""] * (len(questions) - len(found))][: len(questions)]


def _asserted(parts: Iterable[str]) -> list[str]:
    return [f"(assert {part})" for part in parts]


def _is_unsat(said: str) -> bool:
    return said.startswith("unsat\n")


def _finding(kernel: Kernel, question: Question, said: str) -> Finding:
    if _is_unsat(said):
        return Finding(question, Answer.PROVED)
    values = dict(_VALUE.findall(said))
    chosen = [c for n, c in enumerate(question.claims) if values.get(_label(n)) == "true"]
    if not said.startswith("sat\n") or not chosen:
        return Finding(question, Answer.UNKNOWN)
    claim = chosen[0]
    shown = {
        _meaning(kernel, name): values[name].strip("()").replace(" ", "")
        for name in symbols_in(claim.text)
        if name in values
    }
    return Finding(question, Answer.REFUTED, claim, tuple(shown.items()))


def _meaning(kernel: Kernel, name: str) -> str:
    bare = name.lstrip("xy")
    meaning = re.sub(r"[\w@.:~-]*::", "", kernel.symbols.meanings.get(bare, bare))
    return f"{meaning}'" if name.startswith("y") else meaning


# --- certainty -----------------------------------------------------------------------------------


def _with_certainty(findings: list[Finding]) -> list[Finding]:
    """Ask of refuted questions whether one of their claims needs no particular input."""
    asked: list[list[str]] = []
    whose: list[tuple[int, Claim]] = []
    for number, finding in enumerate(findings):
        if finding.answer is Answer.REFUTED:
            for claim in finding.question.claims:
                for runs, never in _certainty(finding.question, claim):
                    asked += [runs, never]
                    whose.append((number, claim))
    said = _answers(asked)
    for (number, claim), can, cannot in zip(whose, said[::2], said[1::2], strict=True):
        if can.startswith("sat\n") and _is_unsat(cannot) and not findings[number].certain:
            findings[number] = replace(findings[number], claim=claim, certain=True)
    return findings


def _certainty(question: Question, claim: Claim) -> list[tuple[list[str], list[str]]]:
    """Pairs of formulas: if the first can be and the second cannot, the claim is certain."""
    accesses = [a for a in (claim.one, claim.other) if a is not None]
    if not all(access.is_exact for access in accesses):
        return []
    conditions = [c for access in accesses for c in access.conditions]
    guards = [c for c in conditions if c not in question.ranges]
    if any(re.search(r"b\d|f\d+a", guard) or "?" not in guard for guard in guards):
        return []  # something unknown, or what a configuration may exclude
    if claim.dimension is None:
        return _constant_distance(question, claim)
    return _ends(question, claim)


def _constant_distance(question: Question, claim: Claim) -> list[tuple[list[str], list[str]]]:
    """Elements a constant distance apart: they meet wherever the loops are long enough."""
    subscripts = [t for a in (claim.one, claim.other) if a for t in a.subscripts or ()]
    if any(re.search(r"(?<![?\w])v\d", term.text) for term in subscripts):
        return []
    return [([*question.given, claim.text], ["false"])]


def _ends(question: Question, claim: Claim) -> list[tuple[list[str], list[str]]]:
    """The first or the last iteration, whatever the extents are."""
    access = claim.one
    runs = [of_iteration(c, "x") for c in access.conditions]
    found = []
    for pattern, index, end in ((_LOW, 2, 1), (_HIGH, 1, 2)):
        ends = [m for c in access.conditions if (m := pattern.match(c))]
        corner = [f"(= {of_iteration(m[index], 'x')} {of_iteration(m[end], 'x')})" for m in ends]
        if corner:
            parts = [*question.given, *runs, *corner]
            found.append((parts, [*parts, f"(not {claim.text})"]))
    return found
