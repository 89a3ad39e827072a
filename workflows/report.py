"""Show the report of a migration as Markdown, HTML or JSON.

DIR is a port (what migrate was given as --out), or a model: the report of its last port is meant.
"""

import argparse
from pathlib import Path

from acclimate.analysis.problems import Problem
from acclimate.workflows._exit import Exit
from acclimate.workflows.showing.delivery import deliver


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", type=Path)
    parser.add_argument("--format", choices=("md", "html", "json"), default="md")
    parser.add_argument("--output", metavar="FILE", default="-", help="default: standard output")


def run(options: argparse.Namespace) -> int:
    from acclimate.workflows.reporting import render

    path = _find(options.folder)
    report = render.from_json(path.read_bytes(), str(path))
    text = {"md": render.to_markdown, "html": render.to_html, "json": render.to_json}
    deliver(text[options.format](report), options.output)
    return Exit.DONE


def _find(folder: Path) -> Path:
    from acclimate.porter.agent.work_folder import last_place

    path = folder / "report.json"
    if path.is_file():
        return path
    last = last_place(folder)
    if last is not None and (last / "report.json").is_file():
        return last / "report.json"
    raise Problem(
        f"{folder} holds no report.json",
        notes=(f"the last port went to {last}, which holds none any more",) if last else (),
        hint="run acclimate migrate on the model first",
    )
