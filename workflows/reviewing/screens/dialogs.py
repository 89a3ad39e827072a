"""Small questions, the list of keys, and the running log of a command."""

import asyncio
import signal
from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen, Screen
from textual.widgets import Input, Label, RichLog, Static

from acclimate.workflows.reviewing.screens.commands import actions


class Question(ModalScreen[str | None]):
    """One line of text; escape gives None."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "give_up", "leave it")]

    def __init__(self, question: str, remark: str = "", value: str = "") -> None:
        super().__init__()
        self._question, self._remark, self._value = question, remark, value

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Label(self._question, markup=False)
            yield Input(self._value)
            remark = f"{self._remark}; " if self._remark else ""
            yield Label(f"{remark}enter: go on, escape: leave it", classes="remark", markup=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip())

    def action_give_up(self) -> None:
        self.dismiss(None)


class Keys(ModalScreen[None]):
    """Every key of the screen below, from its bindings."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,enter", "app.pop_screen", "close")
    ]

    def __init__(self, below: Screen[object], legend: Sequence[str]) -> None:
        super().__init__()
        self._below, self._legend = below, legend

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog tall"):
            yield Static("\n".join(self._lines()), markup=False)

    def _lines(self) -> list[str]:
        found = actions(self.app, self._below)
        lines = [f"{', '.join(action.keys):<12} {action.text}" for action in found]
        lines.append(f"{':':<12} all of this by name")
        return ["keys (escape closes)", "", *lines, "", *self._legend]


class Log(ModalScreen[int | None]):
    """A command at work: its lines as they come; escape ends it, or closes when it has ended."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "end it, or close"),
        Binding("c", "cancel", "cancel"),
    ]

    def __init__(self, title: str, argv: Sequence[str]) -> None:
        super().__init__()
        self._title, self._argv = title, argv
        self._process: asyncio.subprocess.Process | None = None
        self.code: int | None = None

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog tall"):
            yield Label(self._title, markup=False)
            yield RichLog(wrap=True, markup=False, max_lines=5000)
            yield Label("running; c: cancel", id="ending", markup=False)

    def on_mount(self) -> None:
        self.run_worker(self._run(), exclusive=True)

    async def _run(self) -> None:
        log = self.query_one(RichLog)
        process = await asyncio.create_subprocess_exec(
            *self._argv,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        self._process = process
        assert process.stdout is not None
        async for line in process.stdout:
            log.write(line.decode("utf-8", "replace").rstrip("\n"))
        self.code = await process.wait()
        self.query_one("#ending", Label).update(f"{_ending(self.code)}; escape: close")

    def action_cancel(self) -> None:
        """Ask the command to end; it ends what it has started itself."""
        if self._process is not None and self.code is None:
            self._process.send_signal(signal.SIGTERM)
            self.query_one("#ending", Label).update("cancelling")

    def action_close(self) -> None:
        if self.code is None:
            self.action_cancel()
        else:
            self.dismiss(self.code)

    def on_unmount(self) -> None:
        if self._process is not None and self.code is None:
            self._process.send_signal(signal.SIGTERM)


_ENDINGS = {
    0: "done",
    1: "rejected",
    2: "not done: see above",
    3: "inconclusive",
    4: "not done: see above",
    130: "cancelled",
}


def _ending(code: int) -> str:
    return _ENDINGS.get(code, f"ended with exit code {code}")
