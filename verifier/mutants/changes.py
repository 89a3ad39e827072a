"""Mutants made of a changed directive or a changed statement."""

from acclimate.analysis.ir import Directive
from acclimate.analysis.source import Lines
from acclimate.verifier.mutants.directive_text import (
    Word,
    directive_lines,
    pieces,
    rendered,
    without_variable,
)
from acclimate.verifier.mutants.material import Material
from acclimate.verifier.mutants.mutant import Family, Mutant
from acclimate.verifier.texts.statements import Statement, source_lines


def directive_mutant(
    material: Material,
    operator: str,
    directive: Directive,
    words: tuple[Word, ...],
    detail: str,
    unit: str = "",
    equivalent: str = "",
) -> Mutant:
    """The directive with other words; without any it is taken out."""
    before = material.lines(directive.at)
    form = material.files[directive.at.file].form
    after = directive_lines(rendered(words), form, _indent(before[0])) if words else ()
    return Mutant(operator, Family.DIRECTIVE, directive.at, unit, detail, before, after, equivalent)


def without(directive: Directive, position: int, variable: str) -> tuple[Word, ...]:
    """The words of a directive without one variable of the clause at `position`."""
    found = pieces(directive)
    left = without_variable(found[position], variable)
    return (*found[:position], *((left,) if left else ()), *found[position + 1 :])


def replaced(directive: Directive, position: int, *words: Word) -> tuple[Word, ...]:
    """The words of a directive with others in the place of one."""
    found = pieces(directive)
    return (*found[:position], *words, *found[position + 1 :])


def inserted_directive(
    material: Material, operator: str, before: Lines, text: str, detail: str, unit: str
) -> Mutant:
    """A directive put before the statement at `before`."""
    lines = material.lines(before)
    form = material.files[before.file].form
    new = directive_lines(text, form, _indent(lines[0]))
    return Mutant(operator, Family.DIRECTIVE, before, unit, detail, lines, (*new, *lines))


def statement_mutant(
    material: Material,
    operator: str,
    statement: Statement,
    text: str,
    detail: str,
    equivalent: str = "",
) -> Mutant:
    """The statement with another text; empty: nothing is done in its place."""
    before = material.lines(statement.at)
    form = material.files[statement.at.file].form
    after = source_lines(text or "continue", form, statement.label)
    if form == "free":
        after = (" " * _indent(before[0]) + after[0], *after[1:])
    at, unit = statement.at, statement.unit
    return Mutant(operator, Family.STATEMENT, at, unit, detail, before, after, equivalent)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
