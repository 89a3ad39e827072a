"""A clock that showed the same in two runs is no difference of the port; a result is one."""

from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest

from acclimate.verifier.comparing.baseline import Noise, measure_noise
from acclimate.verifier.comparing.comparison import Outputs
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.measuring.repeats import anew_each_time, compared, in_doubt, is_doubtful
from acclimate.verifier.outputs import Field
from acclimate.verifier.subject import Length


def run(clock: float, result: float, wall: float = 0.1, **other: object) -> SimpleNamespace:
    outputs = Outputs({"stdout": Field(np.array([clock, result]))})
    made = {"outputs": outputs, "finished": SimpleNamespace(wall=wall), "ok": True}
    return SimpleNamespace(**made | other)


class Scripted(SimpleNamespace):
    """A subject whose original shows these clocks, run after run."""

    def __init__(self, clocks: list[float], wall: float = 0.1) -> None:
        first = run(clocks[0], 1.0, wall)
        noise = measure_noise(first.outputs, first.outputs, first.outputs)
        super().__init__(
            original=True, repeats=Counter(), noise=noise, full_noise=Noise(), has_short_run=True
        )
        self._clocks, self._first = clocks[1:], first

    @property
    def masks(self):
        return self.noise.masks

    def masks_of(self, length):
        return (self.noise if length is Length.SHORT else self.full_noise).masks

    def baseline(self, length):
        return self._first

    def built(self, side, build):
        return SimpleNamespace(executable=None)

    def run(self, executable, name, length, *, slower):
        return run(self._clocks[self.repeats[length] - 1], 1.0)


@pytest.mark.parametrize("length", Length)
def test_a_result_that_differs_stays_a_difference(length):
    subject = Scripted([5.0, 5.0, 6.0, 7.0, 7.0])
    found = compared(subject, run(5.0, 1.0), run(6.0, 1.5), length)
    assert not found.identical
    assert subject.repeats[length] == 4


@pytest.mark.parametrize(("clocks", "runs"), [([5.0, 6.0], 1), ([5.0, 5.0, 5.0, 4.0], 3)])
def test_a_clock_is_found_out_by_asking_again(clocks, runs):
    subject = Scripted(clocks)
    assert compared(subject, run(5.0, 1.0), run(6.0, 1.0)).identical
    assert subject.repeats[Length.SHORT] == runs
    assert subject.noise.message == "1 values differ from run to run"


def test_a_full_run_has_clocks_of_its_own():
    subject = Scripted([5.0, 6.0, 7.0, 8.0, 9.0])
    assert compared(subject, run(5.0, 1.0), run(6.0, 1.0), Length.FULL).identical
    assert (anew_each_time(subject, Length.FULL), anew_each_time(subject, Length.SHORT)) == (1, 0)
    assert not subject.masks and not subject.repeats[Length.SHORT]
    assert not compared(subject, run(5.0, 1.0), run(5.0, 1.5), Length.FULL).identical


def test_a_difference_is_in_doubt_where_a_model_with_clocks_takes_too_long_to_be_asked():
    subject = Scripted([5.0, 6.0], wall=100.0)
    found = compared(subject, run(5.0, 1.0), run(6.0, 1.0), Length.FULL)
    assert not found.identical and not is_doubtful(subject, Length.FULL)  # it shows none
    subject.noise = Noise(masks={"stdout": np.array([True, False])})
    assert is_doubtful(subject, Length.FULL) and not is_doubtful(subject, Length.SHORT)
    said = Evidence("host_run", Light.NUMERICS, Outcome.INCONCLUSIVE, "it differs")
    assert not in_doubt(subject, found, said).unsettled
    subject.noise = Noise(masks={"elsewhere": np.array([True, False])})
    assert in_doubt(subject, found, said).unsettled


def test_where_nothing_differs_nothing_is_run():
    subject = Scripted([5.0])
    assert compared(subject, run(5.0, 1.0), run(5.0, 1.0)).identical
    assert not subject.repeats


def test_a_long_model_is_not_run_again():
    subject = Scripted([5.0, 6.0], wall=100.0)
    assert not compared(subject, run(5.0, 1.0), run(6.0, 1.0)).identical


@pytest.mark.parametrize("broken", [{"ok": False}, {"outputs": Outputs({}, ("stdout",))}])
def test_what_a_stopped_run_did_not_write_is_no_clock(broken, monkeypatch):
    subject = Scripted([5.0])
    monkeypatch.setattr(subject, "run", lambda *_, **__: run(5.0, 0.0, **broken), raising=False)
    assert not compared(subject, run(5.0, 1.0), run(5.0, 1.5)).identical
    assert not subject.masks and subject.repeats[Length.SHORT] == 1
