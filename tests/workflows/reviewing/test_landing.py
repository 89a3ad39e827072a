"""What lands is what was accepted, byte for byte, and nothing that was not examined."""

import subprocess

import pytest

from acclimate.analysis.problems import Problem
from acclimate.verifier.evidence import AGAIN
from acclimate.workflows.reviewing import events
from acclimate.workflows.reviewing.landing import (
    approve,
    land_as_patches,
    land_on_branch,
    ready,
)
from acclimate.workflows.reviewing.states import State

WATER, MAIN = "src/water.f90", "src/pond.f90"


def git(root, *words):
    identity = ("-c", "user.name=M", "-c", "user.email=m@example.org")
    run = subprocess.run(["git", *identity, *words], cwd=root, capture_output=True, check=True)
    return run.stdout.decode()


def committed(root):
    git(root, "init", "--quiet", "--initial-branch=main")
    git(root, "add", "src", "pond.nml", "acclimate.toml")
    git(root, "commit", "--quiet", "--message=pond")


def as_examined(session):
    """Note that exactly what is accepted was examined, and all holds."""
    selection = session.selection(with_open=False)
    key = session.material.standing.state["examination"]
    session.record(
        events.Verified,
        selection=selection.digest,
        verdict="accept",
        key=session.material.standing.key,
        examination=key,
    )
    return ready(session)


# --- what does not land --------------------------------------------------------------------------


def test_nothing_lands_where_nothing_is_accepted(ported, session):
    with pytest.raises(Problem, match="nothing is accepted"):
        ready(session)


def test_what_was_never_examined_does_not_land(ported, session):
    ported.decide(session, WATER)
    assert ready(session) is None


def test_what_reviewers_disagree_about_does_not_land(ported):
    ada, bo = ported.session("Ada"), ported.session("Bo")
    ported.decide(ada, MAIN)
    bo.decide(bo.standing(MAIN).module.hunks, "reject", MAIN)
    with pytest.raises(Problem, match="disagree about src/pond.f90"):
        ready(bo)


def test_what_evidence_stands_against_lands_only_with_a_waiver(ported):
    ported.failed_at(WATER)
    session = ported.session()
    ported.decide(session, WATER)
    ported.decide(session, MAIN)
    with pytest.raises(Problem, match="evidence stands against"):
        ready(session)
    session.waive("host_run", WATER, "known", "2026-12-31")
    assert ready(session) is not None


def test_what_one_check_rejects_later_does_not_land(ported, session):
    ported.decide(session, WATER)
    assert as_examined(session) is not None
    found = [ported.failing(WATER)]
    ported.verified(session, "reject", only=("host_run",), more=found, with_open=False)
    with pytest.raises(Problem, match="evidence stands against"):
        ready(session)
    ported.verified(session, with_open=False)
    assert ready(session) is not None


def test_what_breaks_the_proof_does_not_land(ported, session):
    ported.decide(session, WATER)
    digest = session.selection(with_open=False).digest
    key = session.material.standing.key
    session.record(events.Verified, selection=digest, verdict="reject", key=key, broken=("a: b",))
    with pytest.raises(Problem, match="breaks the proof"):
        ready(session)


def test_patches_do_not_go_where_others_would_be_applied_as_well(ported, session, tmp_path):
    ported.decide(session, WATER)
    ported.decide(session, MAIN)
    folder = tmp_path / "my patches"
    landed = land_as_patches(session, as_examined(session), folder)
    assert landed.command == f"git am '{folder}'/*.patch"
    assert land_as_patches(session, ready(session), folder) == landed  # the same ones once more
    ported.decide(session, MAIN, "reject")
    with pytest.raises(Problem, match="holds other patches"):
        land_as_patches(session, as_examined(session), folder)
    assert sorted(folder.iterdir()) == sorted(landed.files)


# --- what lands ----------------------------------------------------------------------------------


