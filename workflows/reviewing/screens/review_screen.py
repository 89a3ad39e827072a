"""What the screens of a review have in common: asking, running commands, undoing, saying."""

import shlex
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, cast

from textual.binding import BindingType
from textual.screen import Screen
from textual.widgets import Static

from acclimate.analysis.problems import Problem
from acclimate.verifier.checks import check_names
from acclimate.workflows._exit import Exit
from acclimate.workflows.reporting.wording import counted
from acclimate.workflows.reviewing import deciding
from acclimate.workflows.reviewing.asking import said
from acclimate.workflows.reviewing.screens.bindings import bound
from acclimate.workflows.reviewing.screens.commands import Action, actions
from acclimate.workflows.reviewing.screens.dialogs import (
    CANCELLED,
    Choice,
    Ended,
    Keys,
    Log,
    Question,
)
from acclimate.workflows.reviewing.screens.help_text import Legend
from acclimate.workflows.reviewing.screens.key_line import KeyLine
from acclimate.workflows.reviewing.session import Session
from acclimate.workflows.reviewing.telling import verdict_words

if TYPE_CHECKING:
    from acclimate.workflows.reviewing.screens.app import ReviewApp

LIGHTS = "✓ holds, ✗ fails, ? inconclusive, ○ not verified, – not changed"
HUNKS = "? open, ✓ accepted, ✗ rejected, ! disputed; 3/9: 3 of 9 decided"
_key = partial(bound, "review")
_DOING = {
    "verify": "reads the port, proves that data is where it is used, then builds and runs it",
    "land": "examines exactly what is accepted, unless that is known already, then writes it",
    "again": "lets the migration go on with what was said",
    "hint": "reads the model with the promise in it",
}
"""What takes the time of a line command, by its first word."""
_JUDGED = (Exit.DONE, Exit.REJECTED, Exit.INCONCLUSIVE)


