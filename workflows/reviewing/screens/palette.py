"""Signs and colours. The signs and words carry the meaning; colours, safe for the colour-blind,
repeat it."""

from rich.style import Style

from acclimate.workflows.reviewing.decisions import Mark
from acclimate.workflows.reviewing.judging import NOT_VERIFIED
from acclimate.workflows.reviewing.modules import UNCHANGED
from acclimate.workflows.reviewing.states import State
from acclimate.workflows.reviewing.telling import SIGNS

BLUE, ORANGE, YELLOW, PURPLE, GREY = "#56b4e9", "#e69f00", "#f0e442", "#cc79a7", "#9a9a9a"

PLUS = Style(color=BLUE)
MINUS = Style(color=ORANGE)
HEAD = Style(bold=True)
FAINT = Style(color=GREY)
FOUND = Style(underline=True, bold=True)

LIGHT_SIGNS = SIGNS
LIGHT_STYLES = {
    "holds": Style(color=BLUE),
    "fails": Style(color=ORANGE, bold=True),
    "inconclusive": Style(color=YELLOW),
    NOT_VERIFIED: Style(color=YELLOW),
    UNCHANGED: FAINT,
}
MARK_SIGNS = {Mark.OPEN: "?", Mark.ACCEPTED: "✓", Mark.REJECTED: "✗", Mark.DISPUTED: "!"}
MARK_STYLES = {
    Mark.OPEN: Style(color=YELLOW, bold=True),
    Mark.ACCEPTED: Style(color=BLUE, bold=True),
    Mark.REJECTED: Style(color=ORANGE, bold=True),
    Mark.DISPUTED: Style(color=PURPLE, bold=True),
}
STATE_STYLES = {
    State.DISPUTED: Style(color=PURPLE, bold=True),
    State.FAILED: Style(color=ORANGE, bold=True),
    State.PORTED: Style(color=YELLOW),
    State.WAIVED: Style(color=YELLOW),
    State.VERIFIED: Style(color=BLUE),
    State.REVIEWED: Style(color=BLUE, bold=True),
    State.LANDED: Style(bold=True),
    State.PLANNED: FAINT,
    State.REFUSED: FAINT,
    State.HOST: FAINT,
}
