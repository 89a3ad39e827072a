"""States, selections, texts and waivers; and that what breaks the proof says so."""

from datetime import UTC, datetime

import pytest

from acclimate.analysis.problems import Problem
from acclimate.analysis.tree.manifest import load_manifest
from acclimate.workflows.reviewing.decisions import Mark
from acclimate.workflows.reviewing.states import State
from acclimate.workflows.reviewing.targets import targets
from acclimate.workflows.reviewing.verification import verify

WATER, MAIN = "src/water.f90", "src/pond.f90"


def state(session, file):
    return session.standing(file).state


def number(session, text):
    """The hunk of `water.f90` that holds `text`, counted from 1."""
    hunks = session.standing(WATER).module.hunks
    return next(n for n, h in enumerate(hunks, 1) if text in b"".join(h.new))


# --- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words", ["nothing.f90", "src/water.f90#0", "src/water.f90#99", "water::no", ""]
)
def test_what_is_not_there_cannot_be_decided_on(session, words):
    with pytest.raises(Problem):
        targets(session, words)


def test_a_waiver_needs_a_reason_and_a_day_to_come(ported, session):
    for reason, until in (("", "2027-01-01"), ("why", "2026-11-29"), ("why", "soon")):
        with pytest.raises(Problem):
            session.waive("host_run", WATER, reason, until)
    assert session.decisions.waivers == ()


# --- states --------------------------------------------------------------------------------------


def test_a_kernel_that_never_ran_keeps_its_module_open(ported, session):
    assert state(session, WATER) is State.PORTED
    assert session.standing(WATER).module.risk > session.standing(MAIN).module.risk


def test_deciding_on_every_hunk_is_a_review_and_undo_takes_it_back(ported, session):
    ported.decide(session, WATER)
    assert state(session, WATER) is State.REVIEWED
    ported.decide(session, "src/water.f90#1", "reject")
    assert state(session, WATER) is State.REVIEWED
    session.undo()
    assert session.standing(WATER).marks[session.standing(WATER).module.hunks[0].name] is (
        Mark.ACCEPTED
    )
    session.undo()
    assert state(session, WATER) is State.PORTED
    session.redo()
    assert state(session, WATER) is State.REVIEWED


def test_two_reviewers_who_disagree_are_in_dispute_until_one_has_seen_both(ported):
    ada, bo = ported.session("Ada"), ported.session("Bo")
    ported.decide(ada, WATER)
    bo.decide(bo.standing(WATER).module.hunks[:1], "reject", "first")
    for session in (ada, bo):
        session.reload()
        assert state(session, WATER) is State.DISPUTED
    ported.decide(bo, WATER)
    ada.reload()
    assert state(ada, WATER) is State.REVIEWED


def test_a_waiver_counts_until_its_day_and_never_lights_a_light(ported):
    ported.failed_at(MAIN)
    session = ported.session()
    assert state(session, MAIN) is State.FAILED
    session.waive("host_run", MAIN, "known", "2026-12-31")
    assert state(session, MAIN) is State.WAIVED
    assert session.standing(MAIN).module.lights["numerics"] == "fails"
    late = ported.session(now=datetime(2027, 1, 1, tzinfo=UTC))
    assert state(late, MAIN) is State.FAILED


def test_a_migration_that_goes_on_shows_at_once(ported):
    session = ported.session()
    ported.decide(session, WATER)
    assert not session.reload()
    ported.failed_at(WATER)
    assert session.reload()
    assert session.outcome.examination.assessment.verdict == "reject"
    assert state(session, WATER) is State.REVIEWED


# --- selections ----------------------------------------------------------------------------------


def test_accepting_all_is_the_port_as_it_was_examined(ported, session):
    selection = session.selection(with_open=True)
    assert selection.files == session.outcome.changed()
    assert session.examination_of(selection)[0] == session.outcome.examination.assessment.verdict
    assert session.selection(with_open=False).files == {}


def test_a_rejected_hunk_makes_another_port_that_is_not_examined(ported, session):
    ported.decide(session, WATER)
    ported.decide(session, "src/water.f90#1", "reject", "no")
    text = session.text(WATER)
    assert b"enter data" not in text
    assert session.examination_of(session.selection(with_open=True)) is None


def test_a_hunk_whose_removal_breaks_the_proof_says_so(ported, session):
    manifest = load_manifest(session.model)
    place = number(session, b"enter data")
    ported.decide(session, WATER)
    ported.decide(session, MAIN)
    ported.decide(session, f"{WATER}#{place}", "reject")
    found = verify(
        session,
        session.selection(with_open=True),
        manifest,
        only=(),
        cache=None,
        say=lambda text: None,
    )
    assert found.verdict == "reject"
    assert any("'level' never enters the device" in text for text in found.broken)
    assert found.breakers == (session.standing(WATER).module.hunks[place - 1].name,)
    assert session.decisions.breakers == {found.breakers[0]}
    ported.decide(session, WATER)
    assert session.decisions.breakers == set()


def test_an_edited_text_keeps_the_decisions_on_what_it_leaves_alone(ported, session):
    ported.decide(session, WATER)
    before = session.standing(WATER).module.hunks
    text = session.text(WATER).replace(b"reduction(max:top)", b"reduction(max: top)")
    session.edit(WATER, text, "editor")
    after = session.standing(WATER)
    assert session.text(WATER) == text
    kept = [hunk for hunk in after.module.hunks if hunk in before]
    assert len(kept) == len(before) - 1
    assert after.state is State.PORTED
    assert sorted(after.marks.values()).count(Mark.ACCEPTED) == len(before) - 1
    session.undo()
    assert session.standing(WATER).module.hunks == before
