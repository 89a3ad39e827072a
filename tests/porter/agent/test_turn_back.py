"""Who goes back to the original after a rejection."""

from acclimate.porter.agent.turn_back import to_turn_back

CHANGED = {"a", "b", "c"}


def back(failed, models=(), before=(), last=False):
    return set(to_turn_back(CHANGED, set(models), set(failed), set(before), last=last))


def test_those_that_the_evidence_names():
    assert back({"a", "elsewhere"}) == {"a"}
    assert back({"a", "b"}, before={"b"}) == {"a", "b"}


def test_all_where_it_names_nobody_who_changed_something_or_in_the_last_attempt():
    assert back({"elsewhere"}) == CHANGED
    assert back({"a"}, last=True) == CHANGED


def test_a_models_units_first():
    assert back({"elsewhere"}, models={"c"}) == {"c"}
    assert back({"a"}, models={"c"}, last=True) == {"a"}


def test_a_unit_that_went_back_already_is_not_named_forever():
    assert back({"a"}, before={"a"}) == CHANGED
    assert back({"a"}, models={"c"}, before={"a"}, last=True) == {"c"}
