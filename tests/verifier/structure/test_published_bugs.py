"""Four kinds of bug that a published port let through, made again in the sample model.

None is a change of directives alone, each stands among right restructuring, and each is found by
reading, with file and line. A right version of the same rewrite beside it is not rejected.
"""

from acclimate.verifier.evidence import Outcome

TRIDAG = [
    ("      DOUBLE PRECISION BET\n", "      DOUBLE PRECISION BET, GK\n"),
    ("      DO 10 K = K1 + 1, K2\n", "      DO K = K1 + 1, K2\n"),
    (
        "        G(K) = C(K-1)/BET\n        BET = B(K) - A(K)*G(K)\n",
        "        GK = C(K-1)/BET\n        BET = B(K) - A(K)*GK\n",
    ),
    ("   10 CONTINUE\n", "      END DO\n"),
]
RIGHT_TRIDAG = [*TRIDAG[:2], (TRIDAG[2][0], TRIDAG[2][1] + "        G(K) = GK\n"), TRIDAG[3]]


def test_an_array_update_dropped_in_the_tridiagonal_solver(sample, wrong):
    found = sample("src/tridag.f", TRIDAG)
    (failed,) = [e for e in found if e.outcome is Outcome.FAILS]
    assert (failed.file, failed.line) == ("src/tridag.f", 12)
    assert failed.message == (
        "update dropped: 'g(k) = c(k - 1)/bet' is gone (at src/tridag.f:14 of the original)"
    )


def test_the_same_solver_with_its_update_is_not_rejected(sample, wrong):
    assert wrong(sample("src/tridag.f", RIGHT_TRIDAG)) == []


SWAP = """\
            below = rq(k)*vt(k)
            rq(k) = rq(k) + dts*rdz*(above - below)
            above = below
"""


def test_a_rotation_of_three_copied_onto_single_assignments(sample, wrong):
    port = """\
            rq(k) = rq(k) + dts*rdz*(above - rq(k)*vt(k))
            above = rq(k)*vt(k)
"""
    found = sample("src/microphysics.F90", [(SWAP, port)])
    assert wrong(found) == [("value of before, or of after, its change", 56)]
    (failed,) = [e for e in found if e.outcome is Outcome.FAILS]
    assert "the original means 'rq' of before its change" in failed.message
    assert "src/microphysics.F90:57 of the original" in failed.message


def test_the_same_rotation_with_another_scalar_is_proved(sample, wrong):
    port = SWAP.replace("below", "vmax")  # another scalar that is free here
    found = sample("src/microphysics.F90", [(SWAP, port)])
    assert wrong(found) == []


def test_a_case_of_a_branch_missing(sample, wrong):
    found = sample(
        "src/turbulence.f90",
        [
            (
                "          else if (ri > 0.0_wp) then\n"
                "            func = (1.0_wp - ri/ric)*(1.0_wp - ri/ric)\n",
                "",
            )
        ],
    )
    (failed,) = [e for e in found if e.outcome is Outcome.FAILS]
    assert (failed.file, failed.line) == ("src/turbulence.f90", 62)
    assert "'func = sqrt(1.0_wp - 16.0_wp*ri)'" in failed.message


def test_terms_dropped_and_signs_flipped_in_a_flux(sample, wrong):
    found = sample(
        "src/advection.F90",
        [
            (
                "    f = vel*(37.0_wp*(q4 + q3) - 8.0_wp*(q5 + q2) + (q6 + q1)) &\n"
                "        - abs(vel)*((q6 - q1) - 5.0_wp*(q5 - q2) + 10.0_wp*(q4 - q3))\n"
                "    f = f/60.0_wp\n",
                "    f = (vel*(37.0_wp*(q4 + q3) - 8.0_wp*(q5 + q2)) &\n"
                "        + abs(vel)*((q6 - q1) - 5.0_wp*(q5 - q2) + 10.0_wp*(q4 - q3)))/60.0_wp\n",
            ),
            (
                "- kx*(rho(i, j, k) + rho(i - 1, j, k))*(q(i, j, k) - q(i - 1, j, k))",
                "- kx*rho(i, j, k)*(q(i, j, k) - q(i - 1, j, k))",
            ),
            (
                "- ky*(rho(i, j, k) + rho(i, j - 1, k))*(q(i, j, k) - q(i, j - 1, k))",
                "- ky*(rho(i, j, k) + rho(i, j - 1, k))*(q(i, j, k) + q(i, j - 1, k))",
            ),
        ],
    )
    assert ("term dropped", 52) in wrong(found)
    assert ("sign or operator changed", 61) in wrong(found)


UPPER = (
    "          if (k < nz) up = 0.5_wp*dt*rdz*rdz*km(i, j, k + 1)"
    "*(rho(i, j, k) + rho(i, j, k + 1))\n"
)


def test_a_branch_condition_lost_at_a_boundary(sample, wrong):
    port = UPPER.replace("if (k < nz) ", "")
    found = sample("src/turbulence.f90", [(UPPER, port)])
    assert set(wrong(found)) == {("guard dropped", 104)}


def test_the_same_condition_written_as_a_block_is_proved(sample, wrong):
    port = UPPER.replace("if (k < nz) up", "if (k < nz) then\n            up")
    found = sample("src/turbulence.f90", [(UPPER, port + "          end if\n")])
    assert {e.outcome for e in found} == {Outcome.HOLDS}
