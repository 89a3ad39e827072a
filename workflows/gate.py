"""Hold a port's numbers, and its speed, to a stored baseline.

  acclimate gate PATH                           build, run, compare, report
  acclimate gate baseline create|update|show PATH
  acclimate gate tolerance estimate PATH        from members and builds that differ by rounding

Baseline and tolerances lie in PATH/gate, to be reviewed and committed. Nothing here writes a
baseline and judges by it at once. Exit codes: 0 within limits, 1 not, 3 nothing could tell,
4 not comparable, no baseline or no build, 6 slower only.
"""

import argparse
from pathlib import Path

from acclimate.analysis.problems import Problem

_ESTIMATE = ("tolerance", "estimate")
_ALONE = {  # options that mean something to one use only, and what their absence looks like
    "replace": ("baseline update", False),
    "keep": ("baseline create|update", "all"),
    "members": ("tolerance estimate", 10),
    "mode": ("PATH", None),
    "variables": ("PATH", []),
    "against": ("PATH", None),
    "original": ("PATH", None),
    "junit": ("PATH", None),
    "markdown": ("PATH", None),
    "sarif": ("PATH", None),
    "html": ("PATH", None),
}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", metavar="[baseline ACTION | tolerance estimate] PATH", nargs="+")
    parser.add_argument(
        "--baseline", metavar="DIR", type=Path, help="folder of baseline and tolerances"
    )
    parser.add_argument(
        "--mode",
        choices=("strict", "tolerance", "statistical"),
        help="instead of the reviewed one",
    )
    parser.add_argument(
        "--variables", metavar="PATTERN", action="append", default=[], help="compare only these"
    )
    parser.add_argument(
        "--original", metavar="PATH", type=Path, help="also run the original: is it the baseline?"
    )
    parser.add_argument("--against", metavar="REV", help="tell what was loosened since this commit")
    parser.add_argument("--no-speed", action="store_true", help="take no times")
    for name in ("json", "junit", "markdown", "sarif", "html"):
        parser.add_argument(f"--{name}", metavar="FILE", help=f"write {name} (- for stdout)")
    parser.add_argument("--replace", action="store_true", help="update: put the new one in place")
    parser.add_argument(
        "--keep", choices=("all", "states", "none"), default="all", help="output files kept whole"
    )
    parser.add_argument(
        "--members", metavar="N", type=int, default=10, help="estimate: size of the ensemble"
    )


def run(options: argparse.Namespace) -> int:
    from acclimate.workflows.gating import baselines, estimate
    from acclimate.workflows.gating import run as gate_run

    *words, last = options.words
    path = Path(last)
    match words:
        case []:
            _refuse_others(options, "PATH")
            return gate_run.judge(options, path)
        case ["baseline", action] if action in baselines.ACTIONS:
            _refuse_others(options, f"baseline {action}")
            uses = {
                "create": baselines.create,
                "update": baselines.update,
                "show": baselines.display,
            }
            return uses[action](options, path)
        case _ if tuple(words) == _ESTIMATE:
            _refuse_others(options, "tolerance estimate")
            if options.members < 2:
                raise Problem("an ensemble needs at least two members", hint="--members 10")
            return estimate.estimate(options, path)
    raise Problem(
        f"'acclimate gate {' '.join(options.words)}' means nothing",
        hint="acclimate gate PATH, acclimate gate baseline create PATH, or see acclimate gate -h",
    )


def _refuse_others(options: argparse.Namespace, use: str) -> None:
    """An option that would have no effect is misuse, so that nobody believes it was heard."""
    for name, (meant, absent) in _ALONE.items():
        kind, _, actions = meant.partition(" ")
        fits = use == meant or (use.startswith(kind) and use.split()[-1] in actions.split("|"))
        if getattr(options, name) != absent and not fits:
            raise Problem(
                f"--{name.replace('_', '-')} has no effect here",
                hint=f"it belongs to: acclimate gate {meant}",
            )
