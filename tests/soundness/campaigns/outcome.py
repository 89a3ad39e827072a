"""What many trials say of the verdicts on the loops they ran."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from acclimate.verifier.oracle.contradictions import Contradiction, contradictions
from acclimate.verifier.oracle.instrumented import Instrumented
from acclimate.verifier.oracle.report import Seen, Trial, lines_of
from acclimate.verifier.texts.source_file import all_files
from campaigns.mutants import Mutant, Round

_CARRIED = ("flow", "carried")


@dataclass(frozen=True)
class Outcome:
    """Loops by number. `claimed`: said to run in any order; `powerful`: two iterations of one
    execution changed shared storage; `conflicting`: a value passed from one to another."""

    claimed: frozenset[int]
    executed: frozenset[int]
    powerful: frozenset[int]
    conflicting: frozenset[int]
    disturbed: frozenset[int]  # anything was found, be it an order of writes only
    contradictions: tuple[Contradiction, ...]


def outcome(made: Instrumented, trials: Sequence[Trial], program: str) -> Outcome:
    """Sum up trials of one program; each contradiction is told once."""
    marked = made.marks.loops
    work = made.root
    seen: dict[int, list[Seen]] = {}
    for trial in trials:
        for number, one in trial.loops.items():
            if number in marked:
                seen.setdefault(number, []).append(one)
    every = [one for several in seen.values() for one in several]
    addresses = [a for one in every for f in one.findings for a in (f.earlier, f.later)]
    addresses += [place[2] for one in every for place in one.updates]
    lines = lines_of(work / program, work / "source", addresses, work)
    files = all_files(made.manifest)
    found: dict[tuple[int, str, str], Contradiction] = {}
    for number, several in seen.items():
        for one in several:
            for each in contradictions(marked[number], one, lines, files):
                found.setdefault((number, each.kind, each.variable), each)
    return Outcome(
        frozenset(n for n, loop in marked.items() if loop.claims_order_free),
        frozenset(seen),
        frozenset(n for n, several in seen.items() if any(s.writing > 1 for s in several)),
        frozenset(n for n, several in seen.items() if _finds(several, _CARRIED)),
        frozenset(n for n, several in seen.items() if any(s.findings for s in several)),
        tuple(found.values()),
    )


def _finds(several: Sequence[Seen], kinds: Sequence[str]) -> bool:
    return any(finding.kind in kinds for seen in several for finding in seen.findings)


@dataclass(frozen=True)
class MutantOutcome:
    """Mutants by name of their procedure."""

    powerful: frozenset[str]
    conflicting: frozenset[str]
    refused_clean: frozenset[str]  # nothing was found, yet a loop is not said to run in any order
    outcome: Outcome


def mutant_outcome(made: Round, trials: Sequence[Trial]) -> MutantOutcome:
    """Sum up a round; a mutant counts for what the loops of its own procedure did."""
    found = outcome(made.instrumented, trials, made.program.name)
    owners = _owners(made)
    powerful = {owners[n] for n in found.powerful if n in owners}
    conflicting = {owners[n] for n in found.conflicting if n in owners}
    disturbed = {owners[n] for n in found.disturbed if n in owners}
    refused = {owners[n] for n in found.powerful - found.claimed if n in owners}
    return MutantOutcome(
        frozenset(powerful),
        frozenset(conflicting),
        frozenset(refused - disturbed - conflicting),
        found,
    )


def _owners(made: Round) -> Mapping[int, str]:
    names: dict[str, Mutant] = {mutant.name: mutant for mutant in made.mutants}
    owners = {}
    for number, loop in made.instrumented.marks.loops.items():
        name = loop.facts.unit.rpartition("::")[2]
        if name in names:
            owners[number] = name
    return owners
