"""States, selections, texts and waivers; and that what breaks the proof says so."""

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from acclimate.analysis.problems import Problem
from acclimate.analysis.tree.manifest import load_manifest
from acclimate.workflows.reviewing import events
from acclimate.workflows.reviewing.decisions import Mark
from acclimate.workflows.reviewing.states import State
from acclimate.workflows.reviewing.targets import targets
from acclimate.workflows.reviewing.telling import heads
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
    assert session.standing(MAIN).found.lights["numerics"] == "fails"
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
    known = session.verification_of(selection)
    assert known.verdict == session.outcome.examination.assessment.verdict
    assert session.selection(with_open=False).files == {}


def test_a_rejected_hunk_makes_another_port_that_is_not_examined(ported, session):
    ported.decide(session, WATER)
    ported.decide(session, "src/water.f90#1", "reject", "no")
    text = session.text(WATER)
    assert b"enter data" not in text
    assert session.verification_of(session.selection(with_open=True)) is None


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


# --- what is known of the port as decided --------------------------------------------------------


def lights(session, file):
    return dict(session.standing(file).found.lights)


@pytest.mark.parametrize("how", ["reject", "edit"])
def test_no_light_is_lit_before_what_is_decided_was_verified(ported, session, how):
    assert lights(session, MAIN)["data"] == "holds"
    if how == "reject":
        ported.decide(session, f"{WATER}#1", "reject")
    else:
        session.edit(WATER, session.text(WATER) + b"! seen\n", "editor")
    for file in (WATER, MAIN):
        assert set(lights(session, file).values()) == {"not verified"}
    assert state(session, MAIN) is State.PORTED
    assert "verified" not in {s.state for s in session.standings}
    assert session.judged.verdict == "not verified"
    session.undo()
    assert lights(session, MAIN)["data"] == "holds"


def test_after_a_verification_the_lights_are_those_of_what_is_decided(ported, session):
    ported.decide(session, f"{WATER}#7", "reject")
    ported.verified(session)
    assert lights(session, MAIN)["numerics"] == "holds"
    ported.verified(session, "reject", more=[ported.failing(WATER)])
    assert lights(session, WATER)["numerics"] == "fails"
    assert session.judged.failing("numerics", WATER) == ("host_run",)
    assert session.judged.failing("numerics", MAIN) == ()
    assert state(session, WATER) is State.FAILED
    ported.decide(session, f"{WATER}#6", "reject")
    assert set(lights(session, WATER).values()) == {"not verified"}


def test_a_broken_proof_lights_the_module_it_names(ported, session):
    ported.decide(session, f"{WATER}#1", "reject")
    session.record(
        events.Verified,
        selection=session.selection(with_open=True).digest,
        verdict="reject",
        key=session.material.standing.key,
        broken=(f"{WATER}:14: 'level' never enters the device",),
    )
    assert lights(session, WATER)["data"] == "fails"
    assert lights(session, WATER)["races"] == "not verified"
    assert lights(session, MAIN)["data"] == "not verified"
    assert session.judged.failing("data", WATER) == ("residency",)


def test_one_check_that_rejects_lights_its_light_and_no_check_alone_lights_another(ported, session):
    ported.verified(session, "accept", only=("host_run",))
    ported.decide(session, f"{WATER}#7", "reject")
    ported.verified(session, "accept", only=("host_run",))
    assert set(lights(session, MAIN).values()) == {"not verified"}
    ported.verified(session, "reject", only=("host_run",), more=[ported.failing(WATER)])
    assert lights(session, WATER)["numerics"] == "fails"
    assert lights(session, WATER)["data"] == "not verified"
    assert session.judged.verdict == "reject"


def test_what_was_verified_of_another_migration_or_elsewhere_tells_nothing(ported, session):
    ported.decide(session, f"{WATER}#7", "reject")
    digest = session.selection(with_open=True).digest
    own = session.material.standing.key
    for key, examination in (
        ("1" * 64, session.material.standing.state["examination"]),
        (own, "ab" * 32),
    ):
        session.record(
            events.Verified, selection=digest, verdict="accept", key=key, examination=examination
        )
        assert session.judged.verdict == "not verified"


# --- edits and rejections ------------------------------------------------------------------------


def rejected(session):
    marks = session.standing(WATER).marks
    return [h.new for h in session.standing(WATER).module.hunks if marks[h.name] is Mark.REJECTED]


def test_rejections_survive_edits_and_can_be_taken_back_after_them(ported, session):
    gone = session.standing(WATER).module.hunks[5]
    ported.decide(session, f"{WATER}#6", "reject", "not here")
    session.edit(
        WATER, session.text(WATER).replace(b"reduction(max:top)", b"reduction(max: top)"), "x"
    )
    assert rejected(session) == [gone.new]
    assert b"update self" not in session.text(WATER)
    assert any("not here" in head for head in heads(session, session.standing(WATER)))
    session.edit(WATER, session.text(WATER) + b"! twice\n", "x")
    assert rejected(session) == [gone.new]
    ported.decide(session, gone.name)
    assert session.text(WATER).count(b"update self") == 1
    assert session.text(WATER).endswith(b"! twice\n")
    session.edit(WATER, session.text(WATER) + b"! thrice\n", "x")
    assert rejected(session) == [] and b"update self" in session.text(WATER)


def test_a_rejected_part_of_an_edit_survives_the_next_edit(ported, session):
    session.edit(WATER, session.text(WATER) + b"! seen\n", "x")
    last = session.standing(WATER).module.hunks[-1]
    assert last.new == (b"! seen\n",)
    ported.decide(session, last.name, "reject")
    session.edit(WATER, b"! first\n" + session.text(WATER), "x")
    assert rejected(session) == [(b"! seen\n",)]
    assert session.text(WATER).startswith(b"! first\n") and b"! seen" not in session.text(WATER)


def test_where_an_edit_takes_the_lines_of_a_rejected_hunk_its_reason_is_told_there(ported, session):
    original = session.outcome.original(WATER)
    session.edit(WATER, session.text(WATER).replace(b"0.0_dp\n", b"0._dp\n"), "x")
    changed = next(h for h in session.standing(WATER).module.hunks if h.old)
    ported.decide(session, changed.name, "reject", "keep the zero")
    assert b"0.0_dp\n" in original and b"0.0_dp\n" in session.text(WATER)
    session.edit(WATER, session.text(WATER).replace(b"0.0_dp\n", b"0_dp\n"), "x")
    assert rejected(session) == []
    told = " ".join(heads(session, session.standing(WATER)))
    assert "(edited by hand; where a change was rejected: keep the zero)" in told


@given(data=st.data())
@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_whatever_is_decided_and_edited_the_last_text_stands_and_no_rejection_is_lost(
    ported, tmp_path_factory, data
):
    folder = tmp_path_factory.mktemp("edits") / "pond"
    session = type(ported)(Path(shutil.copytree(ported.model, folder))).session()
    refused = set()
    for step in range(data.draw(st.integers(1, 4))):
        hunks = session.standing(WATER).module.hunks
        for hunk in data.draw(st.lists(st.sampled_from(hunks), max_size=2, unique=True)):
            session.decide([hunk], "reject", WATER)
            refused.add(hunk.name)
        lines = session.text(WATER).split(b"\n")
        place = data.draw(st.integers(0, len(lines) - 1))
        text = b"\n".join([*lines[:place], b"! step %d" % step, *lines[place:]])
        session.edit(WATER, text, "x")
        assert session.text(WATER) == text
        standing = session.standing(WATER)
        shown = {h.name for h in (*standing.module.hunks, *standing.module.folded)}
        assert refused <= shown
