"""How a model is asked: `[author]` in acclimate.toml, and what the command line says otherwise."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from acclimate.analysis.problems import Problem
from acclimate.analysis.tree.manifest import FILE_NAME
from acclimate.analysis.tree.toml_table import TomlTable, read_toml
from acclimate.porter.asking.prices import Price, price_of

_KEYS = ("endpoint", "model", "window", "output", "temperature", "seed", "attempts", "best_of")


@dataclass(frozen=True, slots=True)
class Settings:
    """`window` and `output` are tokens, `attempts` replies a unit, `calls` calls at once.

    `prices` are for a million prompt and output tokens, by the model's name or a glob.
    """

    endpoint: str = ""
    model: str = ""
    window: int = 32768
    output: int = 4096
    temperature: float = 0.0
    seed: int = 0
    attempts: int = 3
    best_of: int = 1
    calls: int = 4
    prices: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    @property
    def price(self) -> Price | None:
        return price_of(self.model, self.prices)

    @property
    def asks_for(self) -> tuple[object, ...]:
        """All that replies depend on, as part of a migration's name."""
        return (self.model, self.window, self.output, self.temperature, self.seed) + (
            self.attempts,
            self.best_of,
        )


def author_settings(tree: Path) -> Settings:
    """The settings of a model tree; defaults where its acclimate.toml has no `[author]`.

    Raises:
        Problem: a key is not known, or a value has the wrong type.
    """
    file = tree / FILE_NAME
    table = read_toml(file).table("author") if file.is_file() else None
    if table is None:
        return Settings()
    table.allow(*_KEYS, "calls", "prices")
    known = Settings()
    return Settings(
        endpoint=table.text("endpoint", ""),
        model=table.text("model", ""),
        window=int(table.number("window", known.window)),
        output=int(table.number("output", known.output)),
        temperature=table.number("temperature", 1.0) if "temperature" in table else 0.0,
        seed=int(table.number("seed", 1.0)) if "seed" in table else 0,
        attempts=int(table.number("attempts", known.attempts)),
        best_of=int(table.number("best_of", known.best_of)),
        calls=int(table.number("calls", known.calls)),
        prices=_prices(table.table("prices")),
    )


def _prices(table: TomlTable | None) -> dict[str, tuple[float, float]]:
    found: dict[str, tuple[float, float]] = {}
    for name in table or ():
        assert table is not None
        value = table.raw(name)
        if (
            not isinstance(value, list)
            or len(value) != 2
            or not all(isinstance(v, int | float) and v >= 0 for v in value)
        ):
            table.refuse(name, f"the price of '{name}' is not [prompt, output] a million tokens")
        found[name] = (float(value[0]), float(value[1]))
    return found


def checked(settings: Settings) -> Settings:
    """The same settings, if they go together.

    Raises:
        Problem: the reply would fill the window.
    """
    if settings.output * 2 > settings.window:
        raise Problem(
            f"replies of {settings.output} tokens do not fit a window of {settings.window}",
            hint="lower --output, or tell the endpoint's real --window",
        )
    return settings
