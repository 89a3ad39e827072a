"""What is known of the port exactly as it is decided: its verdict, and what was found of each file.

What was found of another selection of hunks says nothing of this one: before it is verified itself,
no light is lit.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from acclimate.porter.agent.artefacts import Tree
from acclimate.porter.agent.outcome import Outcome
from acclimate.verifier.evidence import Evidence, Light
from acclimate.verifier.evidence import Outcome as Held
from acclimate.verifier.ladder import Examination
from acclimate.workflows.reviewing.modules import UNCHANGED, Findings, Module, Modules
from acclimate.workflows.reviewing.selection import Selection, answers

NOT_VERIFIED = "not verified"
RESIDENCY = "residency"  # the invariant, among the names of checks


@dataclass(frozen=True, slots=True)
class Judged:
    """`verdict` is the examination's, or `NOT_VERIFIED`; `against` is all evidence that fails.

    `outcome` is the port as decided with its examination, None where there is none. `is_proposed`:
    as decided is as the authors left it.
    """

    verdict: str
    against: tuple[Evidence, ...]
    of: Callable[[Module], Findings]
    outcome: Outcome | None
    is_proposed: bool = False

    def failing(self, light: str, file: str) -> tuple[str, ...]:
        """The checks that fail on one light, of a file or of the whole port."""
        named = [e for e in self.against if e.light.value == light and e.file in (None, file)]
        return tuple(dict.fromkeys(item.check for item in named))

    def failing_elsewhere(self, light: str, file: str) -> Mapping[str, tuple[str, ...]]:
        """The other files that fail on one light, with their checks: no run of the whole says
        anything of this file then."""
        found: dict[str, tuple[str, ...]] = {}
        for item in self.against:
            if item.light.value == light and item.file not in (None, file):
                assert item.file is not None
                checks = found.get(item.file, ())
                found[item.file] = checks if item.check in checks else (*checks, item.check)
        return found


def as_proposed(outcome: Outcome, partial: Sequence[Examination]) -> Judged:
    """Nothing was rejected or edited: what the authors made, as it was examined."""
    found = _with_failures(lambda module: module.proposed, partial)
    return _judged(outcome, outcome.examination.assessment.verdict, found, partial, proposed=True)


def as_examined(outcome: Outcome, selection: Selection, partial: Sequence[Examination]) -> Judged:
    """The selection was run; `outcome` is that of exactly this selection."""
    made = Modules(outcome)
    found = cache(lambda file: made.findings(file, changed=file in selection.files))
    lit = _with_failures(lambda module: found(module.file), partial)
    return _judged(outcome, outcome.examination.assessment.verdict, lit, partial)


def as_broken(selection: Selection, broken: Iterable[str]) -> Judged:
    """The selection breaks the invariant of residency, "file:line: message" each; it never ran."""
    named: dict[str, list[Evidence]] = {}
    for text in broken:
        file = text.partition(":")[0]
        item = Evidence(RESIDENCY, Light.DATA, Held.FAILS, text, file=file)
        named.setdefault(file, []).append(item)
    every = tuple(item for items in named.values() for item in items)

    def found(module: Module) -> Findings:
        unlit, own = _unlit(selection, module), tuple(named.get(module.file, ()))
        return replace(unlit, lights=_failing(unlit.lights, own), evidence=own)

    return Judged("reject", every, found, None)


def as_unknown(selection: Selection, partial: Sequence[Examination]) -> Judged:
    """Nobody has verified the selection, but perhaps some checks were run and fail."""
    found = _with_failures(lambda module: _unlit(selection, module), partial)
    return _judged(None, NOT_VERIFIED, found, partial)


def outcome_of(
    outcome: Outcome, selection: Selection, examination: Examination, reviewer: str
) -> Outcome:
    """The migration's outcome with the selected hunks in place of all, and their examination."""
    put = outcome.store.put_bytes
    known = outcome.tree.changed
    changed = {
        file: key if known.get(file) == key else put(selection.files[file])
        for file, key in selection.keys.items()
    }
    return replace(
        outcome,
        answers=answers(outcome, selection, reviewer),
        tree=Tree(changed),
        examination=examination,
    )


def _judged(
    outcome: Outcome | None,
    verdict: str,
    found: Callable[[Module], Findings],
    partial: Sequence[Examination],
    *,
    proposed: bool = False,
) -> Judged:
    failing = [item for e in partial for item in e.assessment.evidence if _fails(item)]
    if outcome is not None:
        failing = [*filter(_fails, outcome.examination.assessment.evidence), *failing]
    return Judged("reject" if partial else verdict, tuple(failing), found, outcome, proposed)


def _with_failures(
    found: Callable[[Module], Findings], partial: Sequence[Examination]
) -> Callable[[Module], Findings]:
    """The findings with what some checks, run alone, found against a file or the whole port."""
    failing = [item for e in partial for item in e.assessment.evidence if _fails(item)]
    if not failing:
        return found

    def lit(module: Module) -> Findings:
        before = found(module)
        against = [item for item in failing if item.file in (None, module.file)]
        own = tuple(item for item in against if item.file == module.file)
        lights = _failing(before.lights, against)
        return replace(before, lights=lights, evidence=(*before.evidence, *own))

    return lit


def _failing(lights: Mapping[str, str], against: Iterable[Evidence]) -> Mapping[str, str]:
    failing = {item.light.value for item in against}
    return {
        light: Held.FAILS.value if light in failing and now != UNCHANGED else now
        for light, now in lights.items()
    }


def _unlit(selection: Selection, module: Module) -> Findings:
    word = NOT_VERIFIED if module.file in selection.files else UNCHANGED
    return Findings(module.units, dict.fromkeys((light.value for light in Light), word), ())


def _fails(item: Evidence) -> bool:
    return item.outcome is Held.FAILS
