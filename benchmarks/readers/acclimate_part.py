"""Analyse a part of a model with two processes and without a cache; loops by verdict as JSON.

usage: acclimate_part.py MODEL < list of source files, relative to the model
"""

import json
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

from acclimate.analysis.index import index_project
from acclimate.analysis.tree.manifest import load_manifest

WORKERS = 2


def main() -> None:
    manifest = load_manifest(Path(sys.argv[1]))
    files = tuple(line.rstrip("\n") for line in sys.stdin)
    index = index_project(replace(manifest, sources=files), workers=WORKERS)
    print(json.dumps(Counter(loop.verdict.value for loop in index.loops)))


if __name__ == "__main__":
    main()
