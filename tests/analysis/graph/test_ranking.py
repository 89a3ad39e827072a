"""The portability ranking: its parts, their order, and profiles."""

import pytest

from acclimate.analysis.facts import CallWeight, ProcedureFacts
from acclimate.analysis.graph.call_frequency import frequencies
from acclimate.analysis.graph.profile import Profile, read_profile
from acclimate.analysis.graph.ranking import file_of, module_of, rank_groups, rank_procedures
from acclimate.analysis.problems import Problem
from acclimate.analysis.source import Lines


def procedure(unit, work=10.0, open_work=0.0, calls=(), **other):
    given = {
        "kind": "subroutine", "at": Lines("a.f90", 1, 1), "end": Lines("a.f90", 9, 9),
        "statements": 10, "loops": 1, "device_work": 0.0, "unknown_loops": 0, "opaque": 0,
        "jumps": 0, "io": 0, "aliases": 0, "externals": 0, "bound": False,
    }  # fmt: skip
    weights = tuple(CallWeight(*call) for call in calls)
    return ProcedureFacts(
        unit=unit, work=work, open_work=open_work, calls=weights, **(given | other)
    )


def test_how_often_a_procedure_is_called():
    found = frequencies(
        [
            procedure("p", kind="program", calls=[("a", 10.0, 10.0), ("b", 1.0, 0.0)]),
            procedure("a", calls=[("b", 5.0, 0.0)]),
            procedure("b", calls=[("b", 7.0, 0.0)]),
            procedure("dead", calls=[("b", 1000.0, 0.0)]),
        ]
    )
    assert (found["a"].calls, found["a"].open_calls) == (10, 10)
    assert (found["b"].calls, found["b"].open_calls) == (51, 50)
    assert found["dead"].calls == 0


def test_a_score_is_a_share_of_the_time_that_is_open_and_clear():
    ranks = rank_procedures(
        [
            procedure("p", kind="program", work=0.0, calls=[("a", 1.0, 0.0), ("b", 3.0, 0.0)]),
            procedure("a", work=25.0, open_work=25.0),
            procedure("b", work=25.0, open_work=25.0, io=1),
        ]
    )
    first, second, last = ranks
    assert (first.name, first.share, first.open, first.clarity) == ("b", 0.75, 1.0, 0.5)
    assert first.score == pytest.approx(0.375)
    assert first.doubts == (("I/O", 1),)
    assert (second.name, second.score) == ("a", pytest.approx(0.25))
    assert (last.name, last.score) == ("p", 0.0)


def test_a_callee_in_a_parallel_loop_is_open_and_what_is_on_a_device_is_not():
    ranks = rank_procedures(
        [
            procedure("p", kind="program", calls=[("a", 4.0, 3.0), ("c", 1.0, 1.0)]),
            procedure("a"),
            procedure("c", device_work=10.0),
        ]
    )
    assert {rank.name: rank.open for rank in ranks} == {"p": 0.0, "a": 0.75, "c": 0.0}


def test_unread_statements_weigh_more_than_output():
    one, other = (
        rank_procedures([procedure("p", kind="program", open_work=10.0, **doubt)])[0].clarity
        for doubt in ({"io": 1}, {"opaque": 1})
    )
    assert one > other


def test_seconds_take_the_place_of_static_work():
    procedures = [
        procedure("p", kind="program", calls=[("a", 1.0, 0.0), ("b", 1.0, 0.0)]),
        procedure("a", work=1e6, open_work=1e6),
        procedure("b", work=1.0, open_work=1.0),
    ]
    ranks = rank_procedures(procedures, Profile({"a": 1.0, "b": 3.0}, ()))
    assert [(rank.name, rank.share) for rank in ranks] == [("b", 0.75), ("a", 0.25), ("p", 0.0)]


def test_groups_add_up():
    ranks = rank_procedures(
        [
            procedure("p", kind="program", work=0.0, calls=[("m::a", 1, 0), ("m::b", 1, 0)]),
            procedure("m::a", open_work=10.0),
            procedure("m::b", at=Lines("b.f90", 3, 3), io=2),
        ]
    )
    modules = {group.name: group for group in rank_groups(ranks, module_of)}
    assert (modules["m"].procedures, modules["m"].open, modules["m"].score) == (2, 0.5, 0.5)
    assert modules["m"].doubts == (("I/O", 2),)
    assert {group.name for group in rank_groups(ranks, file_of)} == {"a.f90", "b.f90"}


NAMES = [
    ("model", "program"),
    ("flux::step", "subroutine"),
    ("tridag", "subroutine"),
    ("flux::step::inner", "function"),
    ("a::twin", "function"),
    ("b::twin", "function"),
]
GPROF = """Flat profile:

Each sample counts as 0.01 seconds.
  %   cumulative   self              self     total
 time   seconds   seconds    calls  ms/call  ms/call  name
 50.00      0.50     0.50     7208     0.07     0.07  __flux_MOD_step
 20.00      0.70     0.20                             tridag_
 10.00      0.80     0.10        1   100.00   100.00  MAIN__
 10.00      0.90     0.10      100     1.00     1.00  inner.1234
 10.00      1.00     0.05      100     1.00     1.00  __flux_MOD_step.constprop.0
 10.00      1.00     0.05      100     1.00     1.00  memcpy

 %         the percentage of the total running time of the
"""


def test_gprof_names_are_those_of_the_compiler(tmp_path):
    (tmp_path / "flat.txt").write_text(GPROF)
    found = read_profile(tmp_path / "flat.txt", NAMES)
    assert found.seconds == {
        "flux::step": pytest.approx(0.55), "tridag": 0.2, "model": 0.1, "flux::step::inner": 0.1
    }  # fmt: skip
    assert found.unknown == (("memcpy", 0.05),)


def test_a_table_of_seconds(tmp_path):
    (tmp_path / "t.csv").write_text(
        "procedure,seconds\n# from a timer\nflux::step, 1.5\ntwin,1\nflux_mp_step_,0.5\n"
    )
    found = read_profile(tmp_path / "t.csv", NAMES)
    assert found.seconds == {"flux::step": 2.0}
    assert found.unknown == (("twin", 1.0),)


@pytest.mark.parametrize(
    ("text", "words"),
    [("a,1\nb,fast\n", "no row of a profile"), ("sin,1\n", "names no procedure"), ("", "names no")],
)
def test_what_is_no_profile_is_a_problem(tmp_path, text, words):
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(Problem, match=words):
        read_profile(tmp_path / "t.csv", NAMES)


def test_a_profile_that_is_not_there_is_a_problem(tmp_path):
    with pytest.raises(Problem, match="cannot read"):
        read_profile(tmp_path / "none", NAMES)
