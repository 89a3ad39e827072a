"""Every card's Fortran compiles, its wrong port is caught, and its right one is proved."""

import subprocess

import pytest

from acclimate.analysis.facts import Verdict
from acclimate.analysis.index import index_project
from acclimate.analysis.problems import Problem
from acclimate.analysis.tree.manifest import Manifest
from acclimate.porter.author.cards import matching, own_cards, site_cards
from acclimate.porter.author.claims import claim_objections
from acclimate.porter.reply.unit_screen import Two, unit_objections

CARDS = {card.name: card for card in own_cards()}
# Their wrong ports compute something else in every order: only a run of the model can tell.
OF_VALUES = {"iterate_to_convergence", "where_mask"}


def read(tmp_path, name, text):
    (tmp_path / f"{name}.f90").write_text(text)
    return index_project(Manifest(root=tmp_path, name=name, sources=(f"{name}.f90",)))


def objections(tmp_path, card):
    pattern, wrong, _ = card.code
    before, after = (read(tmp_path, f"{card.name}_{n}", t) for n, t in enumerate((pattern, wrong)))
    names = frozenset(unit.name for unit in before.project.units.values())
    for name, unit in before.project.units.items():
        yield from unit_objections(Two(unit, after.project.units[name], names))
        yield from claim_objections(before, after, name)


def test_there_are_enough_cards_and_each_has_three_programs():
    assert len(CARDS) >= 25
    assert all(len(card.code) == 3 and card.when for card in CARDS.values())


@pytest.mark.gfortran
def test_the_fortran_of_all_cards_compiles(tmp_path):
    files = []
    for card in CARDS.values():
        for number, text in enumerate(card.code):
            files.append(tmp_path / f"{card.name}_{number}.f90")
            files[-1].write_text(text)
    argv = ["gfortran", "-fopenacc", "-fsyntax-only", *map(str, files)]
    done = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", sorted(CARDS.keys() - OF_VALUES))
def test_the_wrong_port_is_caught_before_anything_is_built(tmp_path, name):
    assert list(objections(tmp_path, CARDS[name]))


@pytest.mark.parametrize("name", sorted(CARDS))
def test_the_right_port_has_more_that_is_proved(tmp_path, name):
    pattern, _, right = CARDS[name].code
    proved = {Verdict.PARALLEL, Verdict.REDUCTION, Verdict.ATOMIC}
    loops = read(tmp_path, name, right).loops
    assert any(loop.verdict in proved for loop in loops)
    assert all(claim.agreement == "confirmed" for loop in loops for claim in loop.claims)


def test_cards_are_chosen_by_what_they_have_in_common_with_the_facts():
    chosen = matching(CARDS.values(), {"extremum-location", "rewrite", "serial"}, 2)
    assert chosen[0].name == "extremum_location"
    assert matching(CARDS.values(), {"no-such-fact"}, 4) == ()


def test_a_site_s_cards_come_first(tmp_path):
    (tmp_path / "halo.md").write_text("---\nwhen: any\n---\n### Halos\n\nNever touch column 0.")
    own = site_cards(tmp_path)
    chosen = matching((*CARDS.values(), *own), {"extremum-location"}, 2)
    assert [card.name for card in chosen] == ["halo", "extremum_location"]
    (tmp_path / "bad.md").write_text("no head")
    with pytest.raises(Problem, match="no knowledge card"):
        site_cards(tmp_path)
