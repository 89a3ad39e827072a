"""The stage that asks: budgets, batches, small windows, candidates; nothing is built here."""

import json
import re
import shutil
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest

from acclimate.analysis.tree.manifest import load_manifest
from acclimate.porter.agent.artefacts import Consultation
from acclimate.porter.agent.choice import Choice
from acclimate.porter.agent.consult import consult
from acclimate.porter.agent.job import open_job
from acclimate.porter.agent.places import InFolder
from acclimate.porter.agent.work_folder import work_folder
from acclimate.porter.asking.asker import Asker
from acclimate.porter.asking.budget import Budget, BudgetReached
from acclimate.porter.asking.journal import Journal
from acclimate.porter.asking.reply_store import ReplyStore
from acclimate.porter.author.consultant import Consultant
from acclimate.porter.author.settings import Settings
from acclimate.porter.engine import propose
from acclimate.porter.providers.batch import Batch, Waiting, take_in
from acclimate.porter.providers.replay import said
from acclimate.porter.rewrite import Feedback

NEST = """  subroutine s{0}(n, m, a)
    integer, intent(in) :: n, m
    real(8), intent(inout) :: a(n, m)
    integer :: i, k
    real(8) :: below
    do i = 1, n
      do k = 2, m
        below = a(i, k - 1)
        a(i, k) = a(i, k) + {0}.5d0*below + kept
        kept = below
      end do
    end do
  end subroutine s{0}
"""
PROGRAM = """  program p
  use fields
  implicit none
  integer, parameter :: n = 8, m = 4
  real(8), allocatable :: a(:, :)
  integer :: i, k
  allocate (a(n, m))
  do k = 1, m
    do i = 1, n
      a(i, k) = i + 0.5d0*k
    end do
  end do
{calls}  print *, sum(a), kept
  end program p
"""


def model(units):
    """A program of `units` routines, each with a value that is carried through all iterations."""
    body = "".join(NEST.format(number) for number in range(1, units + 1))
    calls = "".join(f"  call s{number}(n, m, a)\n" for number in range(1, units + 1))
    head = "module fields\n  implicit none\n  real(8) :: kept = 0.0d0\ncontains\n"
    return f"{head}{body}end module fields\n{PROGRAM.replace('{calls}', calls)}"


def plausible(prompt):
    """A reply that neither the text nor the plan objects to; only a run would tell it is wrong."""
    found = re.search(r"(\d+)\|\s+a\(i, k\) = a\(i, k\) \+ (\d+).5d0\*below \+ kept", prompt)
    line, number = int(found[1]), found[2]
    return (
        f"EDIT {line - 3}-{line + 3}\n<<<<<<< OLD\n    do i = 1, n\n      do k = 2, m\n"
        "        below = a(i, k - 1)\n"
        f"        a(i, k) = a(i, k) + {number}.5d0*below + kept\n"
        "        kept = below\n      end do\n    end do\n=======\n"
        "    do k = 2, m\n      do i = 1, n\n"
        f"        a(i, k) = a(i, k) + {number}.5d0*a(i, k - 1)\n"
        "      end do\n    end do\n    kept = a(n, m)\n>>>>>>> NEW\n"
    )


@dataclass
class Answering:
    """Answers by a function of the prompt and counts what it was asked."""

    answer: object
    asked: list[str] = field(default_factory=list)
    name: str = "answering"

    def ask(self, question, label):
        self.asked.append(label)
        return said(self.answer(question.user), question)


class Stage:
    """One model tree and what a visit of the stage makes of it."""

    def __init__(self, tmp_path, units):
        self.file = tmp_path / "fields.f90"
        self.file.write_text(model(units))
        self.work = work_folder(tmp_path, self.file)

    def job(self, provider, budget=None, **chosen):
        manifest = load_manifest(self.file)
        author = self.work / "author"
        journal = Journal(author / "journal.jsonl")
        asker = Asker(provider, ReplyStore(author / "replies"), budget or Budget(), journal)
        self.job_ = open_job(
            manifest,
            whole_tree=False,
            choice=Choice("both"),
            work=self.work,
            machine="none",
            workers=1,
            author=propose,
            tell=lambda step: None,
            place=InFolder(self.work / "port", manifest.root, self.work, False),
            publish=lambda outcome: {},
            consultant=Consultant(asker, Settings(model="tiny", calls=1, **chosen)),
        )
        return self.job_

    def visit(self, job, **state):
        found = consult({"attempt": 0, **state}, SimpleNamespace(context=job))
        keys = {**state.get("consulted", {}), **found.get("consulted", {})}
        return keys, {unit: job.store.get(key, Consultation) for unit, key in keys.items()}

    def forget_replies(self):
        shutil.rmtree(self.work / "author")


