"""The screens as pictures, held to those that were looked at."""

import os
import re
from pathlib import Path

import pytest
from driving import SMALL, WIDE, played, press

PICTURES = Path(__file__).with_name("pictures")


def picture(app):
    """The screen as SVG, without what differs from run to run."""
    return re.sub(r"terminal-\d+", "terminal", app.export_screenshot())


@pytest.mark.parametrize(
    "name, size, colour, keys",
    [
        ("list", SMALL, False, ()),
        ("module", SMALL, True, ("enter", "a", "2")),
        ("side-by-side", WIDE, True, ("enter", "a", "2")),
        ("keys", SMALL, False, ("enter", "question_mark")),
    ],
)
def test_pictures(session, monkeypatch, name, size, colour, keys):
    if not colour:
        monkeypatch.setenv("NO_COLOR", "1")
    pictures = []

    async def script(pilot, app):
        await press(pilot, *keys)
        pictures.append(picture(app))

    played(session, script, size)
    path = PICTURES / f"{name}.svg"
    if os.environ.get("ACCLIMATE_PICTURES") == "renew":
        path.parent.mkdir(exist_ok=True)
        path.write_text(pictures[0])
    assert pictures[0] == path.read_text(), "renew with ACCLIMATE_PICTURES=renew, then look at it"
