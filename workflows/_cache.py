"""Where a command keeps results between runs: --cache, or the environment, or the user's folder."""

import argparse
import os
import sys
from pathlib import Path

from acclimate.analysis.keeping.cache import VARIABLE, Cache, default_folder, open_cache
from acclimate.analysis.problems import Problem


def add_cache_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--cache",
        metavar="DIR",
        help=f"where results are kept between runs, or none (default: ${VARIABLE}, or the user's"
        " cache folder)",
    )


def chosen_cache(given: str | None) -> Cache | None:
    """The cache to use; a default that cannot be used is told, and the command goes without.

    Raises:
        Problem: the folder that the user named cannot be used.
    """
    named = given or os.environ.get(VARIABLE)
    if named is not None and named != "":
        return None if named == "none" else open_cache(Path(named).absolute())
    try:
        return open_cache(default_folder())
    except (Problem, RuntimeError) as problem:  # RuntimeError: there is no home folder
        print(f"note: {problem}; everything is analysed anew", file=sys.stderr)
        return None
