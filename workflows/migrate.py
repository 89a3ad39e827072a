"""Port a model to OpenACC and gather evidence that it is still the same model.

PATH is a model tree with an acclimate.toml, a tree without one (guessed), or one source file that
is a whole program. The model's own files are only read. Run again after any interruption, the same
command goes on where it stopped.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from acclimate.analysis.problems import Problem
from acclimate.workflows._author import (
    account,
    author_arguments,
    author_words,
    choice_of,
    chosen_settings,
    consultant_of,
)
from acclimate.workflows._compilers import require
from acclimate.workflows._exit import Exit
from acclimate.workflows.showing.delivery import deliver
from acclimate.workflows.verify import budget_argument

if TYPE_CHECKING:
    from acclimate.analysis.tree.manifest import Manifest
    from acclimate.porter.agent.artefacts import Landed
    from acclimate.porter.agent.job import Decision, Job, Place
    from acclimate.porter.agent.outcome import Outcome
    from acclimate.porter.author.consultant import Consultant
    from acclimate.workflows.reporting.model import Report
    from acclimate.workflows.showing.progress import Listener


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", type=Path)
    place = parser.add_mutually_exclusive_group()
    place.add_argument("--out", metavar="DIR", type=Path, help="folder for the port")
    place.add_argument("--branch", metavar="NAME", help="commit the port to this new git branch")
    place.add_argument("--dry-run", action="store_true", help="print the diff, land nothing")
    parser.add_argument("--json", metavar="FILE", help="write the report as JSON (- for stdout)")
    parser.add_argument(
        "--only", metavar="GLOB", action="append", default=[], help="port only these units or files"
    )
    parser.add_argument(
        "--exclude", metavar="GLOB", action="append", default=[], help="leave these as they are"
    )
    parser.add_argument(
        "-j", "--jobs", metavar="N", type=int, default=2, help="units drafted at once (default 2)"
    )
    parser.add_argument(
        "--switches",
        action="store_true",
        help="let ACCLIMATE_OFF=UNIT,... turn kernels of units off when the port runs",
    )
    parser.add_argument("--fresh", action="store_true", help="forget earlier runs of this command")
    parser.add_argument(
        "--keep-going", action="store_true", help="run every check, also after one has failed"
    )
    parser.add_argument(
        "--review", action="store_true", help="land only what a person accepts (acclimate review)"
    )
    parser.add_argument(
        "--allow-dirty", action="store_true", help="with --branch: include uncommitted changes"
    )
    budget_argument(parser)
    author_arguments(parser)


def run(options: argparse.Namespace) -> int:
    from acclimate.analysis.tree.manifest import load_manifest
    from acclimate.porter.agent.work_folder import locked, remember_place, work_folder
    from acclimate.workflows.showing.progress import shown

    if options.jobs < 1:
        raise Problem(f"-j {options.jobs} is less than 1", hint="choose 1 or more")
    if options.review and options.dry_run:
        raise Problem("a dry run lands nothing", hint="leave --review or --dry-run away")
    manifest = load_manifest(options.path)
    if options.budget:
        manifest = replace(manifest, budget=options.budget)
    require(manifest.compiler)
    for guess in manifest.guessed:
        print(f"guessed: {guess}", file=sys.stderr)
    source = options.path if options.path.is_file() else None
    work = work_folder(manifest.root, source)
    place = _place(options, manifest.root, work)
    from acclimate.porter.agent.graph import migrate  # langgraph: only where there is work to do

    with locked(work), shown() as tell:
        job = _job(options, manifest, work, place, tell)
        if job.consultant is not None:
            _tell_estimate(job, options)
        if options.show_prompts:
            return Exit.DONE
        try:
            outcome, landed = migrate(job, landing=not options.dry_run, fresh=options.fresh)
        finally:
            if job.consultant is not None:
                lines = job.consultant.asker.journal.lines()
                print(account(job.consultant, lines), file=sys.stderr)
        if landed is not None:
            remember_place(work, options.path, place.documents)
    if options.review and landed is None:
        print("nothing has landed: the port waits for a review", file=sys.stderr)
        print(f"hint: acclimate review {options.path}, then the same command", file=sys.stderr)
        return Exit.INCONCLUSIVE
    return _deliver(options, outcome, landed, place, _noted(job.consultant))


def _place(options: argparse.Namespace, root: Path, work: Path) -> "Place":
    from acclimate.porter.agent.places import InFolder, OnBranch

    folder = InFolder(_folder(options.out or work / "port"), root, work, options.path.is_dir())
    if not options.branch:
        folder.check()
        return folder
    branch = OnBranch(options.branch, folder, options.allow_dirty)
    branch.check()
    return branch


def _folder(given: Path) -> Path:
    """The folder itself where it is given as a link, as "." or as "..": it will be renamed."""
    from acclimate.porter.agent.folder import usable

    with usable(given):
        moves = given.is_symlink() or given.name in ("", "..")
    return Path(os.path.realpath(given)) if moves else given


def _job(
    options: argparse.Namespace,
    manifest: "Manifest",
    work: Path,
    place: "Place",
    tell: "Listener",
) -> "Job":
    from acclimate.porter.agent.choice import Choice
    from acclimate.porter.agent.job import open_job
    from acclimate.porter.engine import propose
    from acclimate.verifier.building.build import compiler_version
    from acclimate.workflows.reporting.gathering import reported
    from acclimate.workflows.reporting.render import documents

    settings = consultant = None
    if options.author != "rules":
        settings = chosen_settings(options, manifest.root)
        consultant = consultant_of(options, settings, manifest, work)
    return open_job(
        manifest,
        whole_tree=options.path.is_dir(),
        choice=Choice(
            choice_of(options, settings),
            tuple(options.only),
            tuple(options.exclude),
            options.keep_going,
            tuple(options.ask),
            options.switches,
        ),
        work=work,
        machine=compiler_version(manifest.compiler),
        workers=options.jobs,
        author=propose,
        tell=tell,
        place=place,
        publish=lambda outcome: documents(reported(outcome, _noted(consultant))),
        command=_command(options),
        decide=_decider(options.path, work, tell) if options.review else None,
        consultant=consultant,
    )


def _noted(consultant: "Consultant | None") -> "Iterator[dict[str, Any]]":
    """The lines of the model's journal so far; none where no model is asked."""
    return consultant.asker.journal.lines() if consultant else iter(())


