"""No prompt, header, footer or message loses a word, on a small screen and on a smaller one."""

import pytest
from driving import SMALL, ended, played, press, text, typed

WATER, MAIN = "src/water.f90", "src/pond.f90"
TINY = (60, 15)
ASKING = {SMALL: ("clsiAx?ftv/", "xthwd/"), TINY: ("c", "t")}  # keys, on either screen
THEN = {"h": ("parallel", "2027-01-31"), "w": ("host_run", "2027-01-31")}  # further questions


def cut(app):
    """What is not to be seen in whole, of everything in front that does not scroll."""
    rows = text(app).splitlines()
    lost = []
    for widget in app.screen.query("Static, KeyLine"):
        if widget.id in ("legend", "found") or not widget.display:
            continue
        at = widget.content_region
        seen = "".join(row[at.x : at.right] for row in rows[at.y : at.bottom])
        told = str(widget.render())
        if "".join(seen.split()) != "".join(told.split()):
            lost.append((told, seen))
    return lost


@pytest.mark.parametrize("size", [SMALL, TINY])
def test_nothing_of_any_question_header_footer_or_message_is_cut(ported, session, size):
    ported.decide(session, MAIN, "reject")
    found = [ported.failing(WATER, check=c) for c in ("redundant_statements", "discrete_memory")]
    ported.verified(session, "reject", more=[*found, ported.failing(MAIN)])
    session.note(WATER, "", "shorter")

    async def opened(pilot, app, key):
        await press(pilot, {"?": "question_mark", "/": "slash"}.get(key, key))
        assert not cut(app), key
        for line in THEN.get(key, ()):
            await typed(pilot, line)
            assert not cut(app), (key, line)
        if key == "v":
            await ended(pilot, app)
        else:
            await press(pilot, "escape")
        assert not cut(app), f"after {key}"

    async def script(pilot, app):
        assert not cut(app)
        for key in ASKING[size][0]:
            await opened(pilot, app, key)
        await press(pilot, "g")
        assert not cut(app)
        await press(pilot, "escape", "home", "enter")
        for key in ASKING[size][1]:
            await opened(pilot, app, key)

    played(session, script, size)
