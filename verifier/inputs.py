"""What the runs of a model depend on besides its sources."""

from pathlib import Path

from acclimate.analysis.tree.manifest import Manifest
from acclimate.analysis.tree.run_spec import RunSpec


def settings(manifest: Manifest) -> tuple[object, ...]:
    """The manifest's fields, without its place on the disk."""
    return (
        manifest.sources,
        manifest.include_dirs,
        manifest.defines,
        manifest.flags,
        manifest.fixed,
        manifest.free,
        manifest.preprocess,
        manifest.d_lines_are_code,
        manifest.contracts,
        manifest.compiler,
        manifest.link_flags,
        _of_run(manifest.run),
        tuple((further.name, *_of_run(further.run)) for further in manifest.further_runs),
        manifest.steps,
    )


def _of_run(run: RunSpec) -> tuple[object, ...]:
    return (
        (run.arguments, run.namelists, run.files, run.outputs, run.stdin, run.launcher),
        (run.time_limit, run.memory_limit, sorted(map(repr, run.short.items()))),
    )


def input_paths(manifest: Manifest) -> list[Path]:
    """Every input file of any run, each once."""
    runs = (manifest.run, *(further.run for further in manifest.further_runs))
    patterns = dict.fromkeys(name for run in runs for name in (*run.namelists, *run.files))
    return [
        path
        for pattern in patterns
        for path in sorted(manifest.root.glob(pattern))
        if path.is_file()
    ]
