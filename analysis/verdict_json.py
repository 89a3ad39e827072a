"""What a verdict rests on, and what contradicts the source, as plain values."""

from acclimate.analysis.facts import Condition, Finding, LoopFacts, Witness
from acclimate.analysis.source import Lines


def basis(loop: LoopFacts) -> dict[str, object]:
    """Conditions, hints and directives of a loop, valid against `schemas/index.schema.json`."""
    return {
        "conditions": [_condition(condition) for condition in loop.conditions],
        "hints": [
            {"word": hint.word, "names": list(hint.names), **_place(hint.at)} for hint in loop.hints
        ],
        "claims": [
            {"text": claim.text, "agreement": claim.agreement.value, **_place(claim.at)}
            for claim in loop.claims
        ],
    }


def finding(found: Finding) -> dict[str, object]:
    return {
        **_place(found.at),
        "unit": found.unit,
        "kind": found.kind,
        "claim": found.claim,
        "detail": found.detail,
        "witnesses": [witness(w) for w in found.witnesses],
    }


def witness(w: Witness) -> dict[str, object]:
    return {
        "variable": w.variable,
        "kind": w.kind,
        "source": _place(w.source),
        "sink": _place(w.sink),
        "distance": w.distance,
    }


def _condition(condition: Condition) -> dict[str, object]:
    return {
        "kind": condition.kind.value,
        "names": list(condition.names),
        "detail": condition.detail,
        "references": [_place(at) for at in condition.references],
        "promise": None if condition.promise is None else _place(condition.promise),
    }


def _place(at: Lines) -> dict[str, object]:
    return {"file": at.file, "line": at.first}
