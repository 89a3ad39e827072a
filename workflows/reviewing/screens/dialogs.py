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

from acclimate.workflows.reviewing.screens.commands import Action, actions


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


class Palette(ModalScreen[Action | None]):
    """Actions by name: what is typed sifts them, enter does the one under the cursor."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "leave it"),
        Binding("down", "move(1)", "down"),
        Binding("up", "move(-1)", "up"),
    ]

    def __init__(self, every: Sequence[Action]) -> None:
        super().__init__()
        self._every = self._found = list(every)
        self._chosen = 0

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog tall"):
            yield Input(placeholder="what do you want to do?")
            yield Static(id="found", markup=False)
            yield Label("enter: do it, escape: leave it", classes="remark", markup=False)

    def on_mount(self) -> None:
        self._show()

    def on_input_changed(self, event: Input.Changed) -> None:
        words = event.value.lower().split()
        self._found = [a for a in self._every if all(w in a.named.lower() for w in words)]
        self._chosen = 0
        self._show()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(self._found[self._chosen] if self._found else None)

    def on_resize(self) -> None:
        self.call_after_refresh(self._show)

    def action_move(self, step: int) -> None:
        self._chosen = max(0, min(len(self._found) - 1, self._chosen + step))
        self._show()

    def action_leave(self) -> None:
        self.dismiss(None)

    def _show(self) -> None:
        found = self.query_one("#found", Static)
        top = max(0, self._chosen - max(1, found.size.height) + 1)
        lines = [
            f"{'>' if place == self._chosen else ' '} {action.named}"
            for place, action in enumerate(self._found)
        ]
        found.update("\n".join(lines[top:]) or "nothing is called so")


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
        return ["keys (down: more, escape: close)", "", *self._legend, "", *lines]


class Reading(ModalScreen[None]):
    """Lines of text to scroll through."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "app.pop_screen", "close")]

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__()
        self._lines = lines

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog tall"):
            yield Static("\n".join(self._lines), markup=False)


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
            yield RichLog(wrap=True, markup=False, max_lines=5000, min_width=1)
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
        self.query_one("#ending", Label).update(f"{ending(self.code)}; escape: close")

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


def ending(code: int) -> str:
    """What an exit code means, in words."""
    return _ENDINGS.get(code, f"ended with exit code {code}")
