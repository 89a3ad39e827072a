from acclimate.analysis.problems import Kind, Problem
from acclimate.analysis.source import Span


def test_a_problem_points_at_the_smallest_wrong_thing(tmp_path):
    source = tmp_path / "flux.f90"
    source.write_text("do k = 2, nz\n  flux(k) = flux(k-1) + dz(k)\nend do\n")
    problem = Problem(
        "cannot offload this nest: iteration 'k' needs the result of 'k-1'.",
        where=Span(source, 2, 13, 9),
        notes=("'flux' carries a flow dependence with distance 1 on loop 'k'.",),
        hint="offload an enclosing column loop and keep 'k' sequential.",
    )
    assert problem.render() == (
        f"{source}:2:13: error: "
        "cannot offload this nest: iteration 'k' needs the result of 'k-1'.\n"
        "  |\n"
        "2 |   flux(k) = flux(k-1) + dz(k)\n"
        "  |             ^^^^^^^^^\n"
        "note: 'flux' carries a flow dependence with distance 1 on loop 'k'.\n"
        "hint: offload an enclosing column loop and keep 'k' sequential."
    )


def test_a_problem_without_a_place_or_a_readable_file_still_speaks(tmp_path):
    assert Problem("no compiler", kind=Kind.ENVIRONMENT).render() == "error: no compiler"
    gone = Problem("gone", where=Span(tmp_path / "gone.f90", 7))
    assert gone.render() == f"{tmp_path / 'gone.f90'}:7:1: error: gone"
