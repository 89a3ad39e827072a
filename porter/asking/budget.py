"""What a migration may cost: asked before each call, settled behind it."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from acclimate.analysis.problems import Kind, Problem
from acclimate.porter.asking.prices import Price


class BudgetReached(Problem):
    """The next call could exceed a cap; nothing was sent."""

    def __init__(self, what: str, option: str, need: str) -> None:
        super().__init__(
            f"the budget is reached: {what}",
            kind=Kind.BUDGET,
            notes=("everything paid for is kept and is not paid for again",),
            hint=f"run the same command with {option} {need} or more to go on",
        )


@dataclass(slots=True)
class Budget:
    """Caps (None: none) over all runs of one migration; `used` and `cost` begin with what earlier
    runs spent. `price` None means that the model's price is not known."""

    max_tokens: int | None = None
    max_cost: float | None = None
    max_seconds: float | None = None
    price: Price | None = None
    used: int = 0
    cost: float = 0.0
    clock: Callable[[], float] = time.monotonic
    _held: int = 0
    _held_cost: float = 0.0
    _begun: float | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        if self.max_cost is not None and self.price is None:
            raise Problem(
                "--max-cost needs the model's price, which is not known",
                notes=("an unknown price is not zero",),
                hint="add it to [author.prices] in acclimate.toml, or cap tokens: --max-tokens",
            )
        self._begun = self.clock()

    @contextmanager
    def reserved(self, prompt: int, output: int) -> Iterator[None]:
        """Hold what a call may use at most while it runs.

        Raises:
            BudgetReached: a cap could be exceeded; nothing is held.
        """
        cost = self.price.of(prompt, output) if self.price else 0.0
        with self._lock:
            self._check(prompt + output, cost)
            self._held += prompt + output
            self._held_cost += cost
        try:
            yield
        finally:
            with self._lock:
                self._held -= prompt + output
                self._held_cost -= cost

    def spend(self, prompt: int, output: int) -> None:
        with self._lock:
            self.used += prompt + output
            self.cost += self.price.of(prompt, output) if self.price else 0.0

    def _check(self, tokens: int, cost: float) -> None:
        total = self.used + self._held + tokens
        if self.max_tokens is not None and total > self.max_tokens:
            said = f"{self.used} tokens are used, the next call may take {tokens}"
            raise BudgetReached(said, "--max-tokens", str(total))
        money = self.cost + self._held_cost + cost
        if self.max_cost is not None and money > self.max_cost:
            said = f"{self.cost:.4f} is spent, the next call may cost {cost:.4f}"
            raise BudgetReached(said, "--max-cost", f"{money:.4f}")
        passed = self.clock() - (self._begun or 0.0)
        if self.max_seconds is not None and passed > self.max_seconds:
            said = f"{passed:.0f} s have passed"
            raise BudgetReached(said, "--max-time", f"{self.max_seconds * 2:.0f}")
