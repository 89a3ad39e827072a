"""Knowledge cards: what a pattern looks like, a wrong port, and a right one."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from acclimate.analysis.problems import Problem

_CARD = re.compile(r"---\nwhen: *(?P<when>[^\n]+)\n---\n(?P<text>.+)", re.DOTALL)
_CODE = re.compile(r"```fortran\n(.*?)```", re.DOTALL)
_LARGEST = 8000  # characters


@dataclass(frozen=True, slots=True)
class Card:
    """`when` are the facts that it helps with: reasons of obstacles, verdicts, constructs."""

    name: str
    when: frozenset[str]
    text: str
    of_site: bool = False

    @property
    def code(self) -> tuple[str, ...]:
        """Its programs: the pattern, the wrong port, the right port."""
        return tuple(_CODE.findall(self.text))


def own_cards() -> tuple[Card, ...]:
    """The cards of this program, by name."""
    folder = files("acclimate.prompts").joinpath("cards")
    found = [c for c in folder.iterdir() if c.name.endswith(".md")]
    return tuple(
        _card(c.name.removesuffix(".md"), c.read_text(encoding="utf-8"), c.name)
        for c in sorted(found, key=lambda c: c.name)
    )


def site_cards(folder: Path) -> tuple[Card, ...]:
    """The cards of a user's tree; none where there is no such folder.

    Raises:
        Problem: a card has no `when:` head, is too long or cannot be read.
    """
    if not folder.is_dir():
        return ()
    cards = []
    for path in sorted(folder.glob("*.md")):
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise Problem(f"cannot read the card '{path}': {error}") from error
        card = _card(path.stem, text, str(path))
        cards.append(Card(card.name, card.when, card.text, of_site=True))
    return tuple(cards)


def _card(name: str, text: str, where: str) -> Card:
    match = _CARD.match(text)
    if match is None or len(text) > _LARGEST:
        raise Problem(
            f"'{where}' is no knowledge card",
            notes=(
                f"a card begins with '---', 'when: words', '---' and has {_LARGEST} characters",
            ),
            hint="see prompts/README.md",
        )
    when = frozenset(word.strip() for word in match["when"].split(",") if word.strip())
    return Card(name, when, match["text"].strip())


def matching(cards: Iterable[Card], facts: Iterable[str], most: int) -> tuple[Card, ...]:
    """The cards with most facts in common, a site's own first; `any` matches always."""
    known = frozenset(facts) | {"any"}
    ranked = sorted(
        (card for card in cards if card.when & known),
        key=lambda card: (not card.of_site, -_weight(card, known), card.name),
    )
    return tuple(ranked[:most])


_BROAD = frozenset({"serial", "parallel", "rewrite", "unknown", "reduction", "host"})


def _weight(card: Card, known: frozenset[str]) -> int:
    """Reasons count more than verdicts, which most loops share."""
    common = card.when & known
    return 3 * len(common - _BROAD) + len(common & _BROAD)