def test_a_budget_stops_before_the_call_that_would_exceed_it_and_goes_on_with_more(tmp_path):
    stage = Stage(tmp_path, 4)
    free = Answering(plausible)
    _, wanted = stage.visit(stage.job(free))
    spent = stage.job_.consultant.asker.budget.used
    assert {unit for unit, said_ in wanted.items() if said_.edits} == {
        f"fields::s{n}" for n in (1, 2, 3, 4)
    }
    stage.forget_replies()
    tight = Answering(plausible)
    reserve = 4096  # what a reply may take is held while it is asked for
    with pytest.raises(BudgetReached) as reached:
        stage.visit(stage.job(tight, Budget(max_tokens=spent // 2 + reserve)))
    assert reached.value.kind == 5 and "--max-tokens" in reached.value.hint
    before = stage.job_.consultant.asker.budget.used
    assert before <= spent // 2 + reserve and 0 < len(tight.asked) < 4
    _, found = stage.visit(stage.job(tight, Budget(max_tokens=10 * spent, used=before)))
    assert found == wanted
    assert sorted(tight.asked) == sorted(free.asked)  # nothing was asked twice


def test_a_batch_gives_what_an_endpoint_gives(tmp_path):
    stage = Stage(tmp_path, 2)
    _, online = stage.visit(stage.job(Answering(plausible)))
    stage.forget_replies()
    batch = Batch(tmp_path / "requests.jsonl")
    with pytest.raises(Waiting, match="2 requests wait"):
        stage.visit(stage.job(batch))
    lines = []
    for line in map(json.loads, batch.requests.read_text().splitlines()):
        text = plausible(line["body"]["messages"][1]["content"])
        choice = {"index": 0, "message": {"content": text}, "finish_reason": "stop"}
        lines.append({"custom_id": line["custom_id"], "response": {"body": {"choices": [choice]}}})
    replies = tmp_path / "replies.jsonl"
    replies.write_text("\n".join(map(json.dumps, lines)))
    job = stage.job(batch)
    take_in(replies, batch.requests, job.consultant.asker.replies)
    assert stage.visit(job)[1] == online


@pytest.mark.slow
def test_a_small_window_is_asked_nest_by_nest(tmp_path):
    """A unit of more than 800 lines for an endpoint of 4,096 tokens."""
    nests, terms = 12, 62
    one = NEST.format(1).split("\n")
    body = []
    for _ in range(nests):
        body += one[5:7] + [one[7]] * terms + one[8:12]
    text = "\n".join(["module fields", "  implicit none", "  real(8) :: kept = 0.0d0", "contains"])
    text += "\n" + "\n".join(one[:5] + body + one[12:]) + "end module fields\n"
    stage = Stage(tmp_path, 1)
    stage.file.write_text(text + PROGRAM.replace("{calls}", "  call s1(n, m, a)\n"))

    def by_nest(prompt):
        first = int(re.findall(r"Lines (\d+) to", prompt)[0])
        old = "\n".join(text.split("\n")[first - 1 : first + terms + 5])
        new = "    do k = 2, m\n      do i = 1, n\n        a(i, k) = a(i, k) + 1.5d0*a(i, k - 1)\n"
        return (
            f"EDIT {first}-{first + terms + 5}\n<<<<<<< OLD\n{old}\n=======\n{new}      end do\n"
            "    end do\n    below = a(n, m - 1)\n    kept = below\n>>>>>>> NEW\n"
        )

    provider = Answering(by_nest)
    _, found = stage.visit(stage.job(provider, window=4096, output=1024, attempts=1))
    assert len(provider.asked) == nests
    assert len(found["fields::s1"].edits) == nests
    _, small = stage.visit(stage.job(provider, window=1400, output=300, attempts=1))
    assert "needs a window of" in small["fields::s1"].history[0]


def test_other_samples_are_tried_before_the_model_is_asked_again(tmp_path):
    stage = Stage(tmp_path, 1)
    replies = iter(
        [
            plausible,
            lambda prompt: plausible(prompt).replace(
                "k = 2, m\n      do i", "k = 2, m, 1\n      do i"
            ),
        ]
    )
    provider = Answering(lambda prompt: next(replies)(prompt))
    job = stage.job(provider, best_of=2, attempts=1)
    keys, found = stage.visit(job)
    first = found["fields::s1"]
    assert len(first.spare) == 1 and len(provider.asked) == 2
    advice = job.store.put(Feedback("fields::s1", first.turn, ("wrong",)), Feedback)
    keys, found = stage.visit(job, consulted=keys, advice={"fields::s1": advice})
    second = found["fields::s1"]
    assert second.edits == first.spare[0] and len(provider.asked) == 2
    again = job.store.put(Feedback("fields::s1", second.turn, ("wrong too",)), Feedback)
    _, found = stage.visit(job, consulted=keys, advice={"fields::s1": again})
    assert found["fields::s1"].edits == () and found["fields::s1"].closed
    assert found["fields::s1"].history == ("attempt 1: wrong", "attempt 1: wrong too")


def test_what_a_person_wants_is_heard_once_even_where_the_model_was_done(tmp_path):
    stage = Stage(tmp_path, 1)
    provider = Answering(plausible)
    job = stage.job(provider, attempts=1)
    keys, _ = stage.visit(job)
    wish = job.store.put(Feedback("fields::s1", 1, ("Ada: one loop, please",)), Feedback)
    provider.answer = lambda prompt: plausible(prompt).replace(
        "k = 2, m\n      do i", "k = 2, m, 1\n      do i"
    )
    found = consult(
        {"attempt": 0, "consulted": keys, "wishes": {"fields::s1": wish}},
        SimpleNamespace(context=job),
    )
    said_ = job.store.get(found["consulted"]["fields::s1"], Consultation)
    assert found["wishes"] == {"fields::s1": ""}
    assert said_.asked == 2 and said_.edits
    assert said_.history == ("attempt 1: Ada: one loop, please",)
    again = consult({"attempt": 0, **found}, SimpleNamespace(context=job))
    assert again["consulted"] == {} and len(provider.asked) == 2


def test_a_unit_that_a_person_keeps_on_the_host_keeps_no_edits_of_a_model(tmp_path):
    stage = Stage(tmp_path, 1)
    job = stage.job(Answering(plausible))
    keys, found = stage.visit(job)
    assert found["fields::s1"].edits
    _, found = stage.visit(job, consulted=keys, turned_back={"fields::s1": "any"})
    assert found["fields::s1"].edits == () and found["fields::s1"].closed