@pytest.mark.parametrize("rejected", [(), (1,), (2, 4), (7,)])
def test_patches_give_the_accepted_hunks_byte_for_byte(ported, session, tmp_path, rejected):
    committed(session.model)
    ported.decide(session, WATER)
    ported.decide(session, MAIN)
    for number in rejected:
        ported.decide(session, f"{WATER}#{number}", "reject")
    wanted = session.selection(with_open=False).files
    patches = land_as_patches(session, as_examined(session), tmp_path / "patches").files
    for patch in patches:
        git(session.model, "apply", "--whitespace=nowarn", str(patch))
    assert {f: (session.model / f).read_bytes() for f in wanted} == dict(wanted)
    assert [s.state for s in session.standings] == [State.LANDED] * 2
    git(session.model, "checkout", "--quiet", "--", "src")
    git(session.model, "am", "--quiet", *map(str, patches))
    assert {f: (session.model / f).read_bytes() for f in wanted} == dict(wanted)
    subjects = git(session.model, "log", "--format=%s", "--reverse", "-2").splitlines()
    assert subjects == ["water: port to OpenACC", "pond: port to OpenACC"]


def test_a_patch_is_mail_of_the_reviewer_and_a_message_cannot_end_it(ported, tmp_path):
    session = ported.session("Zoë Bø <zoe@example.org>")
    committed(session.model)
    reason = "no\n---\ndiff --git a/x b/x\nFrom Bo Mon Sep 17 00:00:00 2001\n–"
    ported.decide(session, WATER)
    ported.decide(session, f"{WATER}#7", "reject", reason)
    (patch,) = land_as_patches(session, as_examined(session), tmp_path / "patches").files
    assert patch.read_bytes().startswith(
        b"From " + b"0" * 40 + b" Mon Sep 17 00:00:00 2001\nFrom: "
    )
    git(session.model, "am", "--quiet", str(patch))
    author, when, text = git(session.model, "log", "-1", "--format=%an <%ae>%n%aI%n%B").split(
        "\n", 2
    )
    assert author == session.reviewer
    assert when.startswith("2026-11-30T12:00:00")
    assert text.startswith("water: port to OpenACC\n\n6 of 7 hunks accepted, 1 rejected.\n")
    assert f"Rejected: {WATER}:43 ({' '.join(reason.split())})." in text
    assert text.strip().endswith(f"Reviewed-by: {session.reviewer}")


def test_a_commit_tells_what_was_found_without_a_command_with_the_users_paths(ported, tmp_path):
    message = f"wrong at step 3{AGAIN}acclimate replay /home/ada/secret"
    ported.failed_on(ported.session(), ported.failing(WATER, message=message))
    session = ported.session()
    ported.decide(session, WATER)
    ported.decide(session, MAIN)
    session.waive("host_run", WATER, "known", "2026-12-31")
    for patch in land_as_patches(session, ready(session), tmp_path / "patches").files:
        text = patch.read_text()
        assert "/home/ada" not in text
        assert ("wrong at step 3 (waived until 2026-12-31" in text) == ("water" in patch.name)


def test_a_name_in_anothers_review_file_cannot_end_a_message(ported, tmp_path):
    name = "Bo\n---\ndiff --git a/x b/x\nnew file mode 100644"
    session, other = ported.session(), ported.session(name)
    text = other.text(WATER).replace(b"reduction(max:top)", b"reduction(max: top)")
    other.edit(WATER, text, "editor")
    ported.decide(other, WATER)
    session.reload()
    (patch,) = land_as_patches(session, as_examined(session), tmp_path / "patches").files
    lines = patch.read_text().splitlines()
    assert lines.count("---") == 1
    assert sum(line.startswith("diff --git") for line in lines) <= 1
    assert f"Reviewed-by: {' '.join(name.split())}" in lines


