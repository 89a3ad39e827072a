"""The options that say who writes a port, and the model behind them."""

import argparse
from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from acclimate.analysis.problems import Problem

if TYPE_CHECKING:
    from acclimate.analysis.tree.manifest import Manifest
    from acclimate.porter.asking.asker import Provider
    from acclimate.porter.asking.budget import Budget
    from acclimate.porter.author.consultant import Consultant
    from acclimate.porter.author.settings import Settings

AUTHORS = ("rules", "both", "model")
_SETTINGS = ("endpoint", "model", "window", "output", "attempts", "best_of", "calls")
_VALUES = (*_SETTINGS, "max_tokens", "max_cost", "max_time", "requests", "replies")


def author_arguments(parser: argparse.ArgumentParser, also: tuple[str, ...] = ()) -> None:
    """Options of commands that may ask a model; without them nothing is sent anywhere.

    `also` are authors that this command knows besides.
    """
    group = parser.add_argument_group("a language model as author")
    group.add_argument(
        "--author",
        choices=(*AUTHORS, *also),
        default="rules",
        help="rules (default); both: a model where rules refuse; model: it is asked for every unit",
    )
    group.add_argument(
        "--ask", metavar="GLOB", action="append", default=[], help="ask about these units only"
    )
    group.add_argument("--endpoint", metavar="URL", help="of any OpenAI-compatible server")
    group.add_argument("--model", metavar="NAME", help="the model's name there")
    group.add_argument("--window", metavar="TOKENS", type=int, help="context of the model")
    group.add_argument("--output", metavar="TOKENS", type=int, help="longest reply")
    group.add_argument("--attempts", metavar="N", type=int, help="replies a unit (default 3)")
    group.add_argument("--best-of", metavar="N", type=int, help="replies an attempt (default 1)")
    group.add_argument("--calls", metavar="N", type=int, help="calls at once (default 4)")
    group.add_argument("--max-tokens", metavar="N", type=int, help="stop before more are used")
    group.add_argument("--max-cost", metavar="SUM", type=float, help="stop before it is exceeded")
    group.add_argument("--max-time", metavar="SECONDS", type=float, help="no call after that")
    group.add_argument("--requests", metavar="FILE", type=Path, help="write a batch, send nothing")
    group.add_argument(
        "--replies", metavar="PATH", type=Path, help="batch output, or a folder of recorded replies"
    )
    group.add_argument("--show-prompts", action="store_true", help="print them, ask nothing")


def author_words(options: argparse.Namespace) -> list[str]:
    """The options of this group as words of a command line, those that were given."""
    words = [] if options.author == "rules" else ["--author", options.author]
    words += [f"--ask={pattern}" for pattern in options.ask]
    for name in _VALUES:
        value = getattr(options, name)
        if value is not None:
            words += [f"--{name.replace('_', '-')}", str(value)]
    return words


def chosen_settings(options: argparse.Namespace, tree: Path) -> "Settings":
    """The tree's `[author]` with what the command line says.

    Raises:
        Problem: the file is not valid, or no model is named.
    """
    from acclimate.porter.author.settings import author_settings, checked

    given = {
        name: getattr(options, name) for name in _SETTINGS if getattr(options, name) is not None
    }
    if any(isinstance(value, int) and value < 1 for value in given.values()):
        raise Problem("the numbers of --window, --output, ... begin with 1", hint="see --help")
    settings = checked(replace(author_settings(tree), **given))
    if not settings.model:
        raise Problem(
            f"--author {options.author} needs a model",
            hint="name one: --model NAME, or [author] model in acclimate.toml",
        )
    return settings


def choice_of(options: argparse.Namespace, settings: "Settings | None") -> str:
    """The author as a part of a migration's name: all that replies depend on."""
    if settings is None:
        return "rules"
    digest = sha256(repr(settings.asks_for).encode()).hexdigest()[:12]
    return f"{options.author}:{settings.model}:{digest}"


def consultant_of(
    options: argparse.Namespace, settings: "Settings", manifest: "Manifest", work: Path
) -> "Consultant":
    """The model that is asked, with what it may cost.

    Raises:
        Problem: no endpoint is named, replies cannot be read, or a price is not known.
    """
    from acclimate.porter.asking.asker import Asker
    from acclimate.porter.asking.journal import Journal
    from acclimate.porter.asking.reply_store import ReplyStore
    from acclimate.porter.author.consultant import Consultant

    folder = work / "author"
    store = ReplyStore(folder / "replies")
    journal = Journal(folder / "journal.jsonl", f"{manifest.name} {choice_of(options, settings)}")
    provider = _provider(options, settings, store)
    budget = _budget(options, settings, journal.spent())
    return Consultant(Asker(provider, store, budget, journal), settings)


def _budget(options: argparse.Namespace, settings: "Settings", spent: tuple[int, int]) -> "Budget":
    from acclimate.porter.asking.budget import Budget

    price = settings.price
    return Budget(
        max_tokens=options.max_tokens,
        max_cost=options.max_cost,
        max_seconds=options.max_time,
        price=price,
        used=sum(spent),
        cost=price.of(*spent) if price else 0.0,
    )


def _provider(options: argparse.Namespace, settings: "Settings", store: object) -> "Provider":
    from acclimate.porter.asking.reply_store import ReplyStore
    from acclimate.porter.providers.batch import Batch, take_in
    from acclimate.porter.providers.replay import Replay

    assert isinstance(store, ReplyStore)
    replies: Path | None = options.replies
    if options.requests is not None:
        if replies is not None:
            take_in(replies, options.requests, store)
        return Batch(options.requests)
    if replies is not None:
        if not replies.is_dir():
            raise Problem(
                f"'{replies}' is no folder of recorded replies",
                hint="give a folder, or --requests FILE too where it answers a batch",
            )
        return Replay(replies)
    if options.show_prompts:
        return Batch(Path("/dev/null"))
    if not settings.endpoint:
        raise Problem(
            "no endpoint is named",
            hint="--endpoint URL, [author] endpoint in acclimate.toml, or --requests FILE for a"
            " batch",
        )
    from acclimate.porter.author.keys import endpoint_key
    from acclimate.porter.providers.openai import Endpoint

    return Endpoint(settings.endpoint, endpoint_key(settings.endpoint))


def account(consultant: "Consultant", lines: Iterable[dict[str, object]]) -> str:
    """What was asked and paid so far, as one line."""
    noted = list(lines)
    calls = [line for line in noted if line["what"] == "call"]
    failed = sum(line["what"] == "failed-call" for line in noted)
    budget = consultant.asker.budget
    cost = f"cost {budget.cost:.4f}" if budget.price else "price not known"
    return (
        f"model: {len(calls)} calls, {failed} failed tries, {budget.used} tokens, {cost}"
        f" (journal: {consultant.asker.journal.path})"
    )
