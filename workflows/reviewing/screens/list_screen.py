"""The first screen: all modules."""

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from acclimate.workflows.reviewing.screens.line_view import LineView
from acclimate.workflows.reviewing.screens.module_list import FILTERS, SORTS, ModuleList
from acclimate.workflows.reviewing.screens.review_screen import ReviewScreen
from acclimate.workflows.reviewing.session import Standing
from acclimate.workflows.reviewing.targets import VERIFIED, targets, whole
from acclimate.workflows.reviewing.telling import counts, told


class ListScreen(ReviewScreen):
    """Modules by state, with what is known of the review as a whole above."""

    about = (
        "decide what is to land: a module is a source file, a hunk one change in it.",
        "Open a module to decide hunk by hunk, to edit it, and to see why it is right;",
        "? lists the keys there. What is accepted, and nothing else, lands.",
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "open", key_display="enter", tooltip="open the module"),
        Binding("a", "decide('accept')", "accept", tooltip="accept the module"),
        Binding("x", "decide('reject')", "reject", tooltip="reject the module"),
        Binding("o", "decide('open')", "reopen the module", show=False),
        Binding("A", "accept_verified", "accept all that is verified", show=False),
        Binding("f", "filter(1)", "filter", tooltip="show another state"),
        Binding("F", "filter(-1)", "the state before", show=False),
        Binding("t", "sort", "sort in another way", show=False),
        Binding("slash", "search", "search", key_display="/", show=False),
        Binding("escape", "clear", "forget search and filter", show=False),
        Binding("q", "app.quit", "quit"),
    ]

    def compose(self) -> ComposeResult:
        yield Static(id="headline", markup=False)
        yield Static(id="heading")
        yield ModuleList()
        yield Static(id="status", markup=False)
        yield Static(id="said", markup=False)
        yield self.key_line()

    def on_mount(self) -> None:
        self.query_one(ModuleList).focus()
        self.show_now()

    def on_screen_resume(self) -> None:
        self.show_now()

    def on_resize(self) -> None:
        self.call_after_refresh(self.show_now)

    def show_now(self) -> None:
        session, modules = self.session, self.query_one(ModuleList)
        modules.take(session.standings)
        outcome = session.outcome
        verdict = outcome.examination.assessment.verdict
        now = ""
        if self.review.waited_for or session.is_waiting:
            now = " · the migration waits for you"
        elif session.is_running:
            now = f" · migration: {session.material.progress}"
        self.query_one("#headline", Static).update(
            f"{outcome.survey.name}: {verdict}{now} · {counts(session.standings)}"
        )
        self.query_one("#heading", Static).update(Text.assemble(*_texts(modules)))
        found = f" · search: {modules.search}" if modules.search else ""
        self.query_one("#status", Static).update(
            f"{len(modules.shown)} of {len(session.standings)} · filter: {modules.filter}"
            f" · sorted by {modules.sort}{found} · ? keys"
        )

    def on_line_view_chosen(self, event: LineView.Chosen) -> None:
        self.action_open()

    def action_open(self) -> None:
        if (standing := self._current()) is not None:
            self.review.open_module(standing.module.file)

    def action_decide(self, verdict: str) -> None:
        standing = self._current()
        if standing is None:
            return
        target = whole(standing)

        def decided(reason: str = "") -> None:
            self.do(lambda: told(self.session.decide(target.hunks, verdict, target.scope, reason)))

        if verdict == "reject":
            self.ask(f"why reject {target.scope}?", decided, remark="may be left empty")
        else:
            decided()

    def action_accept_verified(self) -> None:
        found = targets(self.session, VERIFIED)

        def accept() -> str:
            for target in found:
                self.session.decide(target.hunks, "accept", target.scope)
            return f"accepted {len(found)} modules"

        self.ask(
            f"accept all {len(found)} modules that are verified and written by rules?",
            lambda text: self.do(accept) if text == "yes" else None,
            remark="type yes",
        )

    def action_filter(self, step: int) -> None:
        modules = self.query_one(ModuleList)
        modules.filter = FILTERS[(FILTERS.index(modules.filter) + step) % len(FILTERS)]
        self.show_now()

    def action_sort(self) -> None:
        modules, names = self.query_one(ModuleList), list(SORTS)
        modules.sort = names[(names.index(modules.sort) + 1) % len(names)]
        self.show_now()

    def action_search(self) -> None:
        def search(text: str) -> None:
            self.query_one(ModuleList).search = text
            self.show_now()

        self.ask("search in files, modules and units", search)

    def action_clear(self) -> None:
        modules = self.query_one(ModuleList)
        modules.search, modules.filter = "", "changed"
        self.show_now()

    def _current(self) -> Standing | None:
        return self.query_one(ModuleList).current


def _texts(modules: ModuleList) -> list[tuple[str, str]]:
    return [(piece.text, "bold") for piece in modules.heading()]
