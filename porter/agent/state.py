"""What a checkpoint holds: keys into the store and counters, never a text."""

import operator
from typing import Annotated, TypedDict


class Migration(TypedDict, total=False):
    """Each key names an artefact of `artefacts.py` in the store.

    `drafts` maps a unit to its `Answer`; `turned_back` maps a unit to the `Feedback` that put it
    back on the host, `feedback` one to what its author is to hear before the next attempt.
    `reviewed` names what a person let land in place of `tree`, "" for none. `consulted` maps a unit
    to its `Consultation` with a model, `advice` to the `Feedback` on it, whose `attempt` is the
    consultation's `turn` that it speaks of; `wishes` to what people said of it that the model has
    not heard yet, "" where it has.
    """

    surveyed: str
    planned: str
    drafts: Annotated[dict[str, str], operator.or_]
    turned_back: Annotated[dict[str, str], operator.or_]
    feedback: Annotated[dict[str, str], operator.or_]
    consulted: Annotated[dict[str, str], operator.or_]
    advice: Annotated[dict[str, str], operator.or_]
    wishes: Annotated[dict[str, str], operator.or_]
    attempt: int
    tree: str
    examination: str
    mendable: bool  # rejected, and there is a change to take back
    reviewed: str
    asked_again: bool  # the reviewer wants another attempt
    answered: str  # the name of the last decision that was heard
    landed: str


class Draft(TypedDict):
    """The part of a migration that one `draft` task is given."""

    unit: str
    turned_back: dict[str, str]
    feedback: dict[str, str]
    consulted: dict[str, str]
    total: int  # tasks of this kind
