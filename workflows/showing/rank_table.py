"""The portability ranking as a table: what a port gains, and the parts of the score."""

from collections.abc import Sequence

from acclimate.analysis.graph.profile import Profile
from acclimate.analysis.graph.ranking import Rank
from acclimate.workflows.showing.table import Cell, Column, columns_that_fit, show

_READY, _CLEAR = 0.9, 0.8  # from here on a part of the score is good
_UNKNOWN_SHOWN = 5
_EXPLANATION = (
    "score = time x open x clear: the share of the model's time that a port of it could reach.\n"
    "time: {time}; open: of it in loops that may run in parallel\n"
    "and are on no device yet; clear: 100 % without doubts (unread, GOTO, aliases, I/O, externals)."
)


def print_ranking(
    ranks: Sequence[Rank], most: int | None, what: str, profile: Profile | None
) -> None:
    """The best `most` of the ranks (None: all); `what` they are: "procedure", "module", "file"."""
    worth = [rank for rank in ranks if rank.score > 0]
    told = worth[:most] if most else list(ranks)
    columns = [
        Column("#", True),
        Column(what),
        Column("score", True),
        Column("time", True),
        Column("open", True),
        Column("clear", True),
        Column("loops", True),
        Column("place"),
        Column("doubts"),
    ]
    rows = [_row(number, rank) for number, rank in enumerate(told, 1)]
    if not rows:
        print("nothing to rank: no loop may run in parallel")
        return
    kept = columns_that_fit(columns, rows, (8, 7, 6))
    show([columns[n] for n in kept], [[row[n] for n in kept] for row in rows])
    rest = sum(rank.score for rank in ranks) - sum(rank.score for rank in told)
    if len(worth) > len(told):
        print(
            f"and {len(worth) - len(told)} more {what}s with {_percent(rest)} together"
            " (--rank 0: all)"
        )
    time = "seconds of the profile" if profile else "static, from trip counts (see --profile)"
    print("\n" + _EXPLANATION.format(time=time))
    if profile is not None and profile.unknown:
        _print_unknown(profile)


def _row(number: int, rank: Rank) -> list[Cell]:
    return [
        Cell(str(number)),
        Cell(rank.name),
        Cell(_percent(rank.score)),
        Cell(_percent(rank.share)),
        Cell(_percent(rank.open), "good" if rank.open >= _READY else "open"),
        Cell(_percent(rank.clarity), "good" if rank.clarity >= _CLEAR else "open"),
        Cell(str(rank.loops)),
        Cell(f"{rank.file}:{rank.line}"),
        Cell(", ".join(f"{count} {what}" for what, count in rank.doubts)),
    ]


def _percent(part: float) -> str:
    if 0 < part < 0.001:
        return "<0.1 %"
    return f"{100 * part:.1f} %" if part < 0.9995 else "100 %"


def _print_unknown(profile: Profile) -> None:
    known, lost = sum(profile.seconds.values()), sum(time for _, time in profile.unknown)
    names = ", ".join(name for name, _ in profile.unknown[:_UNKNOWN_SHOWN])
    more = ", ..." if len(profile.unknown) > _UNKNOWN_SHOWN else ""
    print(
        f"note: {_percent(lost / (known + lost) if lost else 0.0)} of the profile's time is in"
        f" names outside the model: {names}{more}"
    )
