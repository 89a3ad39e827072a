"""What asking will take at most, before anything is sent."""

from collections.abc import Set
from dataclasses import dataclass

from acclimate.porter.asking.question import most_tokens
from acclimate.porter.author.consultant import Consultant
from acclimate.porter.author.prompt import Desk, Prompt, TooLarge, prompts
from acclimate.porter.author.task import tasks


@dataclass(frozen=True, slots=True)
class Estimate:
    """The prompts of all first attempts, and what they may take in words."""

    prompts: tuple[Prompt, ...]
    text: str


def estimate(desk: Desk, consultant: Consultant, leave: Set[str], *, everything: bool) -> Estimate:
    """Tokens and cost of first attempts, and of all attempts if every one of them fails."""
    made = [
        prompt
        for task in tasks(desk.plan, desk.index, leave, everything=everything)
        for prompt in prompts(task, desk)
    ]
    asked = tuple(p for p in made if isinstance(p, Prompt))
    large = [p for p in made if isinstance(p, TooLarge)]
    settings = consultant.settings
    calls = len(asked) * settings.best_of
    prompt = settings.best_of * sum(most_tokens(p.system) + most_tokens(p.user) for p in asked)
    output = calls * settings.output
    price = settings.price
    cost = f", cost {price.of(prompt, output):.4f}" if price else ", price not known"
    text = (
        f"model: {len(asked)} prompts, {calls} calls of {settings.model}; at most"
        f" {prompt + output} tokens{cost}; with repairs up to {settings.attempts} times that"
    )
    if large:
        needed = max(part.needed for part in large)
        text += f"; {len(large)} units or nests need a window of up to {needed} tokens"
    return Estimate(asked, text)
