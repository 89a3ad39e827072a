"""Small questions, the list of keys, and the running log of a command."""

import asyncio
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Label, RichLog, Static

from acclimate.workflows.reviewing.screens.commands import Action
from acclimate.workflows.reviewing.screens.help_text import Legend, help_lines

_FRAME = 3  # columns beside the list of keys: padding and the scrollbar


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


class Choice(ModalScreen[int | None]):
    """One of several lines: what is typed sifts them, enter takes the one under the cursor.

    Gives the place of the line among all, None on escape; the cursor begins at `chosen`.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "leave it"),
        Binding("down", "move(1)", "down"),
        Binding("up", "move(-1)", "up"),
    ]

    def __init__(self, question: str, every: Sequence[str], chosen: int = 0) -> None:
        super().__init__()
        self._question, self._every = question, every
        self._found, self._chosen = list(range(len(every))), chosen

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog tall"):
            yield Input(placeholder=self._question)
            yield Static(id="found", markup=False)
            yield Label("up, down, enter: take it, escape: leave it", classes="remark")

    def on_mount(self) -> None:
        self._show()

    def on_input_changed(self, event: Input.Changed) -> None:
        words = event.value.lower().split()
        if words or len(self._found) < len(self._every):
            lines = enumerate(map(str.lower, self._every))
            self._found = [number for number, line in lines if all(w in line for w in words)]
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
            f"{'>' if place == self._chosen else ' '} {self._every[number]}"
            for place, number in enumerate(self._found)
        ]
        found.update("\n".join(lines[top:]) or "nothing is called so")


class Keys(ModalScreen[None]):
    """Every key of the screen below, from its bindings, by what it is for; then what signs mean."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,enter", "app.pop_screen", "close")
    ]

    def __init__(self, every: Sequence[Action], about: str, legend: Legend) -> None:
        super().__init__()
        self._every, self._about, self._legend = every, about, legend

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="help"):
            yield Static(id="legend", markup=False)
        yield Static("up, down, pgdn: read on, escape: close", id="closing", markup=False)

    def on_resize(self) -> None:
        self.query_one("#legend", Static).update("\n".join(self.lines()))

    def lines(self) -> list[str]:
        """The whole list, as wide as the screen."""
        return help_lines(self._every, self._about, self._legend, self.size.width - _FRAME)


class Reading(ModalScreen[None]):
    """Lines of text to scroll through."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "app.pop_screen", "close")]

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__()
        self._lines = lines

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog tall"):
            yield Static("\n".join(self._lines), markup=False)


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended: its exit code, and what came of it in a sentence."""

    code: int
    words: str


class Log(ModalScreen[Ended | None]):
    """A command at work: its lines as they come; only c ends it, escape closes what has ended.

    `doing` says what takes the time, `settle` is called once it has ended, before it may be closed.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "close"),
        Binding("c", "cancel", "cancel"),
    ]

    def __init__(
        self, title: str, argv: Sequence[str], settle: Callable[[], None], doing: str = ""
    ) -> None:
        super().__init__()
        self._title, self._argv, self._settle, self._doing = title, argv, settle, doing
        self._process: asyncio.subprocess.Process | None = None
        self._said = ""  # its error, else its last line
        self._error_at: int | None = None  # line of the log
        self._seconds, self._is_cancelled = 0, False
        self.code: int | None = None

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog tall"):
            yield Label(self._title, markup=False)
            if self._doing:
                yield Label(self._doing, classes="remark", markup=False)
            yield RichLog(wrap=True, markup=False, max_lines=5000, min_width=1)
            yield Label(_RUNNING, id="ending", markup=False)

    def on_mount(self) -> None:
        self.run_worker(self._run(), exclusive=True)
        self.set_interval(1, self._tick)

    def _tick(self) -> None:
        """Show that it goes on, also where the command has nothing to say for long."""
        self._seconds += 1
        if self.code is None and not self._is_cancelled:
            self._end_with(f"{self._seconds} s; {_RUNNING}")

    def _end_with(self, words: str) -> None:
        self.query_one("#ending", Label).update(words)

    async def _run(self) -> None:
        log = self.query_one(RichLog)
        process = await asyncio.create_subprocess_exec(
            *self._argv,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        self._process = process
        if self._is_cancelled:
            process.send_signal(signal.SIGTERM)
        assert process.stdout is not None
        async for line in process.stdout:
            text = line.decode("utf-8", "replace").rstrip("\n")
            self._heard(text, len(log.lines))
            log.write(text)
        code = await process.wait()
        self._settle()
        self.code = code
        self._end_with(f"{ending(self.code)}; escape: close")
        if self._error_at is not None:
            self.call_after_refresh(log.scroll_to, y=self._error_at, animate=False)

    def _heard(self, line: str, place: int) -> None:
        """Keep what a person would quote of it: notes and hints explain, they are not it."""
        if line.startswith(_ERROR):
            self._said, self._error_at = line, place
        elif line.strip() and not self._said.startswith(_ERROR):
            self._said = line.strip()

    def action_cancel(self) -> None:
        """Ask the command to end; it ends what it has started itself."""
        if self.code is None and not self._is_cancelled:
            self._is_cancelled = True
            self._end_with("cancelling: it ends what it has started")
            if self._process is not None:
                self._process.send_signal(signal.SIGTERM)

    def action_close(self) -> None:
        """Nothing while it runs: a key pressed too early would take back what was asked for."""
        if self.code is not None:
            said = self._said.removeprefix(_ERROR)
            self.dismiss(Ended(self.code, f"{outcome(self.code)}{': ' if said else ''}{said}"))

    def on_unmount(self) -> None:
        if self._process is not None and self.code is None:
            self._process.send_signal(signal.SIGTERM)


_ERROR = "error: "
_RUNNING = "running (c: cancel; escape closes it once it has ended)"
CANCELLED = (130, -signal.SIGTERM)
_OUTCOMES = {
    0: "done",
    1: "rejected",
    2: "not done",
    3: "inconclusive",
    4: "not done",
    **dict.fromkeys(CANCELLED, "cancelled"),
}
_MORE = {
    1: "; see above why; your decisions stand",
    2: "; see the error above",
    3: "; see above what stays open",
    4: "; see the error above",
    **dict.fromkeys(CANCELLED, "; your decisions stand"),
}


def outcome(code: int) -> str:
    """What an exit code means, in a word or two."""
    return _OUTCOMES.get(code, f"ended with exit code {code}")


def ending(code: int) -> str:
    """The same below the lines of the command."""
    return f"{outcome(code)}{_MORE.get(code, '')}"
