"""Problems of reading, counted by cause."""

from acclimate.analysis.causes import Cause, causes
from acclimate.analysis.facts import ReadingProblem
from acclimate.analysis.index import index_project, to_json
from acclimate.analysis.source import Lines
from acclimate.analysis.tree.manifest import load_manifest


def test_names_do_not_tell_causes_apart_and_a_place_counts_once():
    a, b, c = Lines("a.f", 1, 1), Lines("a.f", 9, 9), Lines("b.f", 1, 1)
    found = causes(
        [
            ReadingProblem(a, "the structure of subroutine 'p' was not understood"),
            ReadingProblem(b, "syntax not understood"),
            ReadingProblem(c, "the structure of subroutine 'q' was not understood"),
            ReadingProblem(c, "the structure of subroutine 'q' was not understood"),
        ]
    )
    assert found == (
        Cause("the structure of subroutine '...' was not understood", 2, 2, a),
        Cause("syntax not understood", 1, 1, b),
    )
    assert causes([]) == ()


def test_they_stand_in_the_index(tmp_path):
    (tmp_path / "m.f90").write_text("subroutine s\nx = = 1\nsync all\ny = = 2\nend subroutine\n")
    index = index_project(load_manifest(tmp_path / "m.f90"))
    assert to_json(index)["causes"] == [
        {"reason": "syntax not understood", "places": 2, "files": 1},
        {"reason": "not analysed: coarray statement", "places": 1, "files": 1},
    ]
