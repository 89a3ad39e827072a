"""What the calls about each unit took, from the lines of a journal."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Spent:
    """Tokens of all calls about one unit, failed tries included; `cost` None: not known."""

    calls: int = 0
    prompt_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None


def spent_by_unit(lines: Iterable[dict[str, Any]]) -> dict[str, Spent]:
    """The sums by unit, which a label begins with; one call of unknown cost makes a sum unknown."""
    calls: dict[str, list[dict[str, Any]]] = {}
    lost: dict[str, int] = {}
    for line in lines:
        if line["what"] not in ("call", "failed-call"):
            continue
        unit = line["label"].split(".")[0]
        if line["what"] == "call":
            calls.setdefault(unit, []).append(line)
        else:
            lost[unit] = lost.get(unit, 0) + line["prompt_tokens"] + line["output_tokens"]
    units = dict.fromkeys([*calls, *lost])
    return {unit: _sum(calls.get(unit, []), lost.get(unit, 0)) for unit in units}


def _sum(calls: list[dict[str, Any]], lost: int) -> Spent:
    costs = [call["cost"] for call in calls]
    known = bool(calls) and not lost and None not in costs
    return Spent(
        calls=len(calls),
        prompt_tokens=sum(call["prompt_tokens"] for call in calls) + lost,
        output_tokens=sum(call["output_tokens"] for call in calls),
        cost=sum(costs) if known else None,
    )
