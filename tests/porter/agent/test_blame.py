"""A line of the port leads to the unit of the original it belongs to."""

from hypothesis import given
from hypothesis import strategies as st

from acclimate.analysis.source import Edit, Lines, apply_edits
from acclimate.porter.agent.artefacts import SurveyedUnit
from acclimate.porter.agent.blame import LineMap, findings, unit_at
from acclimate.verifier.evidence import AGAIN, Evidence, Light, Outcome

UNITS = (
    SurveyedUnit("m", "module", Lines("a.f90", 1, 1), Lines("a.f90", 20, 20)),
    SurveyedUnit("m::s", "subroutine", Lines("a.f90", 5, 6), Lines("a.f90", 10, 10)),
    SurveyedUnit("m::t", "subroutine", Lines("a.f90", 12, 12), Lines("a.f90", 19, 19)),
)


def evidence(outcome, file=None, line=None):
    return Evidence("stale-read", Light.DATA, outcome, "'u' is stale", file=file, line=line)


def test_a_line_outside_every_unit_belongs_to_none():
    assert unit_at(UNITS, "a.f90", 21) is None
    assert unit_at(UNITS, "b.f90", 6) is None


def test_a_line_belongs_to_the_innermost_unit():
    assert [unit_at(UNITS, "a.f90", line) for line in (1, 5, 10, 11, 19)] == [
        "m", "m::s", "m::s", "m", "m::t",
    ]  # fmt: skip


def test_no_author_hears_the_command_with_the_user_s_paths():
    shown = Evidence(
        "replay", Light.NUMERICS, Outcome.FAILS, f"differs{AGAIN}replay /home/me/model"
    )
    (told,) = findings([shown], UNITS, lambda file: LineMap(b"", []))[""]
    assert told == "replay: differs"


def test_only_failures_are_blamed_and_those_without_a_line_blame_nobody():
    original = b"".join(b"line %d\n" % n for n in range(1, 21))
    edits = [Edit("a.f90", 3, 2, ("!$acc one", "!$acc two"))]
    found = findings(
        [
            evidence(Outcome.FAILS, "a.f90", 8),
            evidence(Outcome.FAILS),
            evidence(Outcome.HOLDS, "a.f90", 15),
            evidence(Outcome.INCONCLUSIVE, "a.f90", 15),
        ],
        UNITS,
        lambda file: LineMap(original, edits),
    )
    assert found == {
        "m::s": ("a.f90:6: stale-read: 'u' is stale",),
        "": ("stale-read: 'u' is stale",),
    }


def test_a_changed_line_maps_to_what_it_replaced_and_directives_before_it_too():
    original = b"do i = 1, n\n  a(i) = 1\nend do\n"
    edits = [
        Edit("a.f90", 2, 1, ("!$acc atomic",)),
        Edit("a.f90", 2, 2, ("  a(i) = 2",)),
        Edit("a.f90", 4, 3, ("!$acc end",)),
    ]
    lines = LineMap(original, edits)
    assert [lines.original(line) for line in range(1, 7)] == [1, 2, 2, 3, 4, 4]


def test_neighbouring_statements_that_become_alike_loops_keep_their_own_lines():
    original = b"u = 0\nv = 0\nw = 0\n"
    loop = ("!$acc parallel loop", "do i = 1, n", "end do")
    lines = LineMap(original, [Edit("a.f90", n, n, loop) for n in (1, 2, 3)])
    assert [lines.original(line) for line in range(1, 10)] == [1, 1, 1, 2, 2, 2, 3, 3, 3]


@given(st.lists(st.tuples(st.integers(1, 41), st.integers(1, 3)), max_size=6))
def test_every_kept_line_maps_to_itself_whatever_was_inserted(insertions):
    original = b"".join(b"  a(%d) = b(%d)\n" % (n, n) for n in range(1, 41))
    edits = [
        Edit("a.f90", at, at - 1, tuple(f"!$acc {at} {k}" for k in range(count)))
        for at, count in insertions
    ]
    port = apply_edits(original, edits)
    lines = LineMap(original, edits)
    for number, line in enumerate(port.split(b"\n")[:-1], 1):
        if line.startswith(b"  a("):
            assert original.split(b"\n")[lines.original(number) - 1] == line
        else:
            following = int(line.split()[1])
            assert lines.original(number) == following