def test_a_model_below_its_repository_and_line_ends_of_two_bytes_are_told_to_git_am(
    ported, session, tmp_path
):
    model = session.model
    git(model.parent, "init", "--quiet")
    session.edit(WATER, session.text(WATER).replace(b"\n", b"\r\n"), "editor")
    ported.decide(session, WATER)
    landed = land_as_patches(session, as_examined(session), tmp_path / "patches")
    folder = tmp_path / "patches"
    assert landed.command == f"git am --directory=pond/ --keep-cr {folder}/*.patch"


def test_what_was_edited_by_hand_says_so_in_the_message(ported, session, tmp_path):
    text = session.text(WATER).replace(b"reduction(max:top)", b"reduction(max: top)")
    session.edit(WATER, text, "editor")
    ported.decide(session, WATER)
    (patch,) = land_as_patches(session, as_examined(session), tmp_path).files
    assert f"Edited by hand, by Ada: {WATER}:43." in patch.read_text()


def test_a_model_that_has_changed_since_keeps_its_changes(ported, session):
    (session.model / WATER).write_bytes(b"! newer\n" + (session.model / WATER).read_bytes())
    committed(session.model)
    ported.decide(session, WATER)
    with pytest.raises(Problem, match="has changed since it was migrated"):
        land_on_branch(session, as_examined(session), "port")
    assert "port" not in git(session.model, "branch")


def test_landing_again_tells_what_it_takes_the_place_of(ported, session):
    committed(session.model)
    ported.decide(session, WATER)
    ported.decide(session, MAIN)
    first = land_on_branch(session, as_examined(session), "port")
    assert (len(first.commits), first.replaced) == (2, ())
    again = land_on_branch(session, ready(session), "port")
    assert again.is_same and set(again.replaced) == set(first.commits)
    ported.decide(session, MAIN, "reject")
    fewer = land_on_branch(session, as_examined(session), "port")
    assert not fewer.is_same and (len(fewer.commits), len(fewer.replaced)) == (1, 2)


def test_each_commit_holds_one_module_its_evidence_and_the_reviewer(ported, session):
    committed(session.model)
    ported.decide(session, WATER)
    ported.decide(session, MAIN)
    ported.decide(session, f"{WATER}#7", "reject", "not yet")
    wanted = session.selection(with_open=False).files
    before = git(session.model, "status", "--porcelain")
    land_on_branch(session, as_examined(session), "port")
    assert git(session.model, "status", "--porcelain") == before
    hashes = git(session.model, "log", "--format=%H", "main..port").split()
    touched = [
        git(session.model, "show", "--format=", "--name-only", commit).split() for commit in hashes
    ]
    assert sorted(touched) == [[MAIN], [WATER]]
    for file, data in wanted.items():
        assert git(session.model, "show", f"port:{file}").encode() == data
    text = git(session.model, "log", "-1", "--format=%B", hashes[touched.index([WATER])])
    assert text.startswith("water: port to OpenACC")
    assert "6 of 7 hunks accepted, 1 rejected." in text
    assert "data holds, races holds, numerics holds, device inconclusive" in text
    assert "Never validated" not in text  # the kernel that never ran was rejected
    assert f"Rejected: {WATER}:43 (not yet)." in text
    assert "Reviewed-by: Ada" in text
    assert session.standing(WATER).state is State.LANDED


def test_the_answers_that_land_hold_the_accepted_edits_only(ported, session):
    ported.decide(session, WATER)
    ported.decide(session, f"{WATER}#7", "reject")
    found = ready(session) or as_examined(session)
    kept = found.outcome.answers
    rewrite = kept["water::highest"].rewrite
    assert len(rewrite.edits) == 1
    assert rewrite.offloaded == ()
    assert kept["pond"].rewrite.edits == ()
    assert len(kept["water::advance"].rewrite.offloaded) == 2


def test_an_approval_names_the_migration_and_what_lands(ported, session):
    ported.decide(session, WATER)
    ported.decide(session, MAIN)
    event = approve(session, ready(session))
    assert event.key == session.material.standing.key
    assert session.is_answered
