"""A model in the flow: what it restructures is proved, planned and examined, or never lands."""

import json
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from acclimate.analysis.problems import Problem
from acclimate.analysis.tree.manifest import load_manifest
from acclimate.porter.agent.choice import Choice
from acclimate.porter.agent.graph import migrate
from acclimate.porter.agent.job import open_job
from acclimate.porter.agent.places import InFolder
from acclimate.porter.agent.work_folder import work_folder
from acclimate.porter.asking.asker import Asker
from acclimate.porter.asking.budget import Budget
from acclimate.porter.asking.journal import Journal
from acclimate.porter.asking.question import Failed, Failure
from acclimate.porter.asking.reply_store import ReplyStore
from acclimate.porter.author.consultant import Consultant
from acclimate.porter.author.settings import Settings
from acclimate.porter.engine import propose
from acclimate.porter.providers.replay import said

VALLEY = Path(__file__).parents[1] / "reply/valley.f90"
HOSTILE = VALLEY.parent / "hostile"
GOOD = VALLEY.with_name("valley_reply.txt").read_text()


@dataclass
class Scripted:
    """Answers one text after the other, the last one again and again; notes what it was asked."""

    texts: list[str]
    asked: list[str] = field(default_factory=list)
    name: str = "scripted"

    def ask(self, question, label):
        self.asked.append(question.user)
        if not self.texts:
            raise Failed(Failure.REFUSED, "nothing to say")
        return said(self.texts[min(len(self.asked), len(self.texts)) - 1], question)


@pytest.fixture
def tree(tmp_path):
    shutil.copy(VALLEY, tmp_path / "valley.f90")
    return tmp_path / "valley.f90"


def run(tree, texts, **chosen):
    """Migrate with a model that answers `texts`; the outcome, what it was asked, the journal."""
    manifest = load_manifest(tree)
    work = work_folder(manifest.root, tree)
    provider = Scripted(texts)
    settings = Settings(model="scripted", **chosen)
    journal = Journal(work / "author/journal.jsonl")
    asker = Asker(provider, ReplyStore(work / "author/replies"), Budget(), journal)
    job = open_job(
        manifest,
        whole_tree=False,
        choice=Choice("rules and scripted"),
        work=work,
        machine="gfortran",
        workers=1,
        author=propose,
        tell=lambda step: None,
        place=InFolder(work / "port", manifest.root, work, False),
        publish=lambda outcome: {},
        consultant=Consultant(asker, settings),
    )
    outcome, landed = migrate(job, landing=True, fresh=False)
    assert landed is not None
    return outcome, provider, list(journal.lines()), (work / "port/valley.f90").read_text()


def hostile(name):
    return (HOSTILE / f"{name}.md").read_text().split("\n---\n", 1)[1]


@pytest.mark.slow
@pytest.mark.gfortran
def test_what_rules_refuse_is_ported_when_a_model_restructures_it(tree):
    outcome, provider, journal, port = run(tree, [hostile("race_on_the_drain"), GOOD])
    assert outcome.examination.assessment.verdict == "accept"
    assert len(provider.asked) == 2
    assert "'!$acc parallel loop" in provider.asked[1]  # the feedback names the race
    sweep = outcome.consulted["valley::sweep"]
    assert (sweep.asked, len(sweep.edits)) == (2, 2)
    lines = [line.strip() for line in port.split("\n")]
    assert any(s.startswith("!$acc parallel loop") for s in lines[15:22])
    assert "!$acc atomic update" in port
    assert [line["what"] for line in journal if line["what"] == "call"] == ["call"] * 2


@pytest.mark.slow
@pytest.mark.gfortran
@pytest.mark.parametrize("name", ["wrong_factor", "short_by_one"])
def test_wrong_arithmetic_never_lands_and_the_evidence_goes_back(tree, name):
    wrong = GOOD + "\n" + hostile(name)
    outcome, provider, journal, port = run(tree, [wrong], attempts=2)
    assert outcome.examination.assessment.verdict == "accept"
    assert outcome.model_units == set()
    assert outcome.consulted["valley::sweep"].closed
    assert len(provider.asked) == 2
    assert "What was wrong with your last reply" in provider.asked[1]
    assert "do i = 1, n\n      do k = 1, m\n        fall = 0.0_wp\n" in port  # the original again
    evidence = [line for line in journal if line["what"] == "evidence"]
    assert len(evidence) == 2 and json.dumps(evidence[0]["findings"]) != "[]"


def test_a_model_that_does_not_answer_stops_the_run(tree):
    with pytest.raises(Problem, match="refused"):
        run(tree, [])
