"""Port Fortran weather models to GPUs, with evidence.

A command is a file of this folder with a `run`; its docstring's first line is its help.
"""

import argparse
import difflib
import os
import shlex
import signal
import sqlite3
import sys
import traceback
from collections.abc import Callable, Sequence
from errno import EDQUOT, ENOSPC
from importlib import metadata
from pathlib import Path
from types import FrameType
from typing import NoReturn

import acclimate.workflows
from acclimate.analysis.problems import Kind, Problem
from acclimate.analysis.registry import load, names
from acclimate.workflows._descendants import end_descendants
from acclimate.workflows._exit import Exit
from acclimate.workflows.showing.delivery import check_target


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the return value is the process's exit code."""
    signal.signal(signal.SIGTERM, _interrupt)
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return _run(given)
    except Problem as problem:
        print(problem.render(), file=sys.stderr)
        return Exit(problem.kind)
    except KeyboardInterrupt:
        return _interrupted(given)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.DONE
    except PermissionError as error:
        print(_forbidden(error).render(), file=sys.stderr)
        return Exit.ENVIRONMENT
    except (OSError, sqlite3.OperationalError) as error:
        if not _is_full_disk(error):
            return _bug()
        print(_full_disk(error).render(), file=sys.stderr)
        return Exit.ENVIRONMENT
    except Exception:
        return _bug()


def commands() -> list[str]:
    """Names of the commands, found without importing heavy libraries."""
    return [name for name in names(acclimate.workflows) if _is_command(name)]


def _is_command(name: str) -> bool:
    return hasattr(load(acclimate.workflows, name), "run")


def _run(given: list[str]) -> int:
    _check_current_folder()
    wanted = [word for word in given[:1] if not word.startswith("-")]
    if wanted and not (wanted[0] in names(acclimate.workflows) and _is_command(wanted[0])):
        raise _unknown(wanted[0])
    options, unknown = _parser(wanted or commands()).parse_known_args(given)
    if unknown:
        options.command.error(f"unrecognized arguments: {' '.join(unknown)}")
    for target in (getattr(options, name, None) for name in ("json", "output")):
        if target:
            check_target(target)
    run: Callable[[argparse.Namespace], int] = options.run
    return run(options)


def _check_current_folder() -> None:
    try:
        Path.cwd()
    except FileNotFoundError:
        raise Problem(
            "the current folder does not exist any more",
            kind=Kind.ENVIRONMENT,
            hint="change into one that does",
        ) from None


def _parser(offered: list[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="acclimate",
        description="Port Fortran weather models to GPUs, with evidence.",
        epilog="Exit codes: 0 done, 1 rejected, 2 misused, 3 inconclusive, 4 environment, "
        "5 budget used up, 6 slower only, 70 a bug of this program, 130 interrupted.",
    )
    version = metadata.version("acclimate")
    parser.add_argument("--version", action="version", version=f"acclimate {version}")
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    for name in offered:
        module = load(acclimate.workflows, name)
        text = (module.__doc__ or "").strip()
        help_line = text.partition("\n")[0].rstrip(".")
        command = subparsers.add_parser(
            name,
            help=help_line[0].lower() + help_line[1:],
            description=text,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.arguments(command)
        command.set_defaults(run=module.run, command=command)
    return parser


def _unknown(word: str) -> Problem:
    known = commands()
    close = difflib.get_close_matches(word, known, n=1)
    return Problem(
        f"there is no command '{word}'",
        notes=(f"commands: {', '.join(known)}",),
        hint=f"did you mean 'acclimate {close[0]}'?" if close else "see acclimate --help",
    )


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def _interrupted(given: list[str]) -> int:
    end_descendants()
    print("interrupted", file=sys.stderr)
    if given[:1] == ["migrate"]:
        again = shlex.join(word for word in given if word != "--fresh")
        print(f"hint: resume with: acclimate {again}", file=sys.stderr)
    return Exit.INTERRUPTED


def _is_full_disk(error: OSError | sqlite3.OperationalError) -> bool:
    if isinstance(error, OSError):
        return error.errno in (ENOSPC, EDQUOT)
    return "full" in str(error)


def _full_disk(error: OSError | sqlite3.OperationalError) -> Problem:
    where = getattr(error, "filename", None)
    return Problem(
        "the disk is full",
        kind=Kind.ENVIRONMENT,
        notes=(f"while writing {where}",) if where else (),
        hint="free some space and run the same command again; nothing was left half-written",
    )


def _forbidden(error: PermissionError) -> Problem:
    return Problem(
        f"no permission for {error.filename or 'an operation'}",
        kind=Kind.ENVIRONMENT,
        hint="change its permissions, or choose another place",
    )


def _bug() -> int:
    traceback.print_exc()
    print("this is a bug in acclimate; please report it with the lines above", file=sys.stderr)
    return Exit.BUG
