"""What authors made of tasks, as tables: a row a task, then all of an author's in one row."""

from collections.abc import Iterator, Sequence

from acclimate.workflows.evaluating.scores import Score, interval
from acclimate.workflows.showing.table import Cell, Column, show

_NUMERIC = frozenset({"attempts", "plausible", "tokens", "launches", "bytes"})
_WHY = 60  # characters of a reason


def tell_scores(scores: Sequence[Score]) -> None:
    """Print all scores, and what each author solved, side by side where there are several."""
    names = ("task", "author", "solved", "attempts", "plausible", "tokens", "launches", "bytes")
    columns = [Column(name, numeric=name in _NUMERIC) for name in names]
    ordered = sorted(scores, key=lambda score: score.task)
    show([*columns, Column("why not")], [[*_cells(s), Cell(s.note[:_WHY])] for s in ordered])
    print()
    authors = list(dict.fromkeys(score.author for score in scores))
    rows = [_summary(author, [s for s in scores if s.author == author]) for author in authors]
    titles = ("author", "solved at first", "solved", "refused", "rightly left", "plausible")
    costs = ("launches", "bytes", "tokens", "tokens a solved task")
    show([Column(title, numeric=title != "author") for title in (*titles, *costs)], rows)
    if any(score.stays for score in scores):
        print("rightly left: no parallel form exists; these are no part of the shares")
    if any(score.calls for score in scores):
        print("launches and bytes: of solved tasks, for one call of the unit")


def _cells(score: Score) -> Iterator[Cell]:
    yield Cell(score.task)
    yield Cell(score.author)
    yield Cell("solved", "good") if score.solved else Cell(f"refused ({score.verdict})", "open")
    for figure in (score.attempts, score.plausible, score.tokens):
        yield Cell(str(figure))
    for figure in (score.launches, score.bytes):
        yield Cell(_per_call(figure, score.calls))


def _summary(author: str, scores: Sequence[Score]) -> list[Cell]:
    rightly = [score for score in scores if score.stays and not score.solved]
    scores = [score for score in scores if not score.stays]
    solved = [score for score in scores if score.solved]
    first = [score for score in solved if score.at_first]
    tokens = sum(score.tokens for score in scores)
    calls = sum(score.calls or 1 for score in solved)
    return [
        Cell(author),
        Cell(_share(len(first), len(scores))),
        Cell(_share(len(solved), len(scores))),
        Cell(str(len(scores) - len(solved))),
        Cell(str(len(rightly))),
        Cell(str(sum(score.plausible for score in scores))),
        Cell(_per_call(sum(score.launches for score in solved), calls)),
        Cell(_per_call(sum(score.bytes for score in solved), calls)),
        Cell(str(tokens)),
        Cell(f"{tokens / len(solved):.0f}" if solved else ""),
    ]


def _share(hits: int, of: int) -> str:
    low, high = interval(hits, of)
    return f"{hits} of {of} ({low:.0%}-{high:.0%})"


def _per_call(figure: int, calls: int) -> str:
    return f"{figure / calls:.4g}" if calls > 1 else str(figure)
