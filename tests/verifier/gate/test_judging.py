"""Bits, points and statistics: what fails, what holds, and what could not tell."""

from dataclasses import replace

import numpy as np
import pytest

from acclimate.verifier.gate.baseline import Baseline, StepRecord, VariableRecord, level_key
from acclimate.verifier.gate.history import NO_STEP, History
from acclimate.verifier.gate.judging import Finding, pointwise, statistical, strict, structure
from acclimate.verifier.gate.settings import Settings
from acclimate.verifier.gate.statistics import by_level, count_nan, digest, statistics
from acclimate.verifier.gate.tolerances import Check, Tolerance, Tolerances
from acclimate.verifier.outputs import Field

SETTINGS = Settings("f", "m", (), (), (), (), (), ("q_*.npy",), {}, {})
VALUES = np.linspace(1.0, 2.0, 24).reshape(2, 3, 4)


def told(**fields):
    return History({name: dict(steps) for name, steps in fields.items()})


def baseline(history):
    variables = {
        name: VariableRecord(
            next(iter(steps.values())).values.dtype.str,
            next(iter(steps.values())).values.shape,
            next(iter(steps.values())).lower,
            {
                str(step): StepRecord(
                    digest(f), tuple(statistics(f.values).tolist()), count_nan(f.values)
                )
                for step, f in steps.items()
            },
        )
        for name, steps in history.fields.items()
    }
    return Baseline(1, "m", "", "", SETTINGS, variables, "")


def field(values=VALUES, **other):
    return Field(np.array(values), **other)


REFERENCE = told(q={1: field(), 2: field(VALUES + 1)})


def findings(rows):
    return [(row.check, row.finding, row.step) for row in rows]


def with_value(step, at, value):
    fields = {s: Field(f.values.copy()) for s, f in REFERENCE.fields["q"].items()}
    fields[step].values[at] = value
    return told(q=fields)


@pytest.mark.parametrize(
    ("candidate", "check", "words"),
    [
        (told(), "missing", "is no longer written"),
        (told(q={1: field()}), "missing", "not written at this step"),
        (told(q={**REFERENCE.fields["q"], 3: field()}), "extra", "at a step the baseline has not"),
        (told(q=REFERENCE.fields["q"], r={1: field()}), "extra", "not in the baseline"),
        (told(q={1: field(), 2: field(VALUES[:1])}), "shape", "from (2, 3, 4) to (1, 3, 4)"),
        (told(q={1: field(), 2: field(VALUES.astype("f4"))}), "type", "float64 to float32"),
        (told(q={1: field(), 2: field(VALUES, lower=(0, 1, 1))}), "shape", "changed its shape"),
        (with_value(2, (0, 0, 0), np.nan), "nan", "1 NaN in this run"),
    ],
)
def test_what_no_tolerance_excuses(candidate, check, words):
    names = REFERENCE.fields.keys() | candidate.fields.keys()
    (row,) = structure(baseline(REFERENCE), candidate, names, {1, 2})
    assert (row.check, row.finding) == (check, Finding.FAILS)
    assert words in row.message


def test_nan_on_both_sides_fails():
    both = with_value(1, (0, 0, 0), np.nan)
    (row,) = structure(baseline(both), both, {"q"}, {1, 2})
    assert "NaN in both runs" in row.message


def test_one_ulp_fails_in_strict_mode_at_its_place():
    candidate = with_value(2, (1, 2, 3), np.nextafter(3.0, 4.0))
    (row,) = strict(baseline(REFERENCE), REFERENCE, candidate, {"q"})
    assert (row.finding, row.step, row.place) == (Finding.FAILS, 2, "(2,3,4)")
    assert row.excess == np.inf


def test_other_bits_fail_where_the_reference_was_not_kept():
    candidate = with_value(2, (1, 2, 3), 9.0)
    (row,) = strict(baseline(REFERENCE), History({}), candidate, {"q"})
    assert (row.finding, row.step) == (Finding.FAILS, 2)


def test_the_same_bits_hold():
    (row,) = strict(baseline(REFERENCE), REFERENCE, REFERENCE, {"q"})
    assert (row.finding, row.values, row.steps) == (Finding.HOLDS, 48, 2)


def judged(candidate, entry, horizon=None, check=Check.RUN):
    allowed = Tolerances(entries=(entry,) if entry else ())
    return pointwise(check, REFERENCE.fields, candidate.fields, allowed, horizon)


ENTRY = Tolerance("q", Check.RUN, 1e-6, "a test")


@pytest.mark.parametrize(
    ("value", "entry", "finding"),
    [
        (3.0 + 2e-6, ENTRY, Finding.FAILS),
        (3.0 + 9e-7, ENTRY, Finding.HOLDS),
        (np.nan, ENTRY, Finding.FAILS),
        (np.inf, ENTRY, Finding.FAILS),
        (3.0 + 1e-15, None, Finding.FAILS),
        (3.0 + 2e-6, replace(ENTRY, rel=1e-6), Finding.HOLDS),
        (3.0 + 2e-6, replace(ENTRY, growth=1.0), Finding.HOLDS),
        (3.0 + 2e-6, replace(ENTRY, steps=(1, 1)), Finding.FAILS),
        (3.0 + 2e-6, replace(ENTRY, levels=(4, 4), abs=1e-5), Finding.HOLDS),
        (3.0 + 2e-6, replace(ENTRY, levels=(1, 3), abs=1e-5), Finding.FAILS),
        (3.5, replace(ENTRY, flips=1, flip_abs=1.0), Finding.HOLDS),
        (3.5, replace(ENTRY, flips=1, flip_abs=0.1), Finding.FAILS),
    ],
)
def test_points_against_a_tolerance(value, entry, finding):
    (row,) = judged(with_value(2, (1, 2, 3), value), entry)
    assert row.finding is finding


def test_more_flips_than_in_the_ensemble_fail():
    candidate = with_value(2, (1, 2, 3), 3.5)
    candidate.fields["q"][2].values[0, 0, 0] = 9.0
    (row,) = judged(candidate, replace(ENTRY, flips=1, flip_abs=100.0))
    assert row.finding is Finding.FAILS


def test_beyond_the_horizon_there_is_no_power_whatever_the_values():
    (row,) = judged(with_value(2, (1, 2, 3), 9.0), ENTRY, horizon=2)
    assert row.finding is Finding.HOLDS  # step 1 has power and holds
    (row,) = judged(with_value(1, (1, 2, 3), 9.0), ENTRY, horizon=1)
    assert row.finding is Finding.NO_POWER


def test_a_printed_number_may_be_rounded_the_other_way_in_its_last_digit():
    digit = np.array([0.01])
    before = {NO_STEP: Field(np.array([1.23]), last_digit=digit)}
    after = {NO_STEP: Field(np.array([1.24]), last_digit=digit)}
    allowed = Tolerances(entries=(replace(ENTRY, abs=1e-12),))
    (row,) = pointwise(Check.RUN, {"q": before}, {"q": after}, allowed, None)
    assert row.finding is Finding.HOLDS


def test_statistics_see_a_mean_that_moves_and_not_a_point_that_keeps_them():
    levels = {level_key("q", step): by_level(f.values) for step, f in REFERENCE.fields["q"].items()}
    entry = Tolerance("q", Check.STATISTICS, 1e-9, "a test")

    def rows(candidate):
        allowed = Tolerances(entries=(entry,))
        return statistical(baseline(REFERENCE), levels, candidate, {"q"}, allowed, None)

    assert rows(REFERENCE)[0].finding is Finding.HOLDS
    assert rows(with_value(2, (0, 1, 1), 2.9))[0].finding is Finding.FAILS
