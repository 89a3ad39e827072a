"""Where the gate keeps what people review, and where it works."""

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from acclimate.analysis.tree.manifest import Manifest
    from acclimate.verifier.gate.bench import Bench

FOLDER = "gate"  # in the model's tree; beside a model that is one file, with its name in front


def reviewed_folder(options: argparse.Namespace, path: Path) -> Path:
    """The folder of baseline and tolerances: what the user names, else a place by the model."""
    if options.baseline is not None:
        return Path(options.baseline)
    return path.with_name(f"{path.name}.{FOLDER}") if path.is_file() else path / FOLDER


@contextmanager
def bench_of(manifest: "Manifest", path: Path) -> Iterator["Bench"]:
    """A bench in the model's work folder, under its lock.

    Raises:
        Problem: the compiler is missing.
    """
    from acclimate.porter.agent.job import Step
    from acclimate.porter.agent.work_folder import locked, work_folder
    from acclimate.verifier.gate.bench import Bench
    from acclimate.verifier.toolchains import toolchain
    from acclimate.workflows._compilers import require
    from acclimate.workflows.showing.progress import shown

    require(manifest.compiler)
    work = work_folder(manifest.root, path if path.is_file() else None) / FOLDER
    work.mkdir(exist_ok=True)
    with shown() as tell:
        say: Callable[[str], None] = lambda text: tell(Step(FOLDER, text))  # noqa: E731
        with locked(work, say):
            yield Bench(manifest, toolchain("gfortran"), work, say)
