"""What tokens cost, as the user's configuration says."""

from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase


@dataclass(frozen=True, slots=True)
class Price:
    """In the user's currency for a million tokens."""

    prompt: float
    output: float

    def of(self, prompt: int, output: int) -> float:
        """The cost of so many tokens."""
        return (self.prompt * prompt + self.output * output) / 1e6


def price_of(model: str, prices: Mapping[str, tuple[float, float]]) -> Price | None:
    """The price of a model by its name or the longest glob that matches it; None: not known."""
    known = sorted((p for p in prices if fnmatchcase(model, p)), key=len)
    return Price(*prices[known[-1]]) if known else None
