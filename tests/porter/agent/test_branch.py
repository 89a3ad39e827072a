"""A port on a branch is a commit on HEAD; the work tree and the index are left alone."""

import subprocess

import pytest

from acclimate.analysis.problems import Problem
from acclimate.porter.agent.branch import check_branch, head_commit, land_on_branch

pytestmark = pytest.mark.needs("git")


def git(root, *arguments):
    identity = ("-c", "user.name=M", "-c", "user.email=m@example.org")
    run = subprocess.run(
        ["git", *identity, *arguments], cwd=root, capture_output=True, text=True, check=True
    )
    return run.stdout


@pytest.fixture
def root(tmp_path):
    """A model in a folder of its repository."""
    model = tmp_path / "repository/model"
    model.mkdir(parents=True)
    (model / "a.f90").write_text("end\n")
    (model / "build.sh").write_text("#!/bin/sh\n")
    (model / "build.sh").chmod(0o755)
    git(model, "init", "--quiet", "--initial-branch=main", "..")
    git(model, "add", ".")
    git(model, "commit", "--quiet", "--message=model")
    return model


def test_no_repository_is_refused(tmp_path):
    with pytest.raises(Problem, match="not in a git repository"):
        check_branch(tmp_path, "port", allow_dirty=False)


def test_a_name_git_does_not_take_is_refused(root):
    with pytest.raises(Problem, match="not a valid branch name"):
        check_branch(root, "a..b", allow_dirty=False)


def test_somebody_elses_branch_is_refused(root):
    git(root, "branch", "port")
    with pytest.raises(Problem, match="'port' exists and is not a port"):
        check_branch(root, "port", allow_dirty=False)


def test_a_port_on_which_somebody_went_on_is_refused_with_their_commits(root):
    land_on_branch(root, {"a.f90": b"1\n"}, "Port", "port", "ab")
    git(root, "checkout", "--quiet", "port")
    git(root, "commit", "--quiet", "--allow-empty", "--message=mine")
    git(root, "checkout", "--quiet", "main")
    with pytest.raises(Problem, match="made by acclimate and, on top of it, 1 commit of") as caught:
        check_branch(root, "port", allow_dirty=False)
    assert [note.split()[1:] for note in caught.value.notes] == [["mine"]]


def test_uncommitted_changes_are_refused_unless_allowed(root):
    (root / "a.f90").write_text("stop\nend\n")
    with pytest.raises(Problem, match="1 of the model's files have changes") as caught:
        check_branch(root, "port", allow_dirty=False)
    assert "M model/a.f90" in caught.value.notes
    check_branch(root, "port", allow_dirty=True)


def test_changes_elsewhere_in_the_repository_do_not_matter(root):
    (root.parent / "b.txt").write_text("b")
    git(root.parent, "add", "b.txt")
    check_branch(root, "port", allow_dirty=False)


def test_the_port_is_a_commit_on_head_and_nothing_else_moves(root):
    (root / "a.f90").write_text("stop\nend\n")
    git(root, "add", "a.f90")
    before = git(root, "status", "--porcelain"), git(root, "rev-parse", "HEAD")
    ported = {"a.f90": b"!$acc\nend\n", "build.sh": b"#!/bin/bash\n", "new/b.f90": b"end\n"}
    commit = land_on_branch(root, ported, "Port the model", "port", "ab12")
    assert (git(root, "status", "--porcelain"), git(root, "rev-parse", "HEAD")) == before
    assert (root / "a.f90").read_text() == "stop\nend\n"
    assert git(root, "rev-parse", "port").strip() == commit
    assert git(root, "show", "port:model/a.f90") == "!$acc\nend\n"
    changed = git(root, "diff", "--raw", "--no-renames", "HEAD", "port").splitlines()
    assert [line.split()[1] for line in changed] == ["100644", "100755", "100644"]
    assert git(root, "log", "-1", "--format=%B", "port").endswith("Acclimate-Port: ab12\n\n")


def test_our_own_branch_is_moved_by_a_second_port(root):
    land_on_branch(root, {"a.f90": b"1\n"}, "Port", "port", "ab")
    check_branch(root, "port", allow_dirty=False)
    land_on_branch(root, {"a.f90": b"2\n"}, "Port", "port", "cd")
    assert git(root, "show", "port:model/a.f90") == "2\n"


def test_a_commit_says_whether_the_model_differs_from_it(root, tmp_path):
    short = git(root, "rev-parse", "--short=12", "HEAD").strip()
    assert head_commit(root) == short
    (root / "a.f90").write_text("stop\nend\n")
    assert head_commit(root) == f"{short} with changes"
    assert head_commit(tmp_path) == ""
