"""The review on a terminal."""

import gc
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import ClassVar, TypeAlias

from textual.app import App, ScreenStackError
from textual.binding import BindingType
from textual.filter import LineFilter

from acclimate.workflows.reviewing.plain_work import MAIN
from acclimate.workflows.reviewing.screens.bare import Bare
from acclimate.workflows.reviewing.screens.bindings import bound
from acclimate.workflows.reviewing.screens.fortran_colours import coloured
from acclimate.workflows.reviewing.screens.list_screen import ListScreen
from acclimate.workflows.reviewing.screens.module_screen import ModuleScreen
from acclimate.workflows.reviewing.screens.review_screen import ReviewScreen
from acclimate.workflows.reviewing.session import Session

Keymap: TypeAlias = Mapping[str, str]
"""Keys that a user gives to actions, by the names of the bindings."""
_LOOK = 1.0  # s between two looks at the journal and the migration


class ReviewApp(App[None]):
    """All screens of one session; `waited_for`: a migration in this process goes on after it."""

    TITLE = "acclimate review"
    CSS_PATH = "review.tcss"
    ENABLE_COMMAND_PALETTE = False  # Textual's own takes a third of a second to open
    BINDINGS: ClassVar[list[BindingType]] = [
        replace(bound("review", "leave", "ctrl+c", "quit", "quit; all is kept"), priority=True)
    ]

    def __init__(
        self,
        session: Session,
        *,
        waited_for: bool = False,
        argv: Callable[[str], Sequence[str]] | None = None,
        keys: Keymap = MappingProxyType({}),
    ) -> None:
        super().__init__()
        self.session, self.waited_for, self.given = session, waited_for, keys
        self.argv = argv or self._own_argv
        self._module: ModuleScreen | None = None

    def on_mount(self) -> None:
        self.set_keymap(dict(self.given))
        self.push_screen(ListScreen())
        self.call_after_refresh(self._settle)
        self.set_interval(_LOOK, self._look)

    @staticmethod
    def _settle() -> None:
        """What was read stays: collecting it again and again would hold up a key for 0.1 s. And the
        first line to be coloured takes as long as a thousand others."""
        gc.freeze()
        for fixed in (False, True):
            coloured("end", fixed)

    def open_module(self, file: str) -> None:
        """Show a module; its screen is made once, since that takes longest."""
        self._forget()
        if self._module is None:
            self._module = ModuleScreen(file)
            self.install_screen(self._module, "module")
        self._module.look_at(file)
        self.push_screen("module")

    def close_module(self) -> None:
        self._forget()
        self.pop_screen()

    def _forget(self) -> None:
        """What was said on a screen is about it: the next one begins without."""
        if isinstance(self.screen, ReviewScreen):
            self.screen.forget()

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Textual would turn colours into shades of grey, which are colours too."""
        return (Bare(),) if self.no_color else super().get_line_filters()

    def _look(self) -> None:
        """Show what other reviewers or a running migration have done meanwhile."""
        try:
            screen = self.screen
        except ScreenStackError:  # the review is being left
            return
        if isinstance(screen, ReviewScreen) and self.session.reload():
            screen.show_now()

    def _own_argv(self, line: str) -> Sequence[str]:
        """The line command as a process of this program."""
        session = self.session
        words = ["review", str(session.model), "--reviewer", session.reviewer, "-c", line]
        return (sys.executable, "-c", MAIN, *words)
