"""Several processes: the same result, also when some of them die."""

import os
import signal
from pathlib import Path

import pytest

from acclimate.analysis import analysing
from acclimate.analysis.exchange import crew
from acclimate.analysis.exchange.bench import Bench
from acclimate.analysis.index import index_project, to_json
from acclimate.analysis.problems import Problem
from acclimate.analysis.tree.manifest import Manifest, load_manifest

SAMPLE = Path(__file__).parents[3] / "sample_model"
SMALL = {
    "a.f90": "module a\ncontains\n  subroutine one(x)\n    real x\n    x = 1\n  end\nend module\n",
    "b.f90": "module b\n  use a\ncontains\n  recursive subroutine two(x)\n    real x(9)\n"
    "    do i = 1, 9\n      call one(x(i))\n    end do\n    call three(x)\n  end\nend module\n",
    "c.f90": "subroutine three(x)\n  use b\n  real x(9)\n  call two(x)\nend\n",
    "d.f": "      subroutine four(x)\n      f(a) = g(a)\n      g(a) = a\n"
    "      x = f(x)\n      end\n",
}


@pytest.fixture(autouse=True)
def _everything_is_worth_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysing, "_WORTH_A_PROCESS", 1)


@pytest.fixture
def small(tmp_path: Path) -> Manifest:
    for name, text in SMALL.items():
        (tmp_path / name).write_text(text)
    return Manifest(tmp_path, "small", tuple(SMALL))


def dying(monkeypatch, method: str, who: str, flag: Path | None = None) -> None:
    """End the process that is asked for `who`: once, if there is a flag to be raised."""
    really = getattr(Bench, method)
    parent = os.getpid()

    def dies(bench: Bench, name: str | tuple[str, ...], *more: object, **named: object) -> object:
        if os.getpid() != parent and who in (name, *name) and (flag is None or not flag.exists()):
            if flag is not None:
                flag.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return really(bench, name, *more, **named)

    monkeypatch.setattr(Bench, method, dies)


@pytest.mark.parametrize(
    ("method", "who"),
    [("read", "b.f90"), ("edges", "b::two"), ("summarise", "a::one"), ("summarise", "b::two"),
     ("judge", "b::two")],
)  # fmt: skip
def test_what_a_process_had_when_it_died_is_done_again(small, monkeypatch, tmp_path, method, who):
    alone = to_json(index_project(small))
    dying(monkeypatch, method, who, tmp_path / "died")
    assert to_json(index_project(small, workers=2)) == alone
    assert (tmp_path / "died").exists()


def test_a_file_that_ends_every_reader_is_told_and_the_others_are_used(small, monkeypatch):
    dying(monkeypatch, "read", "a.f90")
    index = index_project(small, workers=2)
    assert [unit.name for unit in index.units] == ["b", "b::two", "three", "four"]
    (problem,) = index.problems
    assert (problem.at.file, problem.reason) == ("a.f90", "the reader ended by signal SIGKILL")


@pytest.mark.parametrize("method", ["summarise", "judge"])
def test_a_unit_that_ends_every_process_stops_the_analysis(small, monkeypatch, method):
    dying(monkeypatch, method, "a::one")
    with pytest.raises(Problem, match="the analysis of a::one could not be finished.*SIGKILL"):
        index_project(small, workers=2)


@pytest.mark.parametrize("method", ["summarise", "judge"])
def test_a_bug_in_a_process_is_no_lack_of_memory(small, monkeypatch, method):
    def fails(bench: Bench, *arguments: object, **named: object) -> object:
        raise LookupError("a bug")

    monkeypatch.setattr(Bench, method, fails)
    with pytest.raises(RuntimeError, match="could not be finished: its process ended with status"):
        index_project(small, workers=2)


def test_a_process_that_takes_too_long_counts_as_dead(small, monkeypatch):
    parent = os.getpid()
    really = Bench.read

    def sleeps(bench: Bench, file: str) -> object:
        if os.getpid() != parent and file == "a.f90":
            signal.pause()
        return really(bench, file)

    monkeypatch.setattr(crew, "_SECONDS", 0.5)
    monkeypatch.setattr(Bench, "read", sleeps)
    index = index_project(small, workers=2)
    assert "the reader stopped after" in {problem.reason[:24] for problem in index.problems}


def test_a_problem_in_another_process_is_the_users_problem(small, monkeypatch):
    def refuses(bench: Bench, file: str) -> object:
        raise Problem("there is no cpp", hint="install it")

    monkeypatch.setattr(Bench, "read", refuses)
    with pytest.raises(Problem, match="there is no cpp") as raised:
        index_project(small, workers=2)
    assert raised.value.hint == "install it"


def test_no_process_stays_behind(small):
    index_project(small, workers=3)
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


@pytest.mark.slow
def test_any_number_of_processes_says_the_same_of_the_sample_model():
    manifest = load_manifest(SAMPLE)
    one, two, three = (to_json(index_project(manifest, workers=n)) for n in (1, 2, 3))
    assert one == two == three
