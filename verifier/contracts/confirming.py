"""Statements that stop a run where a promised contract does not hold."""

from collections.abc import Iterator, Sequence

from acclimate.analysis.ir import Symbol, Unit
from acclimate.analysis.names.resolution import Variable
from acclimate.analysis.project import Project
from acclimate.analysis.source import Edit
from acclimate.verifier.contracts.promises import Promise
from acclimate.verifier.texts.governed import GovernedLoop
from acclimate.verifier.texts.source_file import SourceFile
from acclimate.verifier.texts.statements import source_lines

WORD = "acclimate: broken promise"


def edits(
    project: Project, file: SourceFile, loops: Sequence[GovernedLoop], promises: Sequence[Promise]
) -> Iterator[tuple[Edit, Promise]]:
    """A test before every kernel of the file for each promise whose variables are known there."""
    for loop in loops:
        unit = project.units.get(loop.unit)
        if loop.file != file.name or unit is None:
            continue
        for number, each in enumerate(promises):
            symbols = [_seen(project, unit, name) for name in each.names]
            if any(symbol is None for symbol in symbols):
                continue
            has_arrays = any(symbol is not None and symbol.is_array for symbol in symbols)
            lines = [
                line
                for statement in _test(each, number, has_arrays=has_arrays)
                for line in source_lines(statement, file.form)
            ]
            first = loop.directive.at.first
            yield Edit(file.name, first, first - 1, tuple(lines)), each


def _seen(project: Project, unit: Unit, name: str) -> Symbol | None:
    """What a name of a promise, perhaps `module::name`, is called in the unit itself."""
    module, _, bare = name.rpartition("::")
    meaning = project.resolve(unit, bare)
    if not isinstance(meaning, Variable):
        return None
    if module:
        home = project.units.get(module)
        other = None if home is None else project.resolve(home, bare)
        if not isinstance(other, Variable) or other.symbol is not meaning.symbol:
            return None
    return meaning.symbol


def _test(promise: Promise, number: int, *, has_arrays: bool) -> Iterator[str]:
    stop = f"error stop '{WORD} {number + 1}'"
    table = promise.injective
    if table is not None:
        yield "block"
        yield "integer :: acc_n, acc_m"
        yield f"do acc_n = lbound({table}, 1), ubound({table}, 1)"
        yield f"do acc_m = acc_n + 1, ubound({table}, 1)"
        yield f"if ({table}(acc_n) == {table}(acc_m)) {stop}"
        yield "end do"
        yield "end do"
        yield "end block"
        return
    for condition in promise.comparisons:
        whole = f"all({condition})" if has_arrays else condition
        yield f"if (.not. ({whole})) {stop}"


def broken(said: str) -> int | None:
    """The number of the promise that a run complained of, from 0."""
    _, found, rest = said.partition(f"{WORD} ")
    digits = rest.split()[0] if found and rest.split() else ""
    return int(digits) - 1 if digits.isdigit() else None