def _decider(path: Path, work: Path, tell: "Listener") -> "Callable[[str], Decision | None]":
    """Asks the reviewer on a terminal; elsewhere takes what was decided meanwhile."""
    from acclimate.workflows.review import reviewer
    from acclimate.workflows.reviewing.asking import decision
    from acclimate.workflows.reviewing.session import Session

    def decide(answered: str) -> "Decision | None":
        session = Session(path, work, reviewer(path))
        found = decision(session, answered)
        if found is None and sys.stdin.isatty() and sys.stdout.isatty():
            from acclimate.workflows.reviewing.screens.app import ReviewApp
            from acclimate.workflows.reviewing.screens.keymap import config_file, keymap

            with tell.paused():
                ReviewApp(session, waited_for=True, keys=keymap(config_file())).run()
            session.reload()
            found = decision(session, answered)
        return found

    return decide


def _command(options: argparse.Namespace) -> tuple[str, ...]:
    """What goes on with this migration from any folder."""
    words = ["migrate", str(options.path.absolute())]
    words += ["--out", str(options.out.absolute())] if options.out else []
    words += ["--branch", options.branch] if options.branch else []
    words += ["--budget", f"{options.budget:g}"] if options.budget else []
    for option in ("only", "exclude"):
        words += [f"--{option}={pattern}" for pattern in getattr(options, option)]
    flags = ("switches", "keep_going", "review", "allow_dirty")
    words += [f"--{flag.replace('_', '-')}" for flag in flags if getattr(options, flag)]
    return (*words, *author_words(options), "--jobs", str(options.jobs))


def _tell_estimate(job: "Job", options: argparse.Namespace) -> None:
    """What the first attempts will take at most; the prompts themselves where they are wanted."""
    from acclimate.porter.agent.choice import not_asked
    from acclimate.porter.author.estimate import estimate

    assert job.consultant is not None
    every = options.author == "model"
    leave = not_asked(job.index(), job.choice)
    made = estimate(job.desk(()), job.consultant, leave, everything=every)
    print(made.text, file=sys.stderr)
    if options.show_prompts:
        for prompt in made.prompts:
            print(f"===== {prompt.unit}, {prompt.may_edit}\n{prompt.system}\n{prompt.user}")


def _deliver(
    options: argparse.Namespace,
    outcome: "Outcome",
    landed: "Landed | None",
    place: "Place",
    noted: "Iterator[dict[str, Any]]",
) -> int:
    from acclimate.workflows.reporting.gathering import reported
    from acclimate.workflows.reporting.render import to_json

    report = reported(outcome, noted)
    if options.json:
        deliver(to_json(report), options.json)
    if options.dry_run:
        if options.json != "-":
            sys.stdout.flush()
            sys.stdout.buffer.writelines(outcome.diff())
            sys.stdout.buffer.flush()
        print(f"dry run: verdict {report.verdict}; nothing was landed", file=sys.stderr)
    elif options.json != "-":
        _print(report, landed, place)
    return exit_code(report)


def _print(report: "Report", landed: "Landed | None", place: "Place") -> None:
    from acclimate.workflows.reporting.summary import show_summary

    show_summary(report)
    if landed is not None:
        print(f"port: {landed.place}")
    if landed is not None and landed.moved:
        print(f"the edited port that stood there is now in: {landed.moved}")
    print(f"report: {place.documents / 'report.html'}")


def exit_code(report: "Report") -> Exit:
    """Refused loops are normal; a rejected port, or units that had to be turned back, are not.

    Where nothing was ported of what was wanted, there is nothing to accept: inconclusive.
    """
    if report.verdict == "reject" or report.states["turned-back"]:
        return Exit.REJECTED
    return Exit.DONE if report.verdict == "accept" else Exit.INCONCLUSIVE
