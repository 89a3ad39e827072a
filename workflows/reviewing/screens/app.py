"""The review on a terminal."""

from textual.app import App

from acclimate.workflows.reviewing.session import Session


class ReviewApp(App[None]):
    """placeholder"""

    def __init__(self, session: Session, *, waited_for: bool = False) -> None:
        super().__init__()
