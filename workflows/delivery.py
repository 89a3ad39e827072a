"""Where a command's data goes: a file, whole or not at all, or standard output."""

import json
import sys
from pathlib import Path

from acclimate.porter.atomic import write_atomically


def deliver(text: str, target: str) -> None:
    """Write `text` to the file `target`, or to standard output for "-"."""
    path = Path(target)
    if target == "-":
        sys.stdout.write(text)
        sys.stdout.flush()
    elif path.exists() and not path.is_file():  # a pipe or a device cannot be replaced
        path.write_text(text)
    else:
        write_atomically(path, text.encode())


def deliver_json(value: object, target: str) -> None:
    """Write `value` as JSON; see `deliver`."""
    deliver(json.dumps(value, indent=1, ensure_ascii=False) + "\n", target)
