"""The flow: what is done once, what is turned back, and what never lands."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from acclimate.analysis.source import Edit
from acclimate.analysis.tree.manifest import load_manifest
from acclimate.porter.agent.choice import Choice
from acclimate.porter.agent.graph import migrate, wired
from acclimate.porter.agent.job import open_job
from acclimate.porter.agent.places import InFolder
from acclimate.porter.agent.work_folder import work_folder
from acclimate.porter.engine import propose
from acclimate.porter.rewrite import Refusal, Rewrite

POND = Path(__file__).parents[2] / "workflows/pond"
OWN = shutil.ignore_patterns(".acclimate")


def honest(plan, unit, index, feedback):
    return propose(plan, unit, index, feedback)


def forgetful(plan, unit, index, feedback):
    """An author that halves the flow in `advance` and says nothing of it."""
    answer = propose(plan, unit, index, feedback)
    if unit != "water::advance" or not isinstance(answer, Rewrite):
        return answer
    line = next(
        number
        for number, text in enumerate(index.project.texts["src/water.f90"].split(b"\n"), 1)
        if b"flow(i) = flow(i) - dt" in text
    )
    wrong = Edit(
        "src/water.f90",
        line,
        line,
        ("      flow(i) = flow(i) - 0.5_dp * dt * gravity * (level(i + 1) - level(i)) / dx",),
    )
    return replace(answer, edits=(*answer.edits, wrong))


def unwilling(plan, unit, index, feedback):
    """An author that does not port `advance`."""
    if unit == "water::advance":
        return Refusal(index.project.units[unit].at, "too deep for me", "ask somebody else")
    return propose(plan, unit, index, feedback)


def hasty(plan, unit, index, feedback):
    """An author that smooths in parallel what is a recurrence."""
    answer = propose(plan, unit, index, feedback)
    if unit != "water::advance" or not isinstance(answer, Rewrite):
        return answer
    line = 34
    assert b"do i = 2, n" in index.project.texts["src/water.f90"].split(b"\n")[line - 1]
    directive = "    !$acc parallel loop gang vector default(present) private(i)"
    wrong = Edit("src/water.f90", line, line - 1, (directive,))
    return replace(answer, edits=(*answer.edits, wrong))


def careless(plan, unit, index, feedback):
    """An author that forgets every `update` in the main program."""
    answer = propose(plan, unit, index, feedback)
    if unit != "pond" or not isinstance(answer, Rewrite):
        return answer
    kept = tuple(e for e in answer.edits if not any("acc update" in line for line in e.text))
    assert kept != answer.edits
    return replace(answer, edits=kept)


def offloaded(outcome, unit):
    answer = outcome.answers.get(unit)
    return answer.rewrite.offloaded if answer and answer.rewrite else ()


class Bench:
    """Runs migrations of one pond with different authors; remembers what was said."""

    def __init__(self, folder):
        self.model = Path(shutil.copytree(POND, folder / "pond", ignore=OWN))
        self.port = folder / "port"
        self.said = []
        self.drafted = []

    def run(self, author, *, landing=True, fresh=False, workers=2):
        def counted(plan, unit, index, feedback):
            self.drafted.append(unit)
            return author(plan, unit, index, feedback)

        manifest = load_manifest(self.model)
        work = work_folder(manifest.root, None)
        self.said.clear()
        self.drafted.clear()
        job = open_job(
            manifest,
            whole_tree=True,
            choice=Choice(author=author.__name__),
            work=work,
            machine="this",
            workers=workers,
            author=counted,
            tell=self.said.append,
            place=InFolder(self.port, manifest.root, work, whole_tree=True),
            publish=lambda outcome: {"report.json": b"{}"},
        )
        return migrate(job, landing=landing, fresh=fresh)

    def stages(self):
        return list(dict.fromkeys(step.stage for step in self.said))

    def ported(self, name):
        return (self.port / name).read_bytes()


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path)


@pytest.mark.gfortran
@pytest.mark.slow
def test_a_wrong_port_is_turned_back_and_never_lands(bench):
    outcome, landed = bench.run(forgetful)
    assert landed is not None
    assert "water::advance" in outcome.turned_back
    feedback = outcome.turned_back["water::advance"]
    assert feedback.attempt == 1
    assert any(f.startswith("src/water.f90:25: ") for f in feedback.findings)
    assert b"0.5_dp * dt * gravity" not in bench.ported("src/water.f90")
    assert outcome.examination.assessment.verdict != "reject"
    assert outcome.attempts <= 4


@pytest.mark.gfortran
@pytest.mark.slow
def test_a_fault_in_another_unit_than_the_authors_ends_with_the_original(bench):
    """The evidence names `smooth`, which nobody says to have changed: all is taken back."""
    outcome, landed = bench.run(hasty)
    assert landed is not None
    assert outcome.turned_back.keys() >= {"water::advance"}
    assert b"parallel loop" not in bench.ported("src/water.f90").split(b"do i = 2, n")[0][-120:]
    assert outcome.examination.assessment.verdict != "reject"


@pytest.mark.gfortran
@pytest.mark.slow
def test_a_unit_its_author_refuses_is_planned_around(bench):
    outcome, landed = bench.run(unwilling)
    assert landed is not None
    assert outcome.turned_back["water::advance"].findings == ("too deep for me",)
    assert offloaded(outcome, "water::advance") == ()
    assert offloaded(outcome, "water::fill") != ()
    assert outcome.examination.assessment.verdict != "reject"


@pytest.mark.gfortran
@pytest.mark.slow
def test_a_port_that_breaks_the_invariant_is_planned_again_without_the_unit(bench):
    outcome, landed = bench.run(careless)
    assert landed is not None
    assert outcome.turned_back["pond"].findings
    assert b"!$acc update" in bench.ported("src/pond.f90")
    assert outcome.examination.assessment.verdict != "reject"


@pytest.mark.gfortran
@pytest.mark.slow
def test_every_unit_is_drafted_once_whatever_the_number_of_workers(bench, tmp_path):
    one, _ = bench.run(honest, workers=1)
    first = sorted(bench.drafted)
    other = Bench(tmp_path / "other")
    two, _ = other.run(honest, workers=4)
    assert first == sorted(other.drafted) == sorted(one.planned.units)
    assert one.tree == two.tree


@pytest.mark.gfortran
@pytest.mark.slow
def test_a_run_without_landing_stops_before_it_and_the_next_only_lands(bench):
    outcome, landed = bench.run(honest, landing=False)
    assert landed is None
    assert not bench.port.exists()
    again, landed = bench.run(honest, landing=False)
    assert (again.tree, landed, bench.port.exists()) == (outcome.tree, None, False)
    _, landed = bench.run(honest)
    assert bench.stages() == ["resume", "land"]
    assert landed is not None and bench.port.exists()


@pytest.mark.gfortran
@pytest.mark.slow
def test_a_lost_artefact_is_made_again(bench):
    before, _ = bench.run(honest)
    shutil.rmtree(bench.model / ".acclimate/store")
    after, _ = bench.run(honest)
    assert after.tree == before.tree


@pytest.mark.gfortran
@pytest.mark.slow
def test_a_damaged_checkpoint_file_is_set_aside(bench):
    before, _ = bench.run(honest)
    path = bench.model / ".acclimate/checkpoints.sqlite"
    path.write_bytes(b"not a database" * 1000)
    after, _ = bench.run(honest)
    assert after.tree == before.tree
    assert path.with_suffix(".damaged").exists()


@pytest.mark.gfortran
@pytest.mark.slow
def test_fresh_does_everything_again(bench):
    bench.run(honest)
    outcome, _ = bench.run(honest, fresh=True)
    assert not outcome.examination.cached
    assert bench.stages()[:4] == ["survey", "plan", "draft", "assemble"]


@pytest.mark.gfortran
@pytest.mark.slow
def test_no_text_is_kept_in_a_checkpoint(bench):
    bench.run(honest)
    content = (bench.model / ".acclimate/checkpoints.sqlite").read_bytes()
    content += (
        (bench.model / ".acclimate/checkpoints.sqlite-wal").read_bytes()
        if (bench.model / ".acclimate/checkpoints.sqlite-wal").exists()
        else b""
    )
    assert b"gravity" not in content
    assert b"parallel loop" not in content


@pytest.mark.gfortran
@pytest.mark.slow
def test_nothing_is_sent_anywhere_whatever_the_environment_says(bench, monkeypatch):
    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    monkeypatch.setenv("LANGSMITH_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("LANGSMITH_API_KEY", "key")
    sent = []
    monkeypatch.setattr("socket.socket.connect", lambda self, place: sent.append(place))
    bench.run(honest, landing=False)
    assert sent == []


def test_the_graph_draws_the_flow():
    edges = {(edge.source, edge.target) for edge in wired(None).get_graph().edges}
    assert edges == {
        ("__start__", "survey"),
        ("survey", "consult"),
        ("consult", "plan"),
        ("plan", "draft"),
        ("plan", "assemble"),
        ("draft", "assemble"),
        ("assemble", "examine"),
        ("assemble", "consult"),
        ("examine", "turn_back"),
        ("examine", "present"),
        ("present", "review"),
        ("turn_back", "consult"),
        ("review", "consult"),
        ("review", "land"),
        ("land", "__end__"),
    }
