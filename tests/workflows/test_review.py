"""`migrate --review`: it waits for a person, and goes on in this process or in another."""

import fcntl
import json
import os
import pty
import re
import select
import shutil
import struct
import sys
import termios
import time
from pathlib import Path

import jsonschema
import pytest
from chat_server import serving

from acclimate.workflows._exit import Exit

VALLEY = Path(__file__).parents[1] / "porter" / "reply" / "valley.f90"
GOOD = VALLEY.with_name("valley_reply.txt").read_text()
SCHEMA = Path(__file__).parents[2] / "workflows" / "schemas" / "report.schema.json"
NOTE = "say above each loop what it does"

pytestmark = [pytest.mark.gfortran, pytest.mark.slow]


def answering(text):
    """A behaviour of the server: this reply, with tokens that it counted."""

    def answer(call, body):
        call.begin()
        call.piece(text)
        call.piece(finish="stop")
        prompt = sum(len(message["content"]) for message in body["messages"])
        call.usage(prompt // 4, len(text) // 4)
        call.done()

    return answer


def reviewed(acclimate, model, *lines):
    words = [word for line in lines for word in ("-c", line)]
    return acclimate("review", model, "--reviewer", "Ada", *words)


def test_a_reviewers_note_reaches_the_model_and_the_next_port_lands_from_another_process(
    acclimate, tmp_path
):
    model, port = tmp_path / "valley.f90", tmp_path / "port"
    shutil.copy(VALLEY, model)
    loop = "    do i = 1, n\n      above"
    better = GOOD.replace(loop, f"    ! each column\n{loop}")
    with serving() as server:
        server.script = [answering(GOOD), answering(better)]
        author = ("--author", "both", "--model", "tiny", "--endpoint", server.url)
        waits = acclimate("migrate", model, "--out", port, "--review", *author)
        assert waits.returncode == Exit.INCONCLUSIVE, waits.stderr
        assert "waits for a review" in waits.stderr and not port.exists()
        again = reviewed(acclimate, model, f"note valley::sweep {NOTE}", "again")
        assert again.returncode == Exit.INCONCLUSIVE, again.stderr
        first, second = (body["messages"][1]["content"] for body in server.bodies)
        assert NOTE not in first
        assert f"Ada: {NOTE}" in second
        told = reviewed(acclimate, model, "attempts valley.f90", "attempt valley.f90 2").stdout
        landed = reviewed(acclimate, model, "accept valley.f90 well done", "land")
        assert landed.returncode == Exit.DONE, landed.stdout + landed.stderr
        assert len(server.bodies) == 2
    assert "! each column" in (port / "valley.f90").read_text()
    assert "[2] valley::sweep, attempt 2 of tiny:" in told
    assert f"Ada: {NOTE}" in told  # in the panel, and in the prompt
    assert re.search(r"prompt [0-9a-f]{12}, [0-9,]+ \+ [0-9,]+ tokens", told)
    assert "2 replies, " in told and "price not known" in told
    assert second in told and better.strip() in told
    report = json.loads((port / "report.json").read_text())
    jsonschema.validate(report, json.loads(SCHEMA.read_text()))
    (asked,) = report["asked"]
    assert (asked["unit"], asked["attempts"], asked["calls"]) == ("valley::sweep", 2, 2)
    assert asked["prompt_tokens"] > 0 and asked["cost"] is None and asked["stands"]
    assert report["reviewers"] == ["Ada"]
    (decided,) = report["reviewed"]
    assert (decided["by"], decided["what"], decided["file"]) == ("Ada", "accept", "valley.f90")
    assert decided["reason"] == "well done" and decided["hunks"] > 0
    assert "reviewed by Ada: accepted valley.f90" in (port / "report.md").read_text()


def test_what_was_decided_meanwhile_is_heard_when_the_command_is_run_again(
    acclimate, pond, tmp_path
):
    command = ("migrate", pond, "--out", tmp_path / "port", "--review")
    assert acclimate(*command).returncode == Exit.INCONCLUSIVE
    assert acclimate(*command).returncode == Exit.INCONCLUSIVE  # nobody has decided
    asked = (f"accept {name}" for name in ("src/water.f90", "src/pond.f90"))
    assert reviewed(acclimate, pond, *asked, "land").returncode == Exit.DONE
    assert (tmp_path / "port" / "report.json").exists()
    assert acclimate(*command).returncode == Exit.DONE  # it stands there: nothing to ask


class Terminal:
    """The command on a terminal of 80 columns and 24 lines, driven by keys."""

    def __init__(self, *words):
        self.seen = ""
        acclimate = Path(sys.executable).with_name("acclimate")
        self.pid, self.end = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="xterm-256color", COLUMNS="80", LINES="24", VISUAL="true")
            os.execv(acclimate, [acclimate, *map(str, words)])
        fcntl.ioctl(self.end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

    def wait_for(self, text, seconds=240):
        """Read until a text has been written since the last wait."""
        until = time.monotonic() + seconds
        while text not in re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", self.seen):
            assert time.monotonic() < until, f"'{text}' never came: {self.seen[-2000:]}"
            self._read()
        self.seen = ""

    def press(self, keys):
        os.write(self.end, keys.encode())

    def code(self, seconds=240):
        """The exit code, when the command ends."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self._read()
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                return os.waitstatus_to_exitcode(status)
        raise AssertionError("the command goes on")

    def _read(self):
        if select.select([self.end], [], [], 0.1)[0]:
            try:
                self.seen += os.read(self.end, 65536).decode("utf-8", "replace")
            except OSError:  # the other end is closed
                time.sleep(0.05)


def test_on_a_terminal_it_waits_and_goes_on_in_the_same_process(pond, tmp_path):
    terminal = Terminal("migrate", pond, "--out", tmp_path / "port", "--review")
    terminal.wait_for("waits for you")
    terminal.press("A")
    terminal.wait_for("type yes")
    terminal.press("yes\r")
    terminal.wait_for("accepted 2 modules")
    terminal.press("l")
    terminal.wait_for("land what is accepted where?")
    terminal.press("\r")
    terminal.wait_for("done; escape: close")
    terminal.press("\x1b")
    assert terminal.code() == Exit.DONE
    assert (tmp_path / "port" / "report.json").exists()
