"""Saved states: which are replayed, and what a step from one must not leave out."""

import numpy as np
import pytest

from acclimate.analysis.problems import Problem
from acclimate.verifier.gate.bench import SavedState
from acclimate.verifier.gate.ensemble import check_members, perturbed, variations
from acclimate.verifier.gate.judging import Finding
from acclimate.verifier.gate.replay import Replay, broken_off, check_exact, chosen_states
from acclimate.verifier.outputs import Field
from acclimate.verifier.toolchains import toolchain

FIELD = Field(np.array([1.0, 2.0]))
OTHER = Field(np.array([1.0, 2.5]))
STATE = SavedState("s_1.npy", 1, b"")


def states(*steps):
    return [SavedState(f"s_{step}", step, b"") for step in steps]


def test_states_whose_next_step_is_not_saved_are_not_replayed():
    assert [s.step for s in chosen_states(states(1, 2, 5, 8, 9))] == [1, 8]
    assert chosen_states(states(3)) == ()


def test_many_states_are_thinned_out_evenly_from_first_to_last():
    chosen = [s.step for s in chosen_states(states(*range(101)), 5)]
    assert chosen == [0, 25, 50, 74, 99]


def test_a_step_that_crashes_or_leaves_a_variable_out_fails():
    rows = broken_off(
        [
            Replay(STATE, {"q": FIELD}, {}, "it crashed"),
            Replay(STATE, {"q": FIELD, "t": FIELD}, {"t": FIELD}),
            Replay(STATE, {"q": FIELD}, {"q": FIELD}),
        ],
        {"q", "t"},
    )
    assert [(row.variable, row.finding, row.step) for row in rows] == [
        ("", Finding.FAILS, 2),
        ("q", Finding.FAILS, 2),
    ]


@pytest.mark.parametrize("candidate", [{}, {"q": OTHER}])
def test_a_state_that_is_not_whole_is_refused(candidate):
    with pytest.raises(Problem, match="does not go on from s_1.npy as it did"):
        check_exact([Replay(STATE, {"q": FIELD}, candidate)])


def test_members_that_do_not_differ_measure_nothing():
    same, other = (
        Replay(STATE, {"q": FIELD}, {"q": FIELD}),
        Replay(STATE, {"q": FIELD}, {"q": OTHER}),
    )
    with pytest.raises(Problem, match="the same as the reference"):
        check_members({1: [same]})
    with pytest.raises(Problem, match="the same as member 1"):
        check_members({1: [other], 2: [other]})
    check_members({1: [other]})


def saved(path, **fields):
    np.savez(path, **fields)
    return SavedState(path.name, 3, path.read_bytes())


def test_a_member_is_one_unit_in_the_last_place_off_in_prognostic_fields_only(tmp_path):
    values = np.linspace(-1.0, 1.0, 101).astype(np.float32)
    state = saved(tmp_path / "s_3.npz", q=values, diag=values, n=np.int32([4]))
    other = perturbed(state, ["*:q"], 7, tmp_path / "scratch")
    (tmp_path / "o.npz").write_bytes(other.content)
    told = np.load(tmp_path / "o.npz")
    assert told["diag"].tobytes() == values.tobytes()
    off = np.abs(told["q"] - values) / np.spacing(np.abs(values))
    assert set(np.unique(off[values != 0])) == {0.0, 1.0}
    assert told["q"][values == 0].tolist() == [0.0]
    assert perturbed(state, ["*:q"], 7, tmp_path / "scratch").content is not state.content


def test_a_state_without_prognostic_fields_is_refused(tmp_path):
    state = saved(tmp_path / "s_3.npz", q=np.ones(3))
    with pytest.raises(Problem, match=r"no variable of s_3.npz is prognostic"):
        perturbed(state, ["theta"], 1, tmp_path / "scratch")


def test_fused_multiply_add_is_only_built_for_where_there_is_one():
    names = [v.name for v in variations(toolchain("gfortran"), frozenset())]
    assert names == ["O0", "O3"]
    (fused,) = [v for v in variations(toolchain("gfortran"), frozenset({"fma"})) if v.name == "FMA"]
    assert fused.toolchain.always[-1] == "-ffp-contract=fast"
    assert "-ffp-contract=off" not in fused.toolchain.always
