"""One module: its diff above, what is known of it below."""

from collections.abc import Callable
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult, SuspendNotSupported
from textual.binding import BindingType
from textual.widgets import Static

from acclimate.analysis.problems import Problem
from acclimate.verifier.checks import check_names
from acclimate.verifier.evidence import Outcome
from acclimate.workflows.reviewing import deciding
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
from acclimate.workflows.reviewing.screens.bindings import bound
from acclimate.workflows.reviewing.screens.dialogs import Reading
from acclimate.workflows.reviewing.screens.diff_view import DiffView
from acclimate.workflows.reviewing.screens.help_text import Legend
from acclimate.workflows.reviewing.screens.line_view import LineView
from acclimate.workflows.reviewing.screens.panel_view import PanelView
from acclimate.workflows.reviewing.screens.review_screen import ReviewScreen, quoted
from acclimate.workflows.reviewing.session import Session, Standing
from acclimate.workflows.reviewing.states import MEANINGS
from acclimate.workflows.reviewing.targets import Target, of_hunk, of_unit, whole
from acclimate.workflows.reviewing.telling import edited_words, light_signs, told

_key = partial(bound, "module")

PANELS: dict[str, Callable[[Session, Standing], list[str]]] = {
    "evidence": evidence_panel,
    "attempts": attempts_panel,
    "profile": profile_panel,
    "record": record_panel,
}


class ModuleScreen(ReviewScreen):
    """Decides on hunks; the panel below follows the cursor."""

    about = "Decide on the hunk under the cursor; - is the original, + the port; below is why."
    BINDINGS: ClassVar[list[BindingType]] = [
        _key("decide", "a", "decide('hunk', 'accept')", "accept the hunk", word="accept"),
        _key("decide", "x", "decide('hunk', 'reject')", "reject the hunk", word="reject"),
        _key("decide", "o", "decide('hunk', 'open')", "reopen the hunk"),
        _key("decide", "A", "decide('unit', 'accept')", "accept the unit"),
        _key("decide", "X", "decide('unit', 'reject')", "reject the unit"),
        _key("decide", "m", "decide('module', 'accept')", "accept the module"),
        _key("decide", "M", "decide('module', 'reject')", "reject the module"),
        _key("see", "n", "step(1)", "next hunk or match", word="next"),
        _key("see", "N,p", "step(-1)", "the one before"),
        _key("see", "slash", "search", "search", shown="/"),
        _key("see", "f", "whole", "whole file or hunks"),
        _key("see", "1", "panel('evidence')", "evidence"),
        _key("see", "2", "panel('facts')", "facts of the loop"),
        _key("see", "3", "panel('attempts')", "attempts"),
        _key("see", "4", "panel('profile')", "profile"),
        _key("see", "5", "panel('record')", "record"),
        _key("see", "0", "panel('')", "no panel"),
        _key("see", "tab", "app.focus_next", "panel, back"),
        _key("see", "y", "read", "prompts, replies"),
        _key("change", "e", "edit", "edit, then verify", word="edit"),
        _key("change", "t", "note", "tell the author"),
        _key("change", "h", "hint", "promise of a loop"),
        _key("change", "w", "waive", "waive a check"),
        _key("change", "d", "turn_back", "turn the unit back"),
        _key("leave", "escape,q", "back", "back to list", word="back"),
    ]

    def __init__(self, file: str) -> None:
        super().__init__()
        self.file, self.panel = file, "evidence"
        self._is_fresh = True
        self._shown: Standing | None = None

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
        """What an answer has led to is on the screen already when its question has gone."""
        if self._is_fresh or self._shown is not self.standing:
            self.show_now()
        if self._is_fresh:
            self._is_fresh = False
            self.query_one(DiffView).begin()

    def on_resize(self) -> None:
        self.call_after_refresh(self.show_now)

    @property
    def standing(self) -> Standing:
        return self.session.standing(self.file)

    def legend(self) -> Legend:
        state = self.standing.state
        return {"state": f"{self.file} is {state}: {MEANINGS[state]}", **super().legend()}

    def show_now(self) -> None:
        super().show_now()
        standing = self._shown = self.standing
        self.query_one(DiffView).take(self.session, standing)
        self.query_one("#headline", Static).update(
            f"{standing.module.file}: {standing.state},"
            f" {standing.decided}/{len(standing.module.hunks)} decided"
            f" · {light_signs(self.session.judged, standing)}"
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
        found = self.query_one(DiffView).go_to(step)
        self.say("" if found else "there is no further one")

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
        target = self._target(scope, hunk, standing)

        def decide(reason: str = "") -> None:
            self.do(lambda: deciding.decide(self.session, target, verdict, reason))
            if scope == "hunk" and verdict != "open":
                self._to_next_open(hunk)

        if verdict == "reject":
            heard = hunk.unit in self.session.outcome.consulted
            remark = f"{'the model hears it' if heard else 'kept with it'}; may be empty"
            self.ask(f"why reject {target.scope}?", decide, remark=remark)
        else:
            decide()

    @staticmethod
    def _target(scope: str, hunk: Hunk, standing: Standing) -> Target:
        if scope == "hunk":
            return of_hunk(standing, standing.module.hunks.index(hunk) + 1)
        return of_unit(standing, hunk.unit) if scope == "unit" else whole(standing)

    def _to_next_open(self, hunk: Hunk) -> None:
        hunks, diff = self.standing.module.hunks, self.query_one(DiffView)
        here = hunks.index(hunk) if hunk in hunks else 0
        if here + 1 < len(hunks):
            diff.go_to_hunk(here + 1)

    # --- saying and changing ------------------------------------------------------------------

    def action_edit(self) -> None:
        line = self.query_one(DiffView).line

        def change() -> str:
            return edited_words(self.session, edit(self.session, self.file, line))

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
        unit = hunk.unit if hunk else ""

        def note(text: str) -> None:
            name = hunk.name if hunk else ""
            self.do(lambda: told(self.session, self.session.note(self.file, unit, text, name)))

        remark = "g asks it again"
        if unit not in self.session.outcome.consulted:
            remark = "the rules know no other way: g then keeps the unit on the host"
        self.ask(f"what should the author of {unit or self.file} do?", note, remark=remark)

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
        """Of all checks, those that fail here first."""
        found = self.standing.found.evidence
        failing = {item.check for item in found if item.outcome is Outcome.FAILS}
        checks = sorted(check_names(), key=lambda check: (check not in failing, check))

        def until(check: str) -> None:
            def reason(day: str) -> None:
                def add(text: str) -> None:
                    waive = partial(self.session.waive, check, self.file, text, day)
                    self.do(lambda: told(self.session, waive()))

                self.ask("why can it be lived with?", add)

            self.ask(f"live with {check} here until which day (YYYY-MM-DD)?", reason)

        self.choose("waive which check here?", checks, lambda number: until(checks[number]))

    def action_turn_back(self) -> None:
        hunk = self.query_one(DiffView).hunk
        if hunk is None or not hunk.unit:
            self.say("there is no unit here")
            return
        unit = hunk.unit

        def turn_back(reason: str) -> None:
            self.do(lambda: told(self.session, self.session.turn_back(self.file, unit, reason)))

        self.ask(f"why keep {unit} on the host?", turn_back, remark="g then asks for that port")
