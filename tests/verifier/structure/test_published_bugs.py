"""Four kinds of bug that a published port let through, made again in the sample model.

None is a change of directives alone, each stands among right restructuring, and each is found by
reading, with file and line. A right version of the same rewrite beside it is not rejected.
"""

from acclimate.verifier.evidence import Outcome


def test_an_array_update_dropped_in_the_tridiagonal_solver(sample, published):
    found = sample(*published("update dropped"))
    (failed,) = [e for e in found if e.outcome is Outcome.FAILS]
    assert (failed.file, failed.line) == ("src/tridag.f", 12)
    assert failed.message == (
        "update dropped: 'g(k) = c(k - 1)/bet' is gone (at src/tridag.f:14 of the original)"
    )


def test_the_same_solver_with_its_update_is_not_rejected(sample, published, wrong):
    assert wrong(sample(*published("update kept"))) == []


def test_a_rotation_of_three_copied_onto_single_assignments(sample, published, wrong):
    found = sample(*published("rotation copied"))
    assert wrong(found) == [("value of before, or of after, its change", 56)]
    (failed,) = [e for e in found if e.outcome is Outcome.FAILS]
    assert "the original means 'rq' of before its change" in failed.message
    assert "src/microphysics.F90:57 of the original" in failed.message


def test_the_same_rotation_with_another_scalar_is_proved(sample, published, wrong):
    assert wrong(sample(*published("rotation with another scalar"))) == []


def test_a_case_of_a_branch_missing(sample, published):
    found = sample(*published("case missing"))
    (failed,) = [e for e in found if e.outcome is Outcome.FAILS]
    assert (failed.file, failed.line) == ("src/turbulence.f90", 63)
    assert "'func = sqrt(1.0_wp - 16.0_wp*ri)'" in failed.message


def test_terms_dropped_and_signs_flipped_in_a_flux(sample, published, wrong):
    found = sample(*published("terms dropped"))
    assert ("term dropped", 52) in wrong(found)
    assert ("sign or operator changed", 61) in wrong(found)


def test_a_branch_condition_lost_at_a_boundary(sample, published, wrong):
    assert set(wrong(sample(*published("condition lost")))) == {("guard dropped", 105)}


def test_the_same_condition_written_as_a_block_is_proved(sample, published):
    found = sample(*published("condition as a block"))
    assert {e.outcome for e in found} == {Outcome.HOLDS}
