"""The bench on which mutants are tried: the accepted port on its short run, measured once."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from acclimate.analysis.keeping.cache import open_cache
from acclimate.analysis.problems import Problem
from acclimate.analysis.source import Lines
from acclimate.analysis.tree.manifest import Manifest
from acclimate.verifier.building.variant import variant_tree
from acclimate.verifier.checks import all_checks
from acclimate.verifier.evidence import Assessment, Outcome
from acclimate.verifier.ladder import examine
from acclimate.verifier.mutants.left_out import LoggedPort, logged_port
from acclimate.verifier.mutants.material import Material
from acclimate.verifier.mutants.trial import Rungs, rung
from acclimate.verifier.running.runs import Run, write_namelist
from acclimate.verifier.subject import Length, Side, Subject
from acclimate.verifier.toolchains import Build, Toolchain

# Dear, and asked of the statements that the port itself changes: nothing that a mutant rests on.
_OF_CHANGES = ("value_classes", "replay")
# Runs are stopped at so many times what the port itself needs: a mutant may never end.
_PATIENCE = 20.0
_LEAST = 2.0  # s


@dataclass(frozen=True)
class Bench:
    """The port as a subject, what it can be changed in, and the lines that its run executes.

    `executed` is None where nothing was run.
    """

    base: Subject
    material: Material
    assessment: Assessment
    executed: Mapping[str, frozenset[int]] | None

    @cached_property
    def logged(self) -> LoggedPort:
        """The port with its accesses logged, whose updates can be left out one by one."""
        return logged_port(self.base)

    def is_reached(self, lines: Lines) -> bool:
        """Whether the run executes one of these lines or the next statement behind them.

        What nobody counted is taken for reached: no survivor is excused for that.
        """
        if self.executed is None:
            return True
        file = self.base.port_files[lines.file]
        following = [s.at.first for s in file.statements if s.at.first > lines.last][:1]
        wanted = {*range(lines.first, lines.last + 1), *following}
        return bool(wanted & self.executed.get(lines.file, frozenset()))


def prepare(
    original: Manifest, port: Manifest, toolchain: Toolchain, work: Path, rungs: Rungs
) -> Bench:
    """Climb the ladder with the port itself, on the shortest run there is.

    Raises:
        Problem: the port is rejected, so nothing can be said of changes to it.
    """
    trees = work / "trees"
    sides = (_shortened(original, trees / "original"), _shortened(port, trees / "port"))
    base = Subject(*sides, toolchain, work, cache=open_cache(work / "analysis"))
    checks = [check for check in all_checks() if check.name not in _OF_CHANGES]
    only = [check.name for check in checks if rungs is Rungs.ALL or rung(check) == "static"]
    found = examine(base, base.say, only=frozenset(only))
    failed = [e for e in found.assessment.evidence if e.outcome is Outcome.FAILS]
    if failed:
        first = failed[0]
        raise Problem(
            f"the port is rejected as it is: {first.light.value}: {first.message}",
            notes=(f"{first.file}:{first.line} [{first.check}]",) if first.file else (),
            hint="mend the port: only of one that is accepted can a change be said to be found",
        )
    lines = found.executed_lines
    executed = {file: frozenset(rows) for file, rows in lines.items()} if lines else None
    return Bench(base, Material(base.port_files, base.index), found.assessment, executed)


def warm_up(bench: Bench, rungs: Rungs) -> None:
    """Build, run and read what all mutants are held to, and limit their runs by the port's own.

    Raises:
        Problem: the original does not build or run.
    """
    base = bench.base
    assert base.original is not None
    measured(base.digest)  # that of the limit as given
    base.read_original()
    if rungs is Rungs.STATIC:
        return
    runs = [base.baseline(Length.SHORT), base.ran(Side.PORT, Build.HOST, Length.SHORT)]
    walls = [run.finished.wall for run in runs if isinstance(run, Run)]
    measured(base.noise)
    limit = min(base.inputs.run.time_limit, max(_LEAST, _PATIENCE * max(walls)))
    base.original = replace(base.original, run=replace(base.original.run, time_limit=limit))


def measured(value: object) -> None:
    """Called for its argument, which is measured when it is first asked for."""


def _shortened(manifest: Manifest, folder: Path) -> Manifest:
    """The model with the values of its short run in its namelists."""
    short = manifest.run.short
    tree = variant_tree(manifest, {}, folder)
    for name, groups in short.items():
        (folder / name).unlink()
        write_namelist(manifest.root / name, folder / name, groups)
    return replace(tree, run=replace(manifest.run, short={}))
