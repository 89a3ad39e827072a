"""What reviewers do, as values that are only ever added to.

Each event has a name of its own. A decision names the ones it replaces: what two people decide
without knowing of each other stands side by side until somebody decides who has seen both.
"""

from typing import ClassVar, TypeAlias

import msgspec


class _Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="what"):
    """`clock` is greater than that of every event its author had seen; `at` is ISO 8601, UTC."""

    name: str
    by: str
    clock: int
    at: str
    undoable: ClassVar[bool] = True


class Decided(_Event, frozen=True, kw_only=True, tag="decided"):
    """A verdict on hunks: "accept", "reject" or "open"; `scope` is what the reviewer pointed at."""

    file: str
    scope: str
    hunks: tuple[str, ...]
    verdict: str
    reason: str = ""
    replaces: tuple[str, ...] = ()


class Noted(_Event, frozen=True, kw_only=True, tag="noted"):
    """A note to the author of a unit, "" for all of the file's; heard at the next attempt."""

    file: str
    unit: str
    text: str
    hunk: str = ""


class Edited(_Event, frozen=True, kw_only=True, tag="edited"):
    """The reviewer's own text of a file, by its key in the store.

    `left` are hunks that stood rejected when the text was made, so that it is without them: they
    stay hunks of the file, as far as there is still a place for them.
    """

    file: str
    text: str
    how: str  # "editor", or "hint: ..."
    left: tuple[str, ...] = ()
    replaces: tuple[str, ...] = ()


class TurnedBack(_Event, frozen=True, kw_only=True, tag="turned-back"):
    """The unit is to stay on the host: the port is planned without it at the next attempt."""

    file: str
    unit: str
    reason: str


class Waived(_Event, frozen=True, kw_only=True, tag="waived"):
    """A finding of one check in one file ("" for the whole port) is accepted until `until`.

    `until` is a date, the last day on which it holds (ISO 8601).
    """

    check: str
    file: str
    reason: str
    until: str


class Undone(_Event, frozen=True, kw_only=True, tag="undone"):
    event: str
    undoable: ClassVar[bool] = False


class Redone(_Event, frozen=True, kw_only=True, tag="redone"):
    event: str
    undoable: ClassVar[bool] = False


class Verified(_Event, frozen=True, kw_only=True, tag="verified"):
    """What was found of one selection of hunks of the migration `key`.

    `selection` is the digest of the changed files; `examination` a key in the store, "" where the
    port was not even run because it breaks the invariant of residency, as `broken` says. `only`
    are the checks that were run, empty for all. `breakers` are rejected hunks without which,
    alone, the invariant breaks already.
    """

    selection: str
    verdict: str
    key: str = ""
    examination: str = ""
    broken: tuple[str, ...] = ()
    breakers: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    undoable: ClassVar[bool] = False


class Landed(_Event, frozen=True, kw_only=True, tag="landed"):
    """Accepted hunks of these files went to `place`."""

    selection: str
    place: str
    files: tuple[str, ...]
    hunks: tuple[str, ...]
    undoable: ClassVar[bool] = False


class Approved(_Event, frozen=True, kw_only=True, tag="approved"):
    """What the waiting migration `key` is to do: land `reviewed`, or try again where it is ""."""

    key: str
    tree: str  # the migration's own, that was looked at
    reviewed: str = ""
    undoable: ClassVar[bool] = False


Event: TypeAlias = (
    Decided | Noted | Edited | TurnedBack | Waived | Undone | Redone | Verified | Landed | Approved
)
