"""The first screen: all modules."""

from functools import partial
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Static

from acclimate.workflows.reporting import wording
from acclimate.workflows.reviewing import deciding
from acclimate.workflows.reviewing.screens.bindings import bound
from acclimate.workflows.reviewing.screens.help_text import Legend
from acclimate.workflows.reviewing.screens.line_view import LineView
from acclimate.workflows.reviewing.screens.module_list import FILTERS, SORTS, ModuleList
from acclimate.workflows.reviewing.screens.review_screen import ReviewScreen
from acclimate.workflows.reviewing.session import Standing
from acclimate.workflows.reviewing.states import MEANINGS
from acclimate.workflows.reviewing.targets import VERIFIED, targets, whole
from acclimate.workflows.reviewing.telling import (
    accepted_words,
    counts,
    elsewhere_words,
    verdict_words,
)

COLUMNS = (
    "lines: added and taken away; time: share of the run time in its kernels; risk: points for what"
    " fails, never ran, changes statements or is not by the rules"
)
_key = partial(bound, "list")


class ListScreen(ReviewScreen):
    """Modules by state, with what is known of the review as a whole above."""

    about = (
        "A module is a source file, a hunk one change in it. Open one to decide hunk by hunk."
        " What is accepted, and nothing else, lands."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        _key("decide", "enter", "open", "open the module", word="open", shown="enter"),
        _key("decide", "a", "decide('accept')", "accept the module", word="accept"),
        _key("decide", "x", "decide('reject')", "reject the module", word="reject"),
        _key("decide", "o", "decide('open')", "reopen the module"),
        _key("decide", "A", "accept_verified", "accept verified"),
        _key("see", "f", "filter", "show other states"),
        _key("see", "F", "filter_back", "shown before"),
        _key("see", "t", "sort", "sort otherwise"),
        _key("see", "slash", "search", "search", shown="/"),
        _key("see", "escape", "clear", "forget filter"),
        _key("leave", "q", "app.quit", "quit", word="quit"),
    ]

    def legend(self) -> Legend:
        words = "; ".join(f"{state}: {text}" for state, text in MEANINGS.items())
        return {**super().legend(), "columns": COLUMNS, "states": f"{words}."}

    def compose(self) -> ComposeResult:
        yield Static(id="headline", markup=False)
        yield Static(id="heading")
        yield ModuleList()
        yield Static(id="status", markup=False)
        yield Static(id="said", markup=False)
        yield self.key_line()

    def on_mount(self) -> None:
        self.query_one(ModuleList).focus()
        self.said = elsewhere_words(self.session)
        self.show_now()

    def on_screen_resume(self) -> None:
        self.show_now()

    def on_resize(self) -> None:
        self.call_after_refresh(self.show_now)

    def show_now(self) -> None:
        session, modules = self.session, self.query_one(ModuleList)
        modules.take(session.standings)
        super().show_now()
        now = ""
        if self.review.waited_for or session.is_waiting:
            now = " · the migration waits for you"
        elif session.is_running:
            now = f" · migration: {session.material.progress}"
        self.query_one("#headline", Static).update(
            f"{session.outcome.survey.name}: {verdict_words(session.judged)}{now}"
            f" · {counts(session.standings)}"
        )
        self.query_one("#heading", Static).update(Text.assemble(*_texts(modules)))
        found = f" · search: {modules.search}" if modules.search else ""
        alone = f" · accepted alone: {words}" if (words := accepted_words(session)) else ""
        self.query_one("#status", Static).update(
            f"{len(modules.shown)} of {len(session.standings)} (f: {modules.filter},"
            f" t: by {modules.sort}){found}{alone}"
        )

    def on_line_view_chosen(self, event: LineView.Chosen) -> None:
        self.action_open()

    def action_open(self) -> None:
        if (standing := self._current()) is not None:
            self.review.open_module(standing.module.file)

    def action_decide(self, verdict: str) -> None:
        if (standing := self._current()) is None:
            return
        target = whole(standing)

        def decided(reason: str = "") -> None:
            modules = self.query_one(ModuleList)
            others = modules.others()
            self.do(lambda: deciding.decide(self.session, target, verdict, reason))
            if verdict != "open":
                modules.go_on(target.standing.module.file, others)

        if verdict == "reject" and target.hunks:
            self.ask(f"why reject {target.scope}?", decided, remark="may be left empty")
        else:
            decided()

    def action_accept_verified(self) -> None:
        found = targets(self.session, VERIFIED)
        if not found:
            self.say("no module is verified as decided, written by rules and still open")
            return

        def accept() -> str:
            for target in found:
                deciding.decide(self.session, target, "accept")
            return f"accepted {wording.counted(len(found), 'module')}"

        self.confirm(
            f"accept all {len(found)} modules that are verified and written by rules?",
            lambda: self.do(accept),
        )

    def action_filter(self) -> None:
        modules, standings = self.query_one(ModuleList), self.session.standings
        every = [f"{name:<10} {modules.number(standings, name):>4}" for name in FILTERS]
        self.choose(
            "show which modules?",
            every,
            lambda number: self._filter(FILTERS[number]),
            FILTERS.index(modules.filter),
        )

    def action_filter_back(self) -> None:
        self._filter(self.query_one(ModuleList).before)

    def _filter(self, name: str) -> None:
        modules = self.query_one(ModuleList)
        modules.before, modules.filter = modules.filter, name
        self.say(f"shown: {name}")
        self.show_now()

    def action_sort(self) -> None:
        modules, names = self.query_one(ModuleList), list(SORTS)

        def sort(number: int) -> None:
            modules.sort = names[number]
            self.say(f"sorted by {modules.sort}")
            self.show_now()

        self.choose("sort by what?", names, sort, names.index(modules.sort))

    def action_search(self) -> None:
        def search(text: str) -> None:
            self.query_one(ModuleList).search = text
            self.say(f"search: {text}" if text else "no search")
            self.show_now()

        self.ask("search in files, modules and units", search)

    def action_clear(self) -> None:
        modules = self.query_one(ModuleList)
        modules.search = ""
        self._filter("changed")

    def _current(self) -> Standing | None:
        """The module under the cursor; says what to do where there is none."""
        modules = self.query_one(ModuleList)
        if modules.current is None:
            self.say(f"no module is {modules.filter}: f shows others, escape what is changed")
        return modules.current


def _texts(modules: ModuleList) -> list[tuple[str, str]]:
    return [(piece.text, "bold") for piece in modules.heading()]
