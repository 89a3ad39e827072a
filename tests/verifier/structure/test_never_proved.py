"""Pairs of an original and a port that reading once proved the same; none may be proved again.

Nearly all give other results; the few that do not cost a run and no more. Each file holds both
texts, the second behind a line `! port`, and may name the frame that both stand in.
"""

from pathlib import Path

import pytest

from acclimate.verifier.evidence import Outcome

HERE = Path(__file__).parent
PAIRS = sorted((HERE / "never_proved").iterdir())


def whole(frame: str, body: str) -> str:
    if not frame:
        return body
    text = (HERE / "never_proved_frames" / f"{frame}.f90").read_text()
    return text.replace("! body", body.rstrip("\n"))


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.stem)
def test_reading_alone_never_proves(pair, sources, outcomes):
    text, frame = pair.read_text(), ""
    if text.startswith("! frame "):
        first, text = text.split("\n", maxsplit=1)
        frame = first.removeprefix("! frame ")
    was, now = text.split("! port\n")
    found = outcomes(sources(whole(frame, was), whole(frame, now)))
    assert found
    assert Outcome.HOLDS not in found
