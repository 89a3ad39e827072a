"""The smaller parts: names and steps, spreads, growth, files people review, stored contents."""

import subprocess

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acclimate.analysis.problems import Problem
from acclimate.verifier.comparing.comparison import Outputs
from acclimate.verifier.gate import objects, tolerances
from acclimate.verifier.gate.baseline import KernelTime, Times
from acclimate.verifier.gate.differences import spread
from acclimate.verifier.gate.growth import LOST, Curve, curve, growth
from acclimate.verifier.gate.history import NO_STEP, history, selected, series_of
from acclimate.verifier.gate.loosening import loosened
from acclimate.verifier.gate.settings import Settings, differing
from acclimate.verifier.gate.speed import WHOLE, ratios
from acclimate.verifier.gate.tolerances import Check, Estimate, Ignored, Mode, Tolerance, Tolerances
from acclimate.verifier.outputs import Field


@pytest.mark.parametrize(
    ("file", "patterns", "expected"),
    [
        ("out_2.nc", ("out_2.nc",), ("out_2.nc", NO_STEP)),
        ("out.txt", ("*.txt",), ("out.txt", NO_STEP)),
        ("d02_0012.fld", ("*.fld",), ("d02_*.fld", 12)),
        ("d_0012.fld", ("d_*.fld",), ("d_*.fld", 12)),
    ],
)
def test_the_step_is_the_last_number_in_the_star(file, patterns, expected):
    assert series_of(file, patterns) == expected


def test_records_of_a_file_are_steps_of_a_variable():
    field = Field(np.arange(6.0).reshape(3, 2), (0, 1), records=(5, 10))
    told = history(Outputs({"a.nc:q": field}), ("a.nc",))
    assert {s: f.values.tolist() for s, f in told.fields["a.nc:q"].items()} == {
        5: [0.0, 2.0, 4.0],
        10: [1.0, 3.0, 5.0],
    }


def test_names_with_brackets_mean_themselves():
    assert selected("diag.txt:wmax[m/s]", ("wmax[m/s]",))
    assert selected("dump_*.fld:qv", ("q*",)) and not selected("dump_*.fld:qv", ("dump*:t",))


def test_a_point_far_from_all_others_is_a_flip_and_does_not_widen_the_rest():
    before = np.linspace(1.0, 2.0, 1000)
    after = before + 1e-14
    after[7] += 1e-3
    seen = spread(Field(before), Field(after))
    assert (seen.flips, seen.flipped > 9e-4, seen.smooth < 1e-13) == (1, True, True)


def test_what_does_not_grow_has_no_horizon():
    assert growth(Curve(tuple(range(20)), (1e-15,) * 20)).horizon is None
    assert growth(curve([])).horizon is None


@given(st.floats(0.1, 0.5), st.floats(-15, -12))
def test_a_horizon_is_where_the_line_reaches_the_loss(rate, start):
    steps = tuple(range(80))
    apart = tuple(10**start * np.exp(rate * step) for step in steps)
    found = growth(Curve(steps, apart))
    expected = (np.log(LOST) - start * np.log(10)) / rate
    assert found.horizon == pytest.approx(expected, abs=1.5)
    assert found.rate == pytest.approx(rate, rel=0.01)


SETTINGS = Settings("f 12", "x", ("-O2",), (), (), (), (), (), {"n": {"run": {"dt": "1"}}}, {})


def test_settings_that_differ_are_named_one_by_one():
    other = Settings("f 13", "x", ("-O3",), (), (), (), (), (), {"n": {"run": {"dt": "2"}}}, {})
    assert differing(SETTINGS, SETTINGS) == []
    assert differing(SETTINGS, other, ("compiler",)) == [
        "flags: '-O2' in the baseline, '-O3' now",
        "n run dt: 1 in the baseline, 2 now",
    ]


ALL = Tolerances(
    mode=Mode.TOLERANCE,
    entries=(
        Tolerance("a*", Check.RUN, 1e-9, 'because of "this"', rel=1e-3, growth=0.1),
        Tolerance("a", Check.STEP, 2e-9, "x", flips=2, flip_abs=0.5, levels=(1, 3), steps=(4, 9)),
    ),
    ignored=(Ignored("clock", "a clock"),),
    estimate=Estimate("abc", 10, 8, 5.0, ("O0",), 0.09, 271),
    may_differ=("flags",),
    may_differ_reason="another compiler",
)


