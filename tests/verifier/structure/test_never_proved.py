"""An original and a port that may give other results, both in one file: never proved the same.

Each pair was once. The first text ends at the line `! port`.
"""

from pathlib import Path

import pytest

from acclimate.verifier.evidence import Outcome

PAIRS = sorted(Path(__file__).with_name("never_proved").iterdir())


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.stem)
def test_a_port_with_other_results_is_never_proved(pair, sources, outcomes):
    was, now = pair.read_text().split("! port\n")
    found = outcomes(sources(was, now))
    assert found
    assert Outcome.HOLDS not in found
