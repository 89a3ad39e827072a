"""Progress on standard error: bars on a terminal, plain lines elsewhere."""

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from threading import Lock
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


class Sign(Protocol):
    """One sign of progress, as the porter and the verifier give it.

    `total` is 0 where the number of steps is not known.
    """

    @property
    def stage(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def advance(self) -> int: ...
    @property
    def total(self) -> int: ...


class Listener(Protocol):
    def __call__(self, sign: Sign, /) -> None: ...

    def paused(self) -> AbstractContextManager[None]:
        """Leave the terminal alone inside the block."""


@contextmanager
def shown() -> Iterator[Listener]:
    """Show the signs given inside the block."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        yield PlainLines()
        return
    with Progress(
        SpinnerColumn(finished_text="[green]✓"),
        TextColumn("{task.description:<10}"),
        BarColumn(bar_width=24),
        TextColumn("{task.fields[text]}", markup=False),
        TimeElapsedColumn(),
        console=console,
    ) as bars:
        yield Bars(bars)


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Show on a terminal that something is being done, and for how long; elsewhere nothing."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown_now:
        shown_now.add_task(what, total=None)
        yield


class Bars:
    """One bar for each stage; signs may come from several threads."""

    def __init__(self, bars: "Progress") -> None:
        self._bars = bars
        self._lock = Lock()
        self._tasks: dict[str, TaskID] = {}

    def __call__(self, sign: Sign) -> None:
        with self._lock:
            if sign.stage not in self._tasks:
                self._tasks[sign.stage] = self._bars.add_task(sign.stage, total=None, text="")
            task = self._tasks[sign.stage]
        self._bars.update(task, text=sign.text, advance=sign.advance, total=sign.total or None)

    @contextmanager
    def paused(self) -> Iterator[None]:
        self._bars.stop()
        try:
            yield
        finally:
            self._bars.start()


class PlainLines:
    """One line for each sign; of many steps of one stage, only every tenth part has a line.

    Signs may come from several threads.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._done: dict[str, int] = {}

    def __call__(self, sign: Sign) -> None:
        with self._lock:
            done = self._done[sign.stage] = self._done.get(sign.stage, 0) + sign.advance
            text = sign.text
            if sign.total > 1:
                part = max(1, sign.total // 10)
                if done % part and done != sign.total:
                    return
                text = f"{done} of {sign.total}"
            print(f"{sign.stage}: {text}", file=sys.stderr, flush=True)

    def paused(self) -> AbstractContextManager[None]:
        return nullcontext()
