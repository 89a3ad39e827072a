"""Review a port hunk by hunk: what changed, why it is legal, what was run, what never was.

PATH is the model that was migrated. Every decision is on disk at once, beside the port; several
reviewers may work on the same migration, also while it runs.
"""

import argparse
import getpass
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from acclimate.analysis.problems import Problem
from acclimate.workflows._exit import Exit

if TYPE_CHECKING:
    from acclimate.workflows.reviewing.session import Session


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", type=Path)
    parser.add_argument(
        "--plain",
        action="store_true",
        help="a command a line, `help` lists them (screen readers);"
        " piped lines end at the first that cannot be done",
    )
    parser.add_argument(
        "-c",
        dest="lines",
        metavar="LINE",
        action="append",
        default=[],
        help="do this, as with --plain",
    )
    parser.add_argument("--reviewer", metavar="NAME", help="default: git's user, else the login")


def run(options: argparse.Namespace) -> int:
    if sys.stderr.isatty():
        print(f"reading the port of {options.path}", file=sys.stderr, flush=True)
    from acclimate.workflows.reviewing.material import find_work
    from acclimate.workflows.reviewing.session import Session

    if not options.path.exists():
        raise Problem(f"there is no model at {options.path}", hint="give the path of its tree")
    work = find_work(options.path)
    session = Session(options.path, work, options.reviewer or reviewer(options.path))
    if options.lines or options.plain:
        return _plain(session, options.lines)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Problem(
            "the review needs a terminal", hint="or use --plain: a command a line, see `help`"
        )
    from acclimate.workflows.reviewing.screens.app import ReviewApp
    from acclimate.workflows.reviewing.screens.keymap import config_file, keymap

    ReviewApp(session, keys=keymap(config_file())).run()
    return Exit.DONE


def reviewer(path: Path) -> str:
    """Who reviews: the user as git knows them, else the login name."""
    from acclimate.porter.agent.branch import git_identity

    return git_identity(path if path.is_dir() else path.parent) or getpass.getuser()


def _plain(session: "Session", commands: list[str]) -> int:
    from acclimate.workflows.reviewing.plain import obey

    talking = not commands and sys.stdin.isatty()
    return obey(session, commands or _typed(talking), going_on=talking)


def _typed(talking: bool) -> Iterator[str]:
    """Lines of standard input, asked for where somebody types them."""
    while True:
        if talking:
            print("review> ", end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            return
        yield line
