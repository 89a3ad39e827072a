"""Keys and what they do, named so that a user may give an action other keys."""

import re

from textual.binding import Binding


def bound(
    where: str, group: str, keys: str, action: str, text: str, *, word: str = "", shown: str = ""
) -> Binding:
    """Keys for an action; with a `word` they stand on the last line of the screen.

    `where` is the part of the screen that the action is of: with the text it makes the name by
    which a user may give it other keys. `shown` is how the keys are shown.
    """
    return Binding(
        keys,
        action,
        word or text,
        tooltip=text,
        show=bool(word),
        key_display=shown or None,
        id=f"{where}.{re.sub(r'[^a-z0-9]+', '-', text.lower()).strip('-')}",
        group=Binding.Group(group),
    )
