"""Turn back: what failed becomes feedback, and the units it names return to their original."""

from collections.abc import Mapping, Set

from langgraph.runtime import Runtime

from acclimate.porter.agent.blame import findings, unit_at
from acclimate.porter.agent.job import Job, Step
from acclimate.porter.agent.outcome import Outcome, gather
from acclimate.porter.agent.sending_back import sent_back
from acclimate.porter.agent.state import Migration
from acclimate.verifier.evidence import Evidence, Light, assess
from acclimate.verifier.evidence import Outcome as Found

ATTEMPTS = 3


def turn_back(state: Migration, runtime: Runtime[Job]) -> Migration:
    """Turn back the units that failing evidence names; all that were changed after the last
    attempt, or where nothing that was changed is named.

    Edits of a model go back before anything else does, and where they are not proved.
    """
    job = runtime.context
    outcome = gather(job.manifest.root, state, job.store)
    rewritten, models = changed_units(outcome), outcome.model_units
    named: Set[str]
    if outcome.examination.assessment.verdict != "reject":
        failed = unproved(outcome)
        named = models & failed.keys() or models
    else:
        evidence = outcome.examination.assessment.evidence
        failed = findings(evidence, outcome.survey.units, outcome.line_map)
        before = state.get("turned_back", {}).keys()
        last = state["attempt"] >= ATTEMPTS
        named = to_turn_back(rewritten, models, failed.keys(), before, last=last)
    overall = failed.get("", ())
    job.tell(Step("turn back", ", ".join(sorted(named)), 1, 1))
    plain = [e for e in outcome.examination.assessment.evidence if e.check == "host_run"]
    alike = bool(plain) and all(e.outcome is Found.HOLDS for e in plain)
    plausible = named & _wrong(outcome, named) if alike else frozenset()
    found = {u: failed.get(u, overall) for u in sorted(named)}
    return sent_back(found, state, job, plausible)


def _wrong(outcome: Outcome, named: Set[str]) -> Set[str]:
    """Units that something failed in; all named ones where no failure has a place."""
    evidence = outcome.examination.assessment.evidence
    failed = {_unit(item, outcome) for item in evidence if item.outcome is Found.FAILS}
    return named if failed == {""} else failed


def to_turn_back(
    rewritten: Set[str], models: Set[str], failed: Set[str], before: Set[str], *, last: bool
) -> Set[str]:
    """Which units go back after a rejection: each time others than before, so that it ends.

    A unit of `before` may still hold edits that others need; to name it again changes nothing.
    """
    named = (rewritten | models) & failed
    if not named or named <= before or (last and not models):
        return models or rewritten
    return named


def changed_units(outcome: Outcome) -> set[str]:
    """Units of the last attempt whose author changed something."""
    return {
        unit
        for unit, answer in outcome.answers.items()
        if answer.rewrite is not None and answer.rewrite.edits
    }


def unproved(outcome: Outcome) -> dict[str, tuple[str, ...]]:
    """What a model's edits still have to prove, by unit; {} where they may land.

    A unit that reading does not prove equal needs values of several classes that tell nothing
    against it. What is unsettled about other units is not theirs to answer for.
    """
    models = outcome.model_units
    if not models:
        return {}
    evidence = outcome.examination.assessment.evidence
    units = {item: _unit(item, outcome) for item in evidence}
    found = {
        unit: tuple(
            _told(item, outcome)
            for item in evidence
            if units[item] == unit and item.outcome is Found.INCONCLUSIVE and item.check in _PROOFS
        )
        for unit in models & (_doubted(units) - _cleared(units) | _unexecuted(units))
    }
    weighed = assess([e for e in evidence if not e.unsettled or units[e] in models])
    if weighed.verdict != "accept":
        dark = {n for n, light in weighed.lights.items() if light != Found.HOLDS} & _NEEDED
        open_ = [e for e in evidence if e.unsettled and e.light.value in dark]
        for unit in {units[e] for e in open_} & models or models:
            told = [_told(e, outcome) for e in open_ if units[e] in (unit, "")][:_MOST]
            told = told or [f"nothing that was measured lights {', '.join(sorted(dark))}"]
            found[unit] = tuple(dict.fromkeys((*found.get(unit, ()), *told)))
    return found


def _told(item: Evidence, outcome: Outcome) -> str:
    """What is not settled, with the line of the port that it is about."""
    if item.file is None or item.line is None:
        return f"not settled ({item.check}): {item.seen}"
    lines = outcome.ported(item.file).decode("latin-1").split("\n")
    line = lines[item.line - 1].strip() if item.line <= len(lines) else ""
    return f"not settled ({item.check}), `{line}`: {item.seen}"


_NEEDED = {light.value for light in (Light.DATA, Light.RACES, Light.NUMERICS)}
_MOST = 8  # findings that a model is told
_PROOFS = ("structure", "value_classes", "changed_lines")


def _doubted(units: Mapping[Evidence, str]) -> set[str]:
    """Units that reading alone does not prove to do the same."""
    return {u for e, u in units.items() if e.check == "structure" and e.outcome != Found.HOLDS}


def _cleared(units: Mapping[Evidence, str]) -> set[str]:
    """Units that other values did not tell from the original."""
    return {u for e, u in units.items() if e.check == "value_classes" and e.outcome is Found.HOLDS}


def _unexecuted(units: Mapping[Evidence, str]) -> set[str]:
    """Units with a change that no run has executed: never validated."""
    lines = {e: u for e, u in units.items() if e.check == "changed_lines"}
    return {u for e, u in lines.items() if e.outcome is Found.INCONCLUSIVE}


def _unit(item: Evidence, outcome: Outcome) -> str:
    if item.file is None or item.line is None:
        return ""
    line = outcome.line_map(item.file).original(item.line)
    return unit_at(outcome.survey.units, item.file, line) or ""


def after_examination(state: Migration, runtime: Runtime[Job]) -> str:
    """A rejected port goes back while there is something to turn back, edits of a model also
    where they are not proved; all else is reviewed."""
    if state["mendable"] and state["attempt"] <= ATTEMPTS:
        return "turn_back"
    job = runtime.context
    if state.get("consulted") and unproved(gather(job.manifest.root, state, job.store)):
        return "turn_back"
    return "review"
