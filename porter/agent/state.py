"""What a checkpoint holds: keys into the store and counters, never a text."""

import operator
from typing import Annotated, TypedDict


class Migration(TypedDict, total=False):
    """Each key names an artefact of `artefacts.py` in the store.

    `drafts` maps a unit to its `Answer`; `turned_back` maps a unit to the `Feedback` that put it
    back on the host.
    """

    surveyed: str
    planned: str
    drafts: Annotated[dict[str, str], operator.or_]
    turned_back: Annotated[dict[str, str], operator.or_]
    attempt: int
    tree: str
    examination: str
    mendable: bool  # rejected, and there is a change to take back
    landed: str


class Draft(TypedDict):
    """The part of a migration that one `draft` task is given."""

    unit: str
    turned_back: dict[str, str]
    total: int  # tasks of this kind
