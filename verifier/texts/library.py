"""Calls of the OpenACC library that move or map data."""

import re
from collections.abc import Iterable

from acclimate.verifier.texts.source_file import SourceFile

_MOVING = re.compile(
    r"acc_(p?copyin|p?create|copyout|delete|present_or_\w+|update_\w+|memcpy\w*|(un)?map_data"
    r"|attach|detach|malloc|free|deviceptr|hostptr)(_\w+)?$"
)


def moves_data(files: Iterable[SourceFile]) -> bool:
    """Whether data may come to the device, or back, by a call instead of a directive."""
    return any(
        word.startswith("acc_") and _MOVING.match(word) is not None
        for file in files
        for statement in file.statements
        for word in statement.tokens
    )
