"""One module: its diff above, what is known of it below."""

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult, SuspendNotSupported
from textual.binding import Binding, BindingType
from textual.widgets import Static

from acclimate.analysis.problems import Problem
from acclimate.workflows.reviewing.attempts import attempts, conversation, numbered
from acclimate.workflows.reviewing.editing import edit
from acclimate.workflows.reviewing.facts import facts_lines
from acclimate.workflows.reviewing.hunks import Hunk
from acclimate.workflows.reviewing.panels import (
    attempts_panel,
    evidence_panel,
    profile_panel,
    record_panel,
)
from acclimate.workflows.reviewing.screens.dialogs import Reading
from acclimate.workflows.reviewing.screens.diff_view import DiffView
from acclimate.workflows.reviewing.screens.line_view import LineView
from acclimate.workflows.reviewing.screens.panel_view import PanelView
from acclimate.workflows.reviewing.screens.review_screen import ReviewScreen, quoted
from acclimate.workflows.reviewing.session import Session, Standing
from acclimate.workflows.reviewing.telling import light_signs, told

PANELS: dict[str, Callable[[Session, Standing], list[str]]] = {
    "evidence": evidence_panel,
    "attempts": attempts_panel,
    "profile": profile_panel,
    "record": record_panel,
}


class ModuleScreen(ReviewScreen):
    """Decides on hunks; the panel below follows the cursor."""

    about = (
        "decide on the hunk under the cursor; - is the original, + the port.",
        "Below: why it is right, in five panels (1 to 5).",
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "decide('hunk', 'accept')", "accept", tooltip="accept the hunk"),
        Binding("x", "decide('hunk', 'reject')", "reject", tooltip="reject the hunk"),
        Binding("o", "decide('hunk', 'open')", "reopen the hunk", show=False),
        Binding("A", "decide('unit', 'accept')", "accept the unit", show=False),
        Binding("X", "decide('unit', 'reject')", "reject the unit", show=False),
        Binding("m", "decide('module', 'accept')", "accept the module", show=False),
        Binding("M", "decide('module', 'reject')", "reject the module", show=False),
        Binding("n", "step(1)", "next", tooltip="next hunk, or match"),
        Binding("N,p", "step(-1)", "previous hunk, or match", show=False),
        Binding("e", "edit", "edit", tooltip="edit the module in $EDITOR, then verify"),
        Binding("t", "note", "tell the author something", show=False),
        Binding("h", "hint", "promise something of the loop", show=False),
        Binding("w", "waive", "waive a check", show=False),
        Binding("d", "turn_back", "turn the unit back", show=False),
        Binding("1", "panel('evidence')", "evidence", show=False),
        Binding("2", "panel('facts')", "facts about the loop", show=False),
        Binding("3", "panel('attempts')", "attempts", show=False),
        Binding("4", "panel('profile')", "profile", show=False),
        Binding("5", "panel('record')", "record of the review", show=False),
        Binding("0", "panel('')", "no panel", show=False),
        Binding("y", "read", "read what a model was asked and answered", show=False),
        Binding("f", "whole", "the whole file, or only hunks", show=False),
        Binding("slash", "search", "search", show=False, key_display="/"),
        Binding("tab", "app.focus_next", "to the panel and back", show=False),
        Binding("escape,q", "back", "back", tooltip="back to the list"),
    ]

    def __init__(self, file: str) -> None:
        super().__init__()
        self.file, self.panel = file, "evidence"
        self._is_fresh = True

    def look_at(self, file: str) -> None:
        """Show another module, from its first hunk on, when the screen comes to the front."""
        self._is_fresh = self._is_fresh or file != self.file
        self.file = file

    def compose(self) -> ComposeResult:
        yield Static(id="headline", markup=False)
        yield DiffView()
        yield Static(id="panel-title", markup=False)
        yield PanelView()
        yield Static(id="said", markup=False)
        yield self.key_line()

    def on_mount(self) -> None:
        self.query_one(DiffView).focus()

    def on_screen_resume(self) -> None:
        self.show_now()
        if self._is_fresh:
            self._is_fresh = False
            self.query_one("#said", Static).update("")
            self.query_one(DiffView).begin()

    def on_resize(self) -> None:
        self.call_after_refresh(self.show_now)

    @property
    def standing(self) -> Standing:
        return self.session.standing(self.file)

    def show_now(self) -> None:
        standing = self.standing
        self.query_one(DiffView).take(self.session, standing)
        self.query_one("#headline", Static).update(
            f"{standing.module.file}: {standing.state}"
            f" · {standing.decided}/{len(standing.module.hunks)} decided"
            f" · {light_signs(standing.module)}"
        )
        self._show_panel()

    def on_line_view_moved(self, event: LineView.Moved) -> None:
        if self.panel == "facts" and isinstance(event.view, DiffView):
            self._show_panel()

    def _show_panel(self) -> None:
        panel, diff = self.query_one(PanelView), self.query_one(DiffView)
        panel.display = bool(self.panel)
        title = "1 evidence  2 facts  3 attempts  4 profile  5 record  0 none"
        shown = title.replace(self.panel, f"[{self.panel}]") if self.panel else title
        self.query_one("#panel-title", Static).update(shown)
        if self.panel == "facts":
            lines = facts_lines(self.session, self.standing, diff.line)
        elif self.panel:
            lines = PANELS[self.panel](self.session, self.standing)
        else:
            return
        panel.take(lines)

    def action_panel(self, name: str) -> None:
        self.panel = name
        self._show_panel()
        self.query_one(PanelView).cursor = 0

    def action_step(self, step: int) -> None:
        if not self.query_one(DiffView).go_to(step):
            self.say("there is no further one")

    def action_whole(self) -> None:
        diff = self.query_one(DiffView)
        diff.whole = not diff.whole
        self.show_now()

    def action_search(self) -> None:
        def search(text: str) -> None:
            diff = self.query_one(DiffView)
            diff.search = text
            diff.refresh()
            if text and not diff.go_to(1) and not diff.go_to(-1):
                self.say(f"'{text}' is not here")

        self.ask("search in the diff", search, remark="n and N go on; empty: hunks again")

    def action_back(self) -> None:
        self.review.close_module()

    # --- deciding -----------------------------------------------------------------------------

    def action_decide(self, scope: str, verdict: str) -> None:
        hunk, standing = self.query_one(DiffView).hunk, self.standing
        if hunk is None:
            self.say("there is no hunk here")
            return
        hunks, name = self._scope(scope, hunk, standing)

        def decide(reason: str = "") -> None:
            self.do(lambda: told(self.session.decide(hunks, verdict, name, reason)))
            if scope == "hunk" and verdict != "open":
                self._to_next_open(hunk)

        if verdict == "reject":
            heard = hunk.unit in self.session.outcome.consulted
            remark = f"{'the model hears it' if heard else 'kept with it'}; may be empty"
            self.ask(f"why reject {name}?", decide, remark=remark)
        else:
            decide()

    def _scope(self, scope: str, hunk: Hunk, standing: Standing) -> tuple[tuple[Hunk, ...], str]:
        every = standing.module.hunks
        if scope == "hunk":
            return (hunk,), f"{self.file}#{every.index(hunk) + 1}"
        if scope == "unit":
            return tuple(h for h in every if h.unit == hunk.unit), hunk.unit or self.file
        return every, self.file

    def _to_next_open(self, hunk: Hunk) -> None:
        hunks, diff = self.standing.module.hunks, self.query_one(DiffView)
        here = hunks.index(hunk) if hunk in hunks else 0
        if here + 1 < len(hunks):
            diff.go_to_hunk(here + 1)

    # --- saying and changing ------------------------------------------------------------------

    def action_edit(self) -> None:
        line = self.query_one(DiffView).line

        def change() -> str:
            event = edit(self.session, self.file, line)
            return told(event) if event else "nothing was changed"

        before = len(self.session.history)
        try:
            with self.app.suspend():
                self.do(change)
        except SuspendNotSupported:
            self.do(change)
        if len(self.session.history) > before:
            self.action_verify()

    def action_note(self) -> None:
        hunk = self.query_one(DiffView).hunk
        unit = hunk.unit if hunk else next(iter(u.name for u in self.standing.module.units), "")

        def note(text: str) -> None:
            name = hunk.name if hunk else ""
            self.do(lambda: told(self.session.note(self.file, unit, text, name)))

        remark = "g asks it again"
        if unit not in self.session.outcome.consulted:
            remark = "the rules know no other way: g then keeps the unit on the host"
        self.ask(f"what should the author of {unit} do?", note, remark=remark)

    def action_read(self) -> None:
        found = attempts(self.session, self.standing)
        if not found:
            self.say("no model was asked about this module")
            return

        def read(number: str) -> None:
            try:
                lines = conversation(self.session, numbered(found, number))
            except Problem as problem:
                self.say(problem.what)
            else:
                self.app.push_screen(Reading(lines))

        remark = f"1 to {len(found)}, as in the panel of attempts (3)"
        self.ask("read which attempt?", read, remark=remark, value=str(len(found)))

    def action_hint(self) -> None:
        line = self.query_one(DiffView).line
        where = f"{self.file}:{line}"

        def until(words: str) -> None:
            def reason(day: str) -> None:
                def add(text: str) -> None:
                    self.work("hint", f"hint {quoted([where, day, words, *text.split()])}")

                self.ask("why does it hold?", add)

            self.ask("to be looked at again by (YYYY-MM-DD)?", reason)

        self.ask(f"promise of the loop at {where}", until, remark="such as injective(idx)")

    def action_waive(self) -> None:
        def until(check: str) -> None:
            def reason(day: str) -> None:
                def add(text: str) -> None:
                    self.do(lambda: told(self.session.waive(check, self.file, text, day)))

                self.ask("why can it be lived with?", add)

            self.ask("until which day (YYYY-MM-DD)?", reason)

        self.ask("which check is to be waived here?", until, remark="as in the evidence")

    def action_turn_back(self) -> None:
        hunk = self.query_one(DiffView).hunk
        if hunk is None or not hunk.unit:
            self.say("there is no unit here")
            return
        unit = hunk.unit

        def turn_back(reason: str) -> None:
            self.do(lambda: told(self.session.turn_back(self.file, unit, reason)))

        self.ask(f"why keep {unit} on the host?", turn_back, remark="g then asks for that port")
