"""What optimisation alone changes in the original excuses the same in a port, and nothing else."""

import numpy as np
import pytest

from acclimate.verifier.comparing.baseline import measure_noise
from acclimate.verifier.comparing.comparison import Outputs, compare
from acclimate.verifier.outputs import Field


def outputs(**values: float | bytes) -> Outputs:
    return Outputs(
        {
            name: Field(
                np.frombuffer(value, np.uint8) if isinstance(value, bytes) else np.array([value])
            )
            for name, value in values.items()
        }
    )


PLAIN = outputs(rough=1.0, exact=1.0, raw=b"\1\2", words=1.0)
UNOPTIMISED = outputs(rough=1.001, exact=1.0, raw=b"\1\2", words=1.0)


@pytest.mark.parametrize(
    ("port", "excused"),
    [
        (outputs(rough=1.002, exact=1.0, raw=b"\1\2", words=1.0), True),
        (outputs(rough=1.1, exact=1.0, raw=b"\1\2", words=1.0), False),
        (outputs(rough=1.0, exact=1.001, raw=b"\1\2", words=1.0), False),
        (outputs(rough=1.002, exact=1.0, raw=b"\1\3", words=1.0), False),
        (outputs(rough=1.002, exact=1.0, words=1.0), False),
    ],
)
def test_a_variable_is_excused_by_its_own_noise_only(port, excused):
    noise = measure_noise(PLAIN, PLAIN, UNOPTIMISED)
    assert not noise.stable
    assert noise.excuses(compare(PLAIN, port)) is excused


def test_where_more_than_numbers_differs_nothing_is_excused():
    noise = measure_noise(PLAIN, PLAIN, outputs(rough=1.001, exact=1.0, raw=b"\1\3", words=1.0))
    assert noise.relative == float("inf")
    assert not noise.excuses(compare(PLAIN, outputs(rough=1.0001, exact=1.0, raw=b"\1\2", words=1)))
