"""What the user chose to port."""

from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from acclimate.analysis.index import ProjectIndex
from acclimate.analysis.ir import Unit
from acclimate.analysis.problems import Problem


@dataclass(frozen=True, slots=True)
class Choice:
    """The user's choices that change what the port is (where it goes is not one of them).

    `ask` limits what a model is asked about, by patterns like those of `only`; (): everything.
    `switches`: the kernels of each unit can be turned off when the port runs.
    """

    author: str = "rules"
    only: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    keep_going: bool = False
    ask: tuple[str, ...] = ()
    switches: bool = False


def left_out(index: ProjectIndex, choice: Choice) -> frozenset[str]:
    """Qualified names of the units that `--only` and `--exclude` take out of the migration.

    A pattern is matched against the unit's qualified and bare name, those of the units around it,
    and its file.

    Raises:
        Problem: a pattern matches no unit.
    """
    units = index.project.units
    for pattern in (*choice.only, *choice.exclude):
        if not any(matches(unit, pattern) for unit in units.values()):
            raise Problem(
                f"'{pattern}' matches no unit and no file of the model",
                hint="`acclimate analyze` lists the units; patterns may hold * and ?",
            )
    return frozenset(
        name
        for name, unit in units.items()
        if (choice.only and not any(matches(unit, pattern) for pattern in choice.only))
        or any(matches(unit, pattern) for pattern in choice.exclude)
    )


def matches(unit: Unit, pattern: str) -> bool:
    """Whether a pattern of `--only` or `--exclude` means this unit."""
    names = [unit.at.file, Path(unit.at.file).name]
    scope: Unit | None = unit
    while scope is not None:
        names += [scope.name, scope.qualified_name]
        scope = scope.parent
    return any(fnmatchcase(name, p) for name in names for p in {pattern, pattern.lower()})


def not_asked(index: ProjectIndex, choice: Choice) -> frozenset[str]:
    """Qualified names of the units that a model is not asked about."""
    units = index.project.units
    return left_out(index, choice) | {
        name
        for name, unit in units.items()
        if choice.ask and not any(matches(unit, pattern) for pattern in choice.ask)
    }
