"""What a decision on a module, a unit or a hunk replaces, what it keeps, and what it says."""

import pytest

from acclimate.analysis.problems import Problem
from acclimate.verifier.evidence import Light
from acclimate.workflows.reviewing import deciding, events
from acclimate.workflows.reviewing.decisions import Mark
from acclimate.workflows.reviewing.landing import ready
from acclimate.workflows.reviewing.targets import targets

WATER, MAIN = "src/water.f90", "src/pond.f90"


def decide(session, words, verdict="accept", reason=""):
    (target,) = targets(session, words)
    return deciding.decide(session, target, verdict, reason)


def marks(session, file=WATER):
    return list(session.standing(file).marks.values())


@pytest.mark.parametrize("words, others", [(WATER, 6), ("water::fill", 2)])
def test_accepting_more_than_a_hunk_keeps_what_stands_rejected_and_says_so(session, words, others):
    decide(session, f"{WATER}#2", "reject", "too short a loop")
    said = decide(session, words)
    assert said == (
        f"accepted {words} without #2 ({others} hunks); #2 stays rejected (too short a loop);"
        " to accept it, point at it"
    )
    assert marks(session)[1] is Mark.REJECTED
    assert marks(session).count(Mark.ACCEPTED) == others


def test_pointing_at_the_hunk_itself_accepts_it_and_says_what_stood(session):
    decide(session, f"{WATER}#2", "reject", "no")
    assert decide(session, f"{WATER}#2") == (
        f"accepted {WATER}#2 (1 hunk); it stood rejected before"
    )
    assert marks(session)[1] is Mark.ACCEPTED


def test_where_everything_stands_rejected_nothing_is_accepted(session):
    decide(session, MAIN, "reject", "all wrong")
    before = session.history
    said = decide(session, MAIN)
    assert said.startswith("nothing was accepted: #1, #2, #3 stay rejected (all wrong)")
    assert session.history == before


def test_rejecting_a_module_keeps_earlier_reasons_and_says_what_was_accepted(session):
    decide(session, f"{WATER}#1", "reject", "first")
    decide(session, f"{WATER}#2")
    said = decide(session, WATER, "reject", "all")
    assert said == (
        f"rejected {WATER} without #1 (6 hunks): all; of them stood before: 1 accepted;"
        " #1 stays rejected (first)"
    )
    hunks = session.standing(WATER).module.hunks
    reasons = [session.decisions.standing[hunk.name][0].reason for hunk in hunks]
    assert reasons == ["first", *["all"] * 6]


def test_reopening_says_what_stood(session):
    decide(session, f"{WATER}#1", "reject", "first")
    assert decide(session, WATER, "open").endswith("(7 hunks); of them stood before: 1 rejected")
    assert set(marks(session)) == {Mark.OPEN}


def test_a_dispute_is_settled_on_the_hunk_not_by_accepting_the_module(ported):
    ada, bo = ported.session("Ada"), ported.session("Bo")
    decide(ada, WATER)
    bo.decide(bo.standing(WATER).module.hunks[:1], "reject", WATER, "no")
    ada.reload()
    assert "#1 stays disputed (no)" in decide(ada, WATER)
    assert marks(ada)[0] is Mark.DISPUTED
    decide(ada, f"{WATER}#1")
    assert marks(ada)[0] is Mark.ACCEPTED


def test_merging_says_what_is_disputed_now(ported, tmp_path):
    bo = ported.session("Bo")
    decide(bo, f"{WATER}#3", "reject", "no")
    theirs = tmp_path / "bo.jsonl"
    bo.journal.path.rename(theirs)
    ada = ported.session("Ada")
    decide(ada, WATER)
    assert deciding.merge(ada, theirs) == (
        f"took over 1 event; disputed now: {WATER} #3: point at each and decide"
    )


def test_what_is_undone_after_a_landing_says_that_the_landing_stays(ported, session):
    decide(session, MAIN)
    session.record(
        events.Landed, selection="", place="branch port", files=(MAIN,),
        hunks=tuple(h.name for h in session.standing(MAIN).module.hunks),
    )  # fmt: skip
    assert deciding.undo(session) == (
        f"undid: accepted {MAIN} (3 hunks); branch port stays as it landed:"
        " undo does not take it back, land again does"
    )
    assert deciding.redo(session) == f"did again: accepted {MAIN} (3 hunks)"
    decide(session, f"{WATER}#1")
    assert deciding.undo(session) == f"undid: accepted {WATER}#1 (1 hunk)"


def test_evidence_that_needs_another_module_names_it_once_with_its_line(ported, session):
    decide(session, MAIN)
    text = "'level' is expected on the device, but no directive ever puts it there"
    said = {"check": "data_clauses", "message": text, "light": Light.DATA}
    found = [ported.failing(MAIN, line=line, **said) for line in (12, 14, 17)]
    ported.verified(session, "reject", more=found, with_open=False)
    with pytest.raises(Problem) as raised:
        ready(session)
    assert raised.value.notes == (
        f"{MAIN}:12, 13, 15: data_clauses: {text}",
        f"'level' is put on the device by {WATER}#1 ({WATER}:14, open): accept {WATER} as well",
    )
    assert "accept what the notes name as well" in raised.value.hint
    decide(session, WATER)
    assert ready(session) is not None


def test_a_broken_proof_names_what_was_left_out_there(ported, session):
    decide(session, f"{WATER}#2", "reject", "too short")
    decide(session, WATER)
    session.record(
        events.Verified,
        selection=session.selection(with_open=False).digest,
        verdict="reject",
        key=session.material.standing.key,
        broken=(f"{WATER}:14: 'flow' is changed on the host",),
    )
    with pytest.raises(Problem) as raised:
        ready(session)
    assert f"left out of water::fill: {WATER}#2 ({WATER}:14, rejected)" in raised.value.notes
