"""The list of modules: one line each, filtered, searched and sorted."""

from collections.abc import Callable, Sequence
from itertools import accumulate

from rich.segment import Segment
from rich.style import Style

from acclimate.workflows.reporting import wording
from acclimate.workflows.reviewing.screens.line_view import LineView
from acclimate.workflows.reviewing.screens.palette import (
    HEAD,
    LIGHT_SIGNS,
    LIGHT_STYLES,
    STATE_STYLES,
)
from acclimate.workflows.reviewing.session import Standing
from acclimate.workflows.reviewing.states import State
from acclimate.workflows.reviewing.telling import LIGHTS

_ORDER = list(State)
SORTS: dict[str, Callable[[Standing], tuple[object, ...]]] = {
    "state": lambda s: (_ORDER.index(s.state), -s.module.risk),
    "risk": lambda s: (-s.module.risk,),
    "rank": lambda s: (-s.module.score,),
    "run time": lambda s: (-(s.module.share or 0.0),),
    "size": lambda s: (-s.module.size,),
    "name": lambda s: (),
}
FILTERS = ("to decide", "changed", *State, "all")
_TO_DECIDE = (State.DISPUTED, State.FAILED, State.PORTED, State.WAIVED, State.VERIFIED)

_FIXED = 9 + 1 + 4 * 5 + 7  # columns of state, lights and what is decided
_SHORTEST = 16  # columns of a name
_FIGURES: tuple[tuple[str, Callable[[Standing], str]], ...] = (
    (" lines", lambda s: f"{s.module.size or wording.NONE:>6}"),
    (" time", lambda s: f"{_percent(s.found.share):>5}"),
    (" risk", lambda s: f"{s.module.risk or wording.NONE:>5}"),
)


class ModuleList(LineView):
    """Modules as lines; `filter`, `sort` and `search` say which, and in which order."""

    def __init__(self) -> None:
        super().__init__(id="modules")
        self.filter, self.sort, self.search = "changed", "state", ""
        self.before = "all"  # the filter that F goes back to
        self.shown: list[Standing] = []

    def take(self, standings: Sequence[Standing]) -> None:
        """Show these modules; the cursor stays on the module it was on."""
        before = self.current
        kept = [s for s in standings if self._wanted(s, self.filter)]
        self.shown = sorted(kept, key=lambda s: (*SORTS[self.sort](s), s.module.file))
        files = [standing.module.file for standing in self.shown]
        if before is not None and before.module.file in files:
            self.cursor = files.index(before.module.file)
        self.renew()

    def others(self) -> list[str]:
        """The files of the modules below the cursor, then of those above it."""
        files = [standing.module.file for standing in self.shown]
        return files[self.cursor + 1 :] + files[: self.cursor]

    def go_on(self, file: str, others: Sequence[str]) -> None:
        """From a module that is decided on to the first of the others that is not."""
        place = {standing.module.file: n for n, standing in enumerate(self.shown)}
        is_open = {s.module.file for s in self.shown if s.decided < len(s.module.hunks)}
        if file not in is_open:
            self.cursor = next((place[f] for f in others if f in is_open), self.cursor)

    @property
    def current(self) -> Standing | None:
        return self.shown[self.cursor] if self.cursor < len(self.shown) else None

    def number(self, standings: Sequence[Standing], name: str) -> int:
        """How many modules a filter would show."""
        return sum(self._wanted(standing, name) for standing in standings)

    def _wanted(self, standing: Standing, name: str) -> bool:
        module, text = standing.module, self.search.lower()
        names = (module.file, module.title, *(unit.name for unit in module.units))
        if text and not any(text in name.lower() for name in names):
            return False
        match name:
            case "all":
                return True
            case "changed":
                return standing.state not in (State.HOST, State.REFUSED)
            case "to decide":
                return standing.state in _TO_DECIDE
            case state:
                return standing.state == state

    def count(self) -> int:
        return len(self.shown)

    def segments(self, line: int) -> Sequence[Segment]:
        standing = self.shown[line]
        module = standing.module
        name = module.file if not module.title else f"{module.file} ({module.title})"
        cells = [
            Segment(f"{standing.state:<9}", STATE_STYLES[standing.state]),
            Segment(_fitted(name, self._room) + " ", Style(bold=bool(module.hunks))),
        ]
        for light in LIGHTS:
            outcome = standing.found.lights[light]
            cells.append(Segment(f"{LIGHT_SIGNS[outcome]:^5}", LIGHT_STYLES[outcome]))
        decided = f"{standing.decided}/{len(module.hunks)}" if module.hunks else wording.NONE
        cells.append(Segment(f"{decided:>7}"))
        return cells + [Segment(text(standing)) for _, text in self._figures]

    @property
    def _figures(self) -> list[tuple[str, Callable[[Standing], str]]]:
        """The columns of figures that have room beside the shortest names."""
        room = self.room - _FIXED - _SHORTEST
        ends = accumulate(len(heading) for heading, _ in _FIGURES)
        return [figure for figure, end in zip(_FIGURES, ends, strict=True) if end <= room]

    @property
    def _room(self) -> int:
        """Columns that are left for names."""
        taken = _FIXED + sum(len(heading) for heading, _ in self._figures)
        return max(_SHORTEST, self.room - taken)

    def heading(self) -> list[Segment]:
        """The line above the list."""
        name = _fitted("module", self._room)
        text = f"{'state':<9}{name} {'data':^5}{'race':^5}{'num':^5}{'dev':^5}"
        figures = "".join(heading for heading, _ in self._figures)
        return [Segment(f"{text}{'decided':>7}{figures}", HEAD)]


def _fitted(text: str, room: int) -> str:
    """The text in exactly so many columns; what is too long loses its middle."""
    if len(text) <= room:
        return text.ljust(room)
    half = (room - 1) // 2
    return f"{text[: room - 1 - half]}…{text[-half:]}"


def _percent(share: float | None) -> str:
    return wording.NONE if share is None else f"{100 * share:.0f}%"
