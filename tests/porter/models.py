"""Small models written to a folder, indexed and ported, for the tests of the rule engine."""

from pathlib import Path
from textwrap import dedent

from acclimate.analysis.index import ProjectIndex, index_project
from acclimate.analysis.manifest import Manifest
from acclimate.porter import engine
from acclimate.porter.plan import PortPlan


def indexed(folder: Path, **files: str) -> ProjectIndex:
    """Index a model; a keyword `main_f90` is the file `main.f90`."""
    names = []
    for key, text in files.items():
        name = ".".join(key.rsplit("_", 1))
        (folder / name).write_text(dedent(text).lstrip("\n"))
        names.append(name)
    return index_project(Manifest(root=folder, name="test", sources=tuple(sorted(names))))


def ported(index: ProjectIndex, exclude: frozenset[str] = frozenset()) -> dict[str, str]:
    """The changed files of a port, as text."""
    plan = engine.plan(index, exclude)
    files = engine.assemble(plan, proposals(plan, index), index)
    return {file: data.decode("latin-1") for file, data in files.items()}


def proposals(plan: PortPlan, index: ProjectIndex) -> dict[str, engine.Rewrite]:
    said = {unit: engine.propose(plan, unit, index) for unit in plan.changed_units}
    return {unit: rewrite for unit, rewrite in said.items() if isinstance(rewrite, engine.Rewrite)}