class ReviewScreen(Screen[None]):
    """Actions that need no module, and the line above the keys; `said` is of this screen alone."""

    said = ""  # what the last action came to
    about: ClassVar[str] = ""  # what the screen is for
    BINDINGS: ClassVar[list[BindingType]] = [
        _key("leave", "question_mark", "keys", "this list", word="keys", shown="?"),
        _key("leave", "colon", "palette", "all by name", shown=":"),
        _key("decide", "u", "undo", "undo", word="undo"),
        _key("decide", "r", "redo", "redo"),
        _key("run", "v", "verify", "verify as decided", word="verify"),
        _key("run", "c", "check", "run some checks"),
        _key("run", "l", "land", "land the accepted", word="land"),
        _key("run", "g", "again", "another attempt"),
        _key("run", "s", "save", "write to a file"),
        _key("run", "i", "merge", "take in a review"),
    ]

    def key_line(self) -> KeyLine:
        """The keys that this screen shows on its last line."""
        return KeyLine([action for action in self._actions() if action.is_shown])

    def _actions(self) -> list[Action]:
        return list(actions(self.review, cast("Screen[object]", self)))

    @property
    def review(self) -> "ReviewApp":
        return cast("ReviewApp", self.app)

    @property
    def session(self) -> Session:
        return self.review.session

    def show_now(self) -> None:
        """Draw what has changed: here what the last action came to."""
        self.query_one("#said", Static).update(self.said)

    def legend(self) -> Legend:
        """What the signs and words of the screen mean."""
        return {"lights": LIGHTS, "hunks": HUNKS}

    def do(self, action: Callable[[], str]) -> None:
        """Do something and say what came of it, or why it could not be done."""
        try:
            self.say(action())
        except Problem as problem:
            self.say(f"not done: {problem.what}")
            self.notify(problem.render(), severity="error", markup=False, timeout=10)
        self.show_now()

    def say(self, text: str) -> None:
        """Put a sentence above the keys, where it stays until the next action says another."""
        self.said = text
        self.query_one("#said", Static).update(text)

    def forget(self) -> None:
        """Nothing that was said here is told on another screen, or when this one comes back."""
        if self.said:
            self.say("")
            self.app.clear_notifications()

    def confirm(self, question: str, then: Callable[[], None]) -> None:
        """Go on if the answer is the word yes."""

        def answered(text: str) -> None:
            if text == "yes":
                then()
            else:
                self.say(f"nothing was done: '{text}' is not yes")

        self.ask(question, answered, remark="type yes")

    def ask(
        self, question: str, then: Callable[[str], None], *, remark: str = "", value: str = ""
    ) -> None:
        """Go on with a line of text, unless it is left."""

        def answered(text: str | None) -> None:
            if text is None:
                self.say(f"left: {question}")
            else:
                then(text)

        self.app.push_screen(Question(question, remark, value), answered)

    def choose(
        self, question: str, every: Sequence[str], then: Callable[[int], None], chosen: int = 0
    ) -> None:
        """Go on with the place of one of several lines, unless it is left."""

        def answered(number: int | None) -> None:
            if number is not None:
                then(number)

        self.app.push_screen(Choice(question, every, chosen), answered)

    def work(self, title: str, command: str, then: Callable[[int], None] | None = None) -> None:
        """Run a line command in a process of its own, its words shown as they come."""

        def settle() -> None:
            """Read what it came to: of a large model that takes longer than a key may."""
            if self.session.reload():
                self.show_now()

        def ended(end: Ended | None) -> None:
            if end is None:
                settle()
            else:
                self.say(f"{title}: {end.words}")
            if then is not None and end is not None:
                then(end.code)

        doing = _DOING.get(command.partition(" ")[0], "")
        self.app.push_screen(Log(title, self.review.argv(command), settle, doing), ended)

    def action_keys(self) -> None:
        self.app.push_screen(Keys(self._actions(), self.about, self.legend()))

    def action_palette(self) -> None:
        every = [action for action in self._actions() if action.name != "palette"]

        async def do(number: int | None) -> None:
            if number is not None:
                await self.app.run_action(every[number].name, every[number].node)

        self.app.push_screen(Choice("what do you want to do?", [a.named for a in every]), do)

    def action_undo(self) -> None:
        self.do(lambda: deciding.undo(self.session))

    def action_redo(self) -> None:
        self.do(lambda: deciding.redo(self.session))

    def action_verify(self) -> None:
        self.work("verify", "verify", self._verified)

    def _verified(self, code: int) -> None:
        if code in _JUDGED:
            self.say(f"verified: {verdict_words(self.session.judged)}")

    def action_check(self) -> None:
        self.ask(
            "which checks?",
            lambda text: self.work(f"verify: {text}", f"verify {text}"),
            remark=f"names with spaces between: {', '.join(check_names())}",
        )

    def action_land(self) -> None:
        waiting = self.review.waited_for or self.session.is_waiting
        before = len(self.session.decisions.landed)

        def landed(code: int) -> None:
            if code in CANCELLED and len(self.session.decisions.landed) == before:
                self.say("land: cancelled, nothing has landed")
            self._go_on(code)

        places = "branch NAME, patches FOLDER"
        self.ask(
            "land what is accepted where?",
            lambda text: self.work("land", f"land {text}", landed),
            remark=f"{places}, empty: the migration's own place" if waiting else places,
            value="" if waiting else "branch acclimate-review",
        )

    def _go_on(self, code: int) -> None:
        if code == 0 and self.review.waited_for and self.session.is_answered:
            self.app.exit()

    def action_again(self) -> None:
        notes, back = said(self.session)
        if not notes and not back:
            self.say(
                "nothing was said that another attempt could do better: first tell an author,"
                " reject with a reason, or turn a unit back"
            )
            return
        words = [f"told to {counted(len(notes), 'author')}"] if notes else []
        words += [f"{counted(len(back), 'unit')} kept on the host"] if back else []
        self.confirm(
            f"another attempt at the port ({', '.join(words)})?",
            lambda: self.work("another attempt", "again", self._go_on),
        )

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
