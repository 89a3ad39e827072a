"""Tokens and cost of calls are summed by unit, and what is not known stays unknown."""

from acclimate.porter.asking.spending import Spent, spent_by_unit


def call(label, prompt=100, output=10, cost=0.5, what="call"):
    return {
        "what": what,
        "label": label,
        "prompt_tokens": prompt,
        "output_tokens": output,
        "cost": cost,
    }


def failed(label, prompt=0):
    return {"what": "failed-call", "label": label, "prompt_tokens": prompt, "output_tokens": 0}


def test_attempts_parts_and_samples_of_a_unit_are_one_sum():
    lines = [call("m::a.1.part1"), call("m::a.1.part2.sample2"), call("m::b.2"), {"what": "reply"}]
    assert spent_by_unit(lines) == {
        "m::a": Spent(2, 200, 20, 1.0),
        "m::b": Spent(1, 100, 10, 0.5),
    }


def test_one_call_without_a_price_makes_the_sum_unknown():
    assert spent_by_unit([call("a.1"), call("a.2", cost=None)])["a"].cost is None


def test_tokens_that_a_failed_try_took_count_and_their_cost_is_not_known():
    found = spent_by_unit([failed("a.1", 40), call("a.1"), failed("b.1")])
    assert found == {"a": Spent(1, 140, 10, None), "b": Spent(0, 0, 0, None)}
