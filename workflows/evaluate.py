"""Try an author on a set of tasks and say what it solved.

SET is a folder with a tasks.toml, a model tree or one source file. An author is the rules alone,
rules and a model together (both), a model asked for every unit (model), or a model that is given
the bare file and nothing else (alone); all tries rules, alone and both, side by side. With
--prompts or --requests nothing is sent: prompts are written, replies are read when the same
command is run again.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Any

from acclimate.analysis.problems import Kind, Problem
from acclimate.workflows._author import author_arguments
from acclimate.workflows._exit import Exit
from acclimate.workflows.evaluating.task_sets import EvaluationTask, task_set
from acclimate.workflows.showing.delivery import deliver

if TYPE_CHECKING:
    from acclimate.porter.author.consultant import Consultant
    from acclimate.workflows.evaluating.scores import Score

SCHEMA = "acclimate/evaluation/1"
ALL = ("rules", "alone", "both")
WORK = Path(".acclimate-evaluation")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("sets", metavar="SET", type=Path, nargs="+")
    parser.add_argument(
        "--task", metavar="GLOB", action="append", default=[], help="try these tasks only"
    )
    parser.add_argument("--work", metavar="DIR", type=Path, default=WORK, help=f"default {WORK}")
    parser.add_argument("--json", metavar="FILE", help="write all scores (- for stdout)")
    parser.add_argument("--repeats", metavar="N", type=int, default=1, help="with other seeds")
    parser.add_argument(
        "--prompts", metavar="DIR", type=Path, help="write prompts there, read replies from there"
    )
    parser.add_argument(
        "--older-replies",
        action="store_true",
        help="take replies by unit and attempt where the prompt has changed",
    )
    author_arguments(parser, also=("alone", "all"))


def run(options: argparse.Namespace) -> int:
    from acclimate.workflows.evaluating.score_tables import tell_scores
    from acclimate.workflows.evaluating.scores import seeded

    if options.repeats < 1:
        raise Problem(f"--repeats {options.repeats} is less than 1", hint="choose 1 or more")
    sets = [task_set(path) for path in options.sets]
    tasks = [t for one in sets for t in one.tasks if _is_chosen(t.name, options.task)]
    if not tasks:
        raise Problem("no task has such a name", hint="give --task a name or a glob that fits one")
    authors = ALL if options.author == "all" else (options.author,)
    consultant = _consultant(options) if authors != ("rules",) else None
    scores: list[Score] = []
    waiting: list[Problem] = []
    for author, repeat, task in _turns(authors, options.repeats, tasks):
        print(f"evaluate: {task.name} by {author}", file=sys.stderr)
        asked = consultant if author != "rules" else None
        settings = seeded(asked.settings, repeat) if asked else None
        try:
            scores.append(_scored(task, author, options, asked, settings, repeat))
        except Problem as problem:
            if problem.kind is not Kind.BUDGET or (options.prompts or options.requests) is None:
                raise
            waiting.append(problem)
    if options.json:
        data = {"schema": SCHEMA, "scores": [asdict(score) for score in scores]}
        deliver(json.dumps(data, indent=1), options.json)
    if scores and options.json != "-":
        tell_scores(scores)
    if waiting:
        raise waiting[-1]
    return Exit.DONE if all(score.solved for score in scores) else Exit.REJECTED


def _is_chosen(name: str, globs: Sequence[str]) -> bool:
    return not globs or any(fnmatch(name, glob) for glob in globs)


def _turns(
    authors: Sequence[str], repeats: int, tasks: Sequence[EvaluationTask]
) -> Iterator[tuple[str, int, EvaluationTask]]:
    """Who does what in which repeat; rules do the same again and again."""
    for author in authors:
        for repeat in range(1 if author == "rules" else repeats):
            yield from ((author, repeat, task) for task in tasks)


def _consultant(options: argparse.Namespace) -> "Consultant":
    """The model for all tasks: one store of replies, one budget."""
    from acclimate.analysis.tree.manifest import Manifest
    from acclimate.porter.providers.paper import Paper
    from acclimate.porter.providers.replay import Replay
    from acclimate.workflows._author import chosen_settings, consultant_of

    settings = chosen_settings(options, Path())
    if options.prompts is not None and options.requests is None and options.replies is None:
        options.replies = options.prompts
        options.prompts.mkdir(parents=True, exist_ok=True)
    nothing = Manifest(root=Path(), name="evaluation", sources=())
    made = consultant_of(options, settings, nothing, options.work)
    if options.prompts is not None:
        made.asker.provider = Paper(options.prompts, options.older_replies)
    elif isinstance(made.asker.provider, Replay):
        made.asker.provider.by_label = options.older_replies
    return made


def _scored(
    task: EvaluationTask,
    author: str,
    options: argparse.Namespace,
    consultant: "Consultant | None",
    settings: Any,
    repeat: int,
) -> "Score":
    from acclimate.analysis.tree.manifest import load_manifest
    from acclimate.workflows.evaluating.explain_tasks import score_explained
    from acclimate.workflows.evaluating.file_trials import FileTrial, score_alone, score_repair
    from acclimate.workflows.evaluating.scores import for_task, score_of_flow, unmended
    from acclimate.workflows.evaluating.trial_runs import examiner, flow_outcome, main_file

    work = options.work / author / f"{task.name}-{repeat}"
    work.mkdir(parents=True, exist_ok=True)
    manifest = load_manifest(task.path)
    own = None
    if consultant is not None:
        own = for_task(consultant, settings, work / "journal.jsonl", f"{task.name}-{repeat}")
    file = main_file(manifest, task.only)
    trial = FileTrial(manifest, file, examiner(manifest, work), work)
    if task.kind == "explain":
        return score_explained(task, author, manifest, file, own)
    if task.kind == "repair":
        return score_repair(task, author, own, trial) if own else unmended(task, author)
    if author == "alone":
        assert own is not None, "a model is evaluated"
        return score_alone(task, own, trial)
    outcome, refused = flow_outcome(task, manifest, work, author, own)
    lines = own.asker.journal.lines() if own else ()
    return score_of_flow(task, author, outcome, refused, lines)
