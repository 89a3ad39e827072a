"""How many processes a command uses: -j, or as many as there are cores to use."""

import argparse
import os


def add_workers_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-j",
        dest="workers",
        metavar="N",
        type=_positive,
        default=len(os.sched_getaffinity(0)),
        help="processes to use (default: one for each usable core)",
    )


def _positive(text: str) -> int:
    if not text.isdigit() or not int(text):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of processes")
    return int(text)
