import pytest

from acclimate.verifier.evidence import Evidence, Light, Outcome, assess


def found(light: Light, outcome: Outcome) -> Evidence:
    return Evidence("check", light, outcome, "message")


THREE = (Light.DATA, Light.RACES, Light.NUMERICS)


def test_no_evidence_is_never_acceptance():
    assert assess(()).verdict == "inconclusive"


@pytest.mark.parametrize("failing", list(Light))
def test_one_failure_rejects_whatever_else_holds(failing):
    evidence = [found(light, Outcome.HOLDS) for light in Light]
    verdict = assess([*evidence, found(failing, Outcome.FAILS)])
    assert verdict.verdict == "reject"
    assert verdict.lights[failing.value] == "fails"


@pytest.mark.parametrize("missing", THREE)
def test_a_missing_light_is_inconclusive(missing):
    assert assess(found(x, Outcome.HOLDS) for x in THREE if x is not missing).verdict == (
        "inconclusive"
    )


def test_the_device_light_may_stay_grey():
    accepted = assess(found(light, Outcome.HOLDS) for light in THREE)
    assert (accepted.verdict, accepted.lights["device"]) == ("accept", "inconclusive")
