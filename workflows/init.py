"""Write acclimate.toml for a model tree by looking at it.

What could not be seen was guessed; each guess is a comment in the file. Look at [run] first: it
says how the model is run and by which files it is judged.
"""

import argparse
import sys
from pathlib import Path

from acclimate.analysis.problems import Problem
from acclimate.workflows._exit import Exit

NAME = "acclimate.toml"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", type=Path, help="folder of the model")
    parser.add_argument("--force", action="store_true", help="replace an acclimate.toml")
    parser.add_argument("--stdout", action="store_true", help="print it, write nothing")


def run(options: argparse.Namespace) -> int:
    from acclimate.analysis.tree.manifest import guess_manifest, render_manifest
    from acclimate.porter.keeping.atomic import write_atomically

    target = options.path / NAME
    if not options.path.is_dir():
        raise Problem(
            f"{options.path} is not a folder",
            hint="init describes a tree; a single source file needs no acclimate.toml",
        )
    if target.exists() and not (options.force or options.stdout):
        raise Problem(f"{target} exists", hint="pass --force to replace it, --stdout to compare")
    manifest = guess_manifest(options.path)
    text = render_manifest(manifest)
    if options.stdout:
        sys.stdout.write(text)
        return Exit.DONE
    write_atomically(target, text.encode())
    for guess in manifest.guessed:
        print(f"guessed: {guess}", file=sys.stderr)
    print(f"wrote {target}")
    return Exit.DONE
