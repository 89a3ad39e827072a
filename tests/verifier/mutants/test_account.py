"""Who is killed, who is alive, and what that says."""

from dataclasses import replace

import pytest

from acclimate.analysis.source import Lines
from acclimate.verifier.mutants.account import Standing, account, standing
from acclimate.verifier.mutants.campaign import Tried
from acclimate.verifier.mutants.mutant import Family, Mutant
from acclimate.verifier.mutants.trial import Excuse, Fate, Rungs, Trial

FAULT = Mutant(
    "drop_atomic", Family.DIRECTIVE, Lines("a.f90", 3, 3), "s", "gone", ("!$acc atomic",), ()
)
EQUIVALENT = replace(FAULT, operator="collapse_less", equivalent="runs in order")
UNUSED = replace(FAULT, operator="data_kind", if_alive="nobody reads it")
KILLED = Trial(Fate.KILLED, "reject", 2.0, rung="static", check="clause_lint")
ALIVE = Trial(Fate.SURVIVED, "accept", 4.0)


def excused(excuse: Excuse) -> Trial:
    return replace(ALIVE, verdict="inconclusive", excuse=excuse)


@pytest.mark.parametrize(
    ("mutant", "trial", "reached", "rungs", "expected"),
    [
        (FAULT, KILLED, True, Rungs.ALL, Standing.KILLED),
        (FAULT, ALIVE, True, Rungs.ALL, Standing.SURVIVED),
        (FAULT, replace(ALIVE, verdict="inconclusive"), True, Rungs.ALL, Standing.SURVIVED),
        (FAULT, ALIVE, False, Rungs.ALL, Standing.NEVER_VALIDATED),
        (FAULT, ALIVE, True, Rungs.STATIC, Standing.OPEN),
        (EQUIVALENT, KILLED, True, Rungs.ALL, Standing.FALSE_ALARM),
        (EQUIVALENT, ALIVE, False, Rungs.STATIC, Standing.EQUIVALENT),
        (UNUSED, ALIVE, True, Rungs.ALL, Standing.UNUSED),
        (UNUSED, ALIVE, False, Rungs.ALL, Standing.NEVER_VALIDATED),
        (UNUSED, replace(ALIVE, verdict="inconclusive"), True, Rungs.ALL, Standing.SURVIVED),
        (UNUSED, KILLED, True, Rungs.ALL, Standing.KILLED),
        (FAULT, excused(Excuse.UNREACHED), True, Rungs.ALL, Standing.NEVER_VALIDATED),
        (FAULT, excused(Excuse.EQUAL_COPIES), True, Rungs.ALL, Standing.EQUAL_COPIES),
        (FAULT, excused(Excuse.EQUAL_COPIES), False, Rungs.ALL, Standing.NEVER_VALIDATED),
        (FAULT, excused(Excuse.SAME_VALUE), True, Rungs.ALL, Standing.EQUAL_VALUES),
        (FAULT, excused(Excuse.UNUSED), True, Rungs.ALL, Standing.UNUSED),
        (EQUIVALENT, replace(KILLED, fate=Fate.NOT_BUILT), True, Rungs.ALL, Standing.NOT_BUILT),
    ],
)
def test_what_a_trial_says(mutant, trial, reached, rungs, expected):
    assert standing(Tried(mutant, trial, reached), rungs) is expected


def test_the_rate_counts_faults_only():
    found = [
        Tried(FAULT, KILLED, True),
        Tried(FAULT, ALIVE, True),
        Tried(FAULT, ALIVE, False),
        Tried(EQUIVALENT, ALIVE, True),
    ]
    told = account(found, Rungs.ALL)
    assert [(row.operator, row.tried, row.rate, row.seconds) for row in told.rows] == [
        ("collapse_less", 1, None, 4.0),
        ("drop_atomic", 3, 0.5, 10.0),
    ]
    assert told.rate(Family.DIRECTIVE) == 0.5
    assert told.rate(Family.STATEMENT) is None
    assert told.rungs == (("static", "clause_lint", 1),)
    assert [s for _, s in told.shown] == [Standing.SURVIVED, Standing.NEVER_VALIDATED]
