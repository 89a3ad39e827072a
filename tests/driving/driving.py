"""The review driven by keys, for all tests of its screens."""

import asyncio
import sys

from textual.widgets import Input

from acclimate.workflows.reviewing.screens.app import ReviewApp
from acclimate.workflows.reviewing.screens.dialogs import Log

SMALL, WIDE = (80, 24), (160, 50)


def fake(line):
    """In place of a command that compiles: says what it was asked, slowly if it is to verify."""
    program = "import sys, time; print('asked:', sys.argv[1], flush=True)"
    if line.startswith("verify slow"):
        program += "; time.sleep(60)"
    return (sys.executable, "-S", "-c", program, line)


def played(session, script, size=SMALL, argv=fake, **options):
    """Run a script on a pilot of the review's app; returns the app."""
    app = ReviewApp(session, argv=argv, **options)

    async def run():
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await script(pilot, app)

    asyncio.run(run())
    return app


async def press(pilot, *keys):
    for key in keys:
        await pilot.press(key)
    await pilot.pause()


async def typed(pilot, text):
    """A line of text and enter, in the question in front."""
    pilot.app.screen.query_one(Input).value = text
    await press(pilot, "enter")


async def ended(pilot, app):
    """Wait for the command in front to end, and close its log; returns what it said."""
    log = app.screen
    assert isinstance(log, Log)
    for _ in range(400):
        if log.code is not None:
            break
        await pilot.pause(0.05)
    await pilot.pause()
    lines = [strip.text.strip() for strip in log.query_one("RichLog").lines]
    await press(pilot, "escape")
    return lines


def text(app):
    """What is on the screen, as lines of text."""
    width, height = app.size
    strips = app.screen._compositor.render_strips(app.size)
    return "\n".join(strip.text[:width].rstrip() for strip in strips[:height])
