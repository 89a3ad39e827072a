"""What the screens of a review have in common: asking, running commands, undoing, saying."""

import shlex
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Static

from acclimate.analysis.problems import Problem
from acclimate.workflows.reviewing.screens.commands import Action, actions
from acclimate.workflows.reviewing.screens.dialogs import Keys, Log, Palette, Question, ending
from acclimate.workflows.reviewing.screens.key_line import KeyLine
from acclimate.workflows.reviewing.session import Session
from acclimate.workflows.reviewing.telling import told

if TYPE_CHECKING:
    from acclimate.workflows.reviewing.screens.app import ReviewApp

LEGEND = (
    "lights: ✓ holds, ✗ fails, ? inconclusive, – not changed",
    "hunks: ? open, ✓ accepted, ✗ rejected, ! disputed",
    "everything is on disk at once; quitting loses nothing",
)


class ReviewScreen(Screen[None]):
    """Actions that need no module."""

    about: ClassVar[tuple[str, ...]] = ()  # what the screen is for
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "keys", "keys", key_display="?", tooltip="this list"),
        Binding("colon", "palette", "all of this by name", key_display=":", show=False),
        Binding("u", "undo", "undo", tooltip="undo your last action"),
        Binding("r", "redo", "redo", show=False),
        Binding("v", "verify", "verify what is not rejected", show=False),
        Binding("c", "check", "run only some checks", show=False),
        Binding("l", "land", "land", tooltip="land what is accepted"),
        Binding("g", "again", "ask for another attempt", show=False),
        Binding("s", "save", "write the review to a file", show=False),
        Binding("i", "merge", "take in another reviewer's file", show=False),
    ]

    def key_line(self) -> KeyLine:
        """The keys that this screen shows on its last line."""
        every = actions(self.app, cast("Screen[object]", self))
        return KeyLine([action for action in every if action.is_shown])

    @property
    def review(self) -> "ReviewApp":
        return cast("ReviewApp", self.app)

    @property
    def session(self) -> Session:
        return self.review.session

    def show_now(self) -> None:
        """Draw what has changed."""
        raise NotImplementedError

    def do(self, action: Callable[[], str]) -> None:
        """Do something and say what came of it, or why it could not be done."""
        try:
            self.say(action())
        except Problem as problem:
            self.notify(problem.render(), severity="error", markup=False, timeout=10)
        self.show_now()

    def say(self, text: str) -> None:
        """Put a sentence on the line above the keys, where it stays until the next one."""
        self.query_one("#said", Static).update(text)

    def ask(
        self, question: str, then: Callable[[str], None], *, remark: str = "", value: str = ""
    ) -> None:
        """Go on with a line of text, unless it is left."""

        def answered(text: str | None) -> None:
            if text is not None:
                then(text)

        self.app.push_screen(Question(question, remark, value), answered)

    def work(self, title: str, command: str, then: Callable[[int], None] | None = None) -> None:
        """Run a line command in a process of its own, its words shown as they come."""

        def ended(code: int | None) -> None:
            self.session.reload()
            self.show_now()
            if code is not None:
                self.say(f"{title}: {ending(code)}")
            if then is not None and code is not None:
                then(code)

        self.app.push_screen(Log(title, self.review.argv(command)), ended)

    def action_keys(self) -> None:
        self.app.push_screen(Keys(cast("Screen[object]", self), (*self.about, *LEGEND)))

    def action_palette(self) -> None:
        async def do(action: Action | None) -> None:
            if action is not None:
                await self.app.run_action(action.name, action.node)

        every = [a for a in actions(self.app, cast("Screen[object]", self)) if a.keys != (":",)]
        self.app.push_screen(Palette(every), do)

    def action_undo(self) -> None:
        def undo() -> str:
            event = self.session.undo()
            return f"undid: {told(event)}" if event else "there is nothing of yours to undo"

        self.do(undo)

    def action_redo(self) -> None:
        def redo() -> str:
            event = self.session.redo()
            return f"did again: {told(event)}" if event else "there is nothing to do again"

        self.do(redo)

    def action_verify(self) -> None:
        self.work("verify what is not rejected", "verify")

    def action_check(self) -> None:
        self.ask(
            "which checks?",
            lambda text: self.work(f"verify: {text}", f"verify {text}"),
            remark="names with spaces between, as in the evidence",
        )

    def action_land(self) -> None:
        waiting = self.review.waited_for or self.session.is_waiting
        places = "branch NAME, patches FOLDER"
        self.ask(
            "land what is accepted where?",
            lambda text: self.work("land", f"land {text}", self._landed),
            remark=f"{places}, empty: the migration's own place" if waiting else places,
            value="" if waiting else "branch acclimate-review",
        )

    def _landed(self, code: int) -> None:
        if code == 0 and self.review.waited_for and self.session.is_answered:
            self.app.exit()

    def action_again(self) -> None:
        self.work("another attempt", "again", self._landed)

    def action_save(self) -> None:
        self.ask(
            "write the review where?",
            lambda text: self.work("export", f"export {quoted([text])}"),
            remark="a name that ends in .md or .json",
            value="review.md",
        )

    def action_merge(self) -> None:
        def merge(text: str) -> None:
            self.work("take in a review", f"merge {quoted([text])}")

        self.ask("whose file?", merge, remark="a .jsonl of another reviewer")


def quoted(words: Sequence[str]) -> str:
    """Words as one line command takes them."""
    return shlex.join(words)
