"""Tasks of judging a loop and of mending a wrong port: what counts as solved, and what is told."""

import json
from pathlib import Path

import pytest

from acclimate.analysis.problems import Problem
from acclimate.workflows.cli import main
from acclimate.workflows.evaluating.explain_tasks import Answer, answer_of
from acclimate.workflows.evaluating.task_sets import task_set

TASKS = Path(__file__).parents[1] / "author_tasks/4"
MODEL = Path(__file__).parents[1] / "author_tasks/3/12_warning.f90"


def scores(folder, *words):
    told = folder / "scores.json"
    code = main(["evaluate", str(TASKS), "--work", str(folder / "w"), "--json", str(told), *words])
    return code, json.loads(told.read_text())["scores"] if told.exists() else []


def asked(folder, task, author, *words):
    """The same with a model whose replies lie in `folder`."""
    model = ("--author", author, "--model", "m", "--prompts", str(folder), "--older-replies")
    return scores(folder, "--task", task, *model, *words)


def reply(folder, label, text):
    (folder / f"{label}.{'0' * 16}.reply.md").write_text(text)


@pytest.mark.parametrize(
    ("text", "verdict", "names"),
    [
        ("VERDICT: serial\nBECAUSE: ix", "serial", {"ix"}),
        ("Well.\n**Verdict:** Parallel\n**Because:** none", "parallel", {"none"}),
        (
            "- VERDICT: host\n- BECAUSE: the `PRINT` statement",
            "host",
            {"the", "print", "statement"},
        ),
        ("VERDICT: parallel\nno:\nVERDICT: serial\nBECAUSE: x", "serial", {"x"}),
        ("VERDICT: perhaps\nBECAUSE: x", "", {"x"}),
        ("The loop is parallel.", "", set()),
    ],
)
def test_a_judgement_is_read_from_its_two_lines_only(text, verdict, names):
    assert answer_of(text) == Answer(verdict, frozenset(names))


@pytest.mark.parametrize(
    ("said", "solved"),
    [
        ("VERDICT: serial\nBECAUSE: ix", True),
        ("VERDICT: serial\nBECAUSE: xt", False),
        ("VERDICT: parallel\nBECAUSE: ix", False),
        ("It depends.", False),
    ],
)
def test_a_judgement_is_solved_by_the_verdict_and_what_decides_it(tmp_path, said, solved):
    reply(tmp_path, "judge_01_hunt_11.alone.1", said)
    _, (found,) = asked(tmp_path, "judge_01_hunt_11", "alone")
    assert found["solved"] is solved and found["tokens"] > 0


def test_rules_judge_by_the_analysis_and_what_it_leaves_open_is_not_solved(tmp_path):
    code, found = scores(tmp_path, "--task", "judge_0[15]*", "--author", "rules")
    assert {one["task"]: one["solved"] for one in found} == {
        "judge_01_hunt_11": True,
        "judge_05_persist_12": False,
    }
    assert code == 1 and found[1]["verdict"] == "unknown"


def test_only_the_author_with_facts_is_given_the_analysis(tmp_path):
    for author in ("alone", "both"):
        assert asked(tmp_path, "judge_01_hunt_11", author)[0] == 5
    texts = {p.name.split(".")[1]: p.read_text() for p in tmp_path.glob("*.prompt.md")}
    assert "line 11, as" in texts["alone"] and "  11     do i = 1, n" in texts["alone"]
    assert "An analysis of the source says" not in texts["alone"]
    assert "An analysis of the source says" in texts["both"]
    assert "ix = ix + 1" in texts["both"]


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ('kind = "repair"', "other keys"),
        ('kind = "repair"\nport = "nowhere.f90"', "is not at"),
        ('kind = "explain"\nline = 3\nverdict = "maybe"', "'maybe' is none of"),
        ('kind = "loop"\nport = "a.f90"', "other keys"),
    ],
)
def test_a_task_without_what_its_kind_needs_is_told(tmp_path, entry, said):
    (tmp_path / "a.f90").write_text("end\n")
    (tmp_path / "tasks.toml").write_text(f'[[task]]\nname = "a"\npath = "a.f90"\n{entry}\n')
    with pytest.raises(Problem, match=said):
        task_set(tmp_path)


@pytest.mark.slow
@pytest.mark.gfortran
@pytest.mark.parametrize("task", [t.name for t in task_set(TASKS).tasks if t.kind == "repair"])
def test_every_port_to_be_mended_is_found_wrong_and_the_finding_is_told(tmp_path, task):
    assert asked(tmp_path, task, "both")[0] == 5
    (prompt,) = tmp_path.glob(f"{task}.both.1.*.prompt.md")
    assert "What was found:" in prompt.read_text()


@pytest.mark.slow
@pytest.mark.gfortran
def test_a_port_is_mended_when_the_verifier_accepts_it_and_work_stays_on_the_device(tmp_path):
    wrong = (TASKS / "04_lost_update.f90").read_text()
    mended = wrong.replace("copyin(q, dq)", "copyin(dq) copy(q)")
    for number, text in enumerate((wrong, MODEL.read_text(), mended), 1):
        reply(tmp_path, f"mend_04_lost_update.both.{number}", f"```fortran\n{text}```\n")
    _, (found,) = asked(tmp_path, "mend_04_lost_update", "both", "--attempts", "2")
    assert not found["solved"] and "nothing runs on the device" in found["note"]
    assert found["plausible"] == 1  # plain runs did not tell the wrong port from the original
    _, (found,) = asked(tmp_path, "mend_04_lost_update", "both", "--attempts", "3")
    assert found["solved"] and found["attempts"] == 3


@pytest.mark.slow
@pytest.mark.gfortran
def test_a_port_to_be_mended_must_be_wrong(tmp_path):
    right = MODEL.read_text()
    (tmp_path / "right.f90").write_text(right)
    entry = f'name = "a"\npath = "{MODEL}"\nkind = "repair"\nport = "right.f90"\n'
    (tmp_path / "tasks.toml").write_text(f"[[task]]\n{entry}")
    words = ["--author", "both", "--model", "m", "--prompts", str(tmp_path / "p")]
    assert main(["evaluate", str(tmp_path), "--work", str(tmp_path / "w"), *words]) == 2
