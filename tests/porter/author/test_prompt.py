"""Prompts: strict templates, source as data, and a fixed order of what is left out."""

from dataclasses import replace
from pathlib import Path

import pytest

from acclimate.analysis.index import index_project
from acclimate.analysis.tree.manifest import Manifest, load_manifest
from acclimate.porter.asking.question import most_tokens
from acclimate.porter.author.cards import own_cards
from acclimate.porter.author.prompt import Desk, Prompt, TooLarge, Window, prompts
from acclimate.porter.author.task import tasks
from acclimate.porter.author.templates import TemplateError, filled
from acclimate.porter.engine import plan

VALLEY = Path(__file__).parents[1] / "reply/valley.f90"


@pytest.fixture(scope="module")
def desk():
    index = index_project(load_manifest(VALLEY))
    return Desk(plan(index), index, own_cards(), Window(32768, 4096))


def asked(desk, everything=False):
    return tasks(desk.plan, desk.index, frozenset(), everything=everything)


def long_unit(tmp_path, nests):
    """A unit of many nests, each with a recurrence that needs a restructuring."""
    body = []
    for number in range(nests):
        body += [
            "  do k = 2, m",
            "    do i = 1, n",
            *[f"      a(i, k) = a(i, k) + {number}.5d0*a(i, k - 1)"] * 16,
            "    end do",
            "    below = a(1, k)",
            "  end do",
        ]
    head = ["subroutine long(n, m, a)", "  integer, intent(in) :: n, m"]
    head += ["  real(8), intent(inout) :: a(n, m)", "  integer :: i, k", "  real(8) :: below"]
    (tmp_path / "long.f90").write_text("\n".join([*head, *body, "end subroutine long", ""]))
    return index_project(Manifest(root=tmp_path, name="long", sources=("long.f90",)))


def test_a_template_takes_every_value_and_no_other():
    assert filled("{{a}}\n{{#b}}\nb: {{b}}\n{{/b}}\n", {"a": "{{b}}", "b": ""}) == "{{b}}\n"
    for values in ({"a": "1"}, {"a": "1", "b": "2", "c": "3"}):
        with pytest.raises(TemplateError):
            filled("{{a}} {{b}}", values)


def test_only_units_with_refused_loops_are_asked_about(desk):
    assert [task.unit for task in asked(desk)] == ["valley::sweep"]
    assert {task.unit for task in asked(desk, True)} == {"valley::sweep", "fog_bank"}


def test_the_prompt_holds_facts_and_quotes_the_source(desk):
    [prompt] = prompts(asked(desk)[0], desk, ("verifier: line 25 differs",))
    assert "scalar dependence on `above`: line 26 and line 25, 1 iterations apart" in prompt.user
    assert "`wettest` is set where" not in prompt.user  # a rule restructures that loop
    assert "valley.f90:6: `real(wp) :: total = 0.0_wp`" in prompt.user
    assert "called from `fog_bank`" in prompt.user
    assert "verifier: line 25 differs" in prompt.user
    assert "carried_scalar" in prompt.cards and prompt.dropped == ()
    source = [line for line in prompt.user.split("\n") if "fog(i, k) - fall" in line]
    assert source == ["25|         fog(i, k) = fog(i, k) - fall + 0.25_wp * above"]
    assert str(VALLEY.parent) not in prompt.user + prompt.system


def test_what_matters_least_goes_first(desk):
    task = asked(desk)[0]
    [whole] = prompts(task, desk)
    needed = most_tokens(whole.system) + most_tokens(whole.user)
    sizes = [Window(size, 0) for size in range(needed, 1000, -15)]
    found = [prompts(task, replace(desk, window=size))[0] for size in sizes]
    dropped = [prompt.dropped for prompt in found if isinstance(prompt, Prompt)]
    longest = dropped[-1]
    assert [what.split()[0] for what in longest] == ["card"] * len(whole.cards) + [
        "callers",
        "loops",
        "data",
    ]
    assert all(longest[: len(one)] == one for one in dropped)


def test_a_small_window_gets_one_nest_at_a_time_or_is_told_the_size_it_needs(tmp_path):
    index = long_unit(tmp_path, 38)
    desk = Desk(plan(index), index, own_cards(), Window(4096, 1024))
    [task] = asked(desk)
    assert task.at.last - task.at.first > 800
    parts = prompts(task, desk)
    assert len(parts) == 38 and all(isinstance(part, Prompt) for part in parts)
    for part in parts:
        assert most_tokens(part.system) + most_tokens(part.user) <= 4096 - 1024
        assert f"{part.may_edit.first}| " in part.user
    small = prompts(task, replace(desk, window=Window(1500, 500)))
    assert all(isinstance(part, TooLarge) and part.needed > 1500 for part in small)