def test_tolerances_read_back_as_they_were_written(tmp_path):
    (tmp_path / "t.toml").write_text(tolerances.render(ALL))
    assert tolerances.load(tmp_path / "t.toml") == ALL


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("schema = 2\n", 1, "'schema' must be 1"),
        ('schema = 1\nmode = "lax"\n', 2, "'mode' must be one of"),
        ('schema = 1\nmay_differ = ["flags"]\n', 2, "needs a 'reason'"),
        ('schema = 1\n[[ignore]]\nvariable = "q"\n', 3, "has no reason"),
        ('schema = 1\n[[tolerance]]\nvariable = "q"\ncheck = "eye"\n', 4, "'check' must be"),
        (
            'schema = 1\n[[tolerance]]\nvariable = "q"\ncheck = "run"\nreason = "r"\n'
            '[[tolerance]]\nvariable = "p"\ncheck = "run"\nabs = -1\nreason = "r"\n',
            9,
            "must be a number that is not negative",
        ),
    ],
)
def test_a_file_of_tolerances_is_refused_at_its_line(tmp_path, text, line, words):
    (tmp_path / "t.toml").write_text(text)
    with pytest.raises(Problem, match=words) as caught:
        tolerances.load(tmp_path / "t.toml")
    assert caught.value.where is not None and caught.value.where.line == line


@pytest.mark.needs("git")
def test_who_loosened_what_is_told_against_the_commit_before(tmp_path):
    path = tmp_path / "tolerances.toml"
    git = ["git", "-c", "user.name=Ann", "-c", "user.email=a@b", "-C", str(tmp_path)]

    def commit(entry):
        told = Tolerances(Mode.TOLERANCE, (entry,))
        path.write_text(tolerances.render(told))
        subprocess.run([*git, "add", "-A"], check=True)
        subprocess.run([*git, "commit", "-qm", "x"], check=True)

    assert loosened(path, None, tmp_path / "scratch") == ()
    subprocess.run([*git, "init", "-q"], check=True)
    commit(Tolerance("q", Check.RUN, 1e-9, "r"))
    assert loosened(path, None, tmp_path / "scratch") == ()
    commit(Tolerance("q", Check.RUN, 1e-7, "r"))
    (one,) = loosened(path, None, tmp_path / "scratch")
    assert (one.what, one.before) == ("q (run)", "abs 1e-09")
    assert one.after == "abs 1e-07, 100 times as much"
    assert one.who.startswith("Ann, ")
    path.write_text(path.read_text().replace('mode = "tolerance"', 'mode = "statistical"'))
    (one,) = loosened(path, None, tmp_path / "scratch")
    assert (one.what, one.after, one.who) == ("mode", "statistical", "")
    both = {one.what for one in loosened(path, "HEAD~1", tmp_path / "scratch")}
    assert both == {"mode", "q (run)"}


def test_contents_that_were_changed_are_refused(tmp_path):
    name = objects.put(tmp_path, b"state")
    assert objects.get(tmp_path, name) == b"state"
    path = tmp_path / name[:2] / name[2:]
    for damage in (b"", b"version https://git-lfs.github.com/spec/v1", path.read_bytes()[:-1]):
        path.write_bytes(damage)
        with pytest.raises(Problem):
            objects.get(tmp_path, name)
    assert objects.sweep(tmp_path, set()) > 0
    with pytest.raises(Problem, match="not whole"):
        objects.get(tmp_path, name)


def times(gauge, **kernels):
    told = {name: (s, 1.02 * s, 1.1 * s) for name, s in kernels.items()}
    told[WHOLE] = tuple(map(sum, zip(*told.values(), strict=True)))
    return Times("p", (gauge,), tuple(KernelTime(n, s) for n, s in told.items()))


def slower(now, before):
    return [ratio.name for ratio in ratios(before, now) if ratio.slower]


BEFORE = times(1.0, a=1.0, b=2.0, c=3.0, d=0.001)


def test_one_kernel_that_is_slower_is_named_on_a_machine_of_any_speed():
    assert slower(times(1.0, a=1.3, b=2.0, c=3.0, d=0.001), BEFORE) == ["a"]
    assert slower(times(2.0, a=2.6, b=4.0, c=6.0, d=0.002), BEFORE) == ["a"]


def test_a_slower_machine_noise_and_what_takes_no_time_are_not_slower():
    assert slower(times(3.0, a=3.0, b=6.0, c=9.0, d=0.003), BEFORE) == []
    assert slower(times(1.0, a=1.08, b=2.0, c=3.0, d=0.001), BEFORE) == []
    assert slower(times(1.0, a=1.0, b=2.0, c=3.0, d=0.02), BEFORE) == []


def test_all_kernels_slower_is_told_of_the_whole_run():
    assert slower(times(1.0, a=1.5, b=3.0, c=4.5, d=0.001), BEFORE) == [WHOLE]
