"""Any other file: its bytes."""

from pathlib import Path

import numpy as np

from acclimate.verifier.outputs import BadOutput, Field

EXTENSIONS = ("*",)


def read(path: Path) -> dict[str, Field]:
    data = path.read_bytes()
    if not data:
        raise BadOutput("the file is empty")
    return {"bytes": Field(np.frombuffer(data, np.uint8), (0,))}
