"""Conditional regions in device code: what must hold of the branches that are not compiled.

The analysis has seen one branch. Another may stand beside it only if its text shows that the same
verdict, the same data and the same device code hold for it.
"""

import re
from collections.abc import Iterable

from acclimate.analysis.dependence.statements import inside, own_expressions
from acclimate.analysis.facts import LoopFacts
from acclimate.analysis.ir import Assignment, Call, Do, Statement, Unit
from acclimate.analysis.names.resolution import Intrinsic, Variable
from acclimate.analysis.source import Lines
from acclimate.porter.device.device_intrinsics import ELEMENTAL
from acclimate.porter.names.conditionals import Conditionals, Region
from acclimate.porter.names.scope import Scope
from acclimate.porter.names.traversal import last_line, names_in
from acclimate.porter.rewrite import Refusal

_PLAIN = re.compile(r"([a-z]\w*)\s*(\(.*\))?\s*=\s*([^=>].*)")
_SHORT_IF = re.compile(r"if\s*\((.*)\)\s*([a-z]\w*\s*(?:\([^=]*\))?\s*=\s*[^=>].*)")
_BLOCK_IF = re.compile(r"(?:if\s*\((.*)\)\s*then|else\s*if\s*\((.*)\)\s*then|else|end\s*if)")
_NUMBER = re.compile(r"\b\d+\.?\d*(?:[ed][+-]?\d+)?(?:_\w+)?|\.\d+(?:[ed][+-]?\d+)?(?:_\w+)?")
_DOTTED = re.compile(r"\.[a-z]+\.")
_NAME = re.compile(r"[a-z]\w*")


def words(text: str) -> set[str]:
    """Names in the text of a statement or expression, numbers and .operators. left out."""
    return set(_NAME.findall(_NUMBER.sub(" ", _DOTTED.sub(" ", text))))


def nest_refusal(
    conditionals: Conditionals,
    scope: Scope,
    statement: Statement,
    facts: LoopFacts | None,
    split: Region | None = None,
) -> Refusal | None:
    """Why a construct cannot be a kernel in every configuration.

    Args:
        split: a region around its DO statement that has been judged (see `split_headers`).
    """
    at = statement.at
    whole = Lines(at.file, at.first, last_line(statement))
    for region in conditionals.crossing(whole):
        if region == split:
            continue
        within = region.at.first > at.last and region.at.last <= whole.last
        if not within and any(alternative.statements for alternative in region.alternatives):
            return Refusal(
                at, f"{region} holds a part of its first or last statement", region.next_step
            )
        own = {*facts.private, *facts.firstprivate} if facts else set()
        reason = _in_nest(scope, region, statement, own)
        if reason:
            return Refusal(at, f"under {region}, {reason}", region.next_step)
    return None


def routine_refusal(conditionals: Conditionals, scope: Scope) -> Refusal | None:
    """Why a procedure cannot be compiled for the device in every configuration."""
    unit = scope.unit
    for region in conditionals.crossing(Lines(unit.at.file, unit.at.first, unit.end.last)):
        for text in region.left_out:
            reason = _in_routine(scope, text)
            if reason:
                return Refusal(region.at, f"under {region}, {reason}", region.next_step)
    return None


# --- loops ---------------------------------------------------------------------------------------


def _in_nest(scope: Scope, region: Region, nest: Statement, own: set[str]) -> str:
    """The complaint about the branches of a region in a nest, "" if there is none.

    They may set names of which every iteration has its own, all that the compiled branch sets,
    from what the nest reads anyway and never writes.
    """
    known, written = _names([nest]), _targets(inside([nest]))
    indices = {s.index for s in inside([nest]) if isinstance(s, Do)}
    compiled = [s for s in inside([nest]) if region.contains(s.at)]
    elsewhere = _names_of(s for s in inside([nest]) if s not in compiled)
    needed = _targets(compiled) & (own - indices) & elsewhere
    for alternative in region.alternatives:
        given: set[str] = set()
        for text in alternative.statements:
            match = _PLAIN.fullmatch(text)
            if match is None or match[2] or match[1] not in own - indices:
                return f"code that is not compiled here does more than set private scalars: {text}"
            used = words(match[3])
            if not used <= known | ELEMENTAL or used & (written - indices):
                return f"code that is not compiled here reads something else: {text}"
            given.add(match[1])
        if not needed <= given:
            return f"'{min(needed - given)}' is set only in the branch that is compiled here"
    return ""


def _names(statements: Iterable[Statement]) -> set[str]:
    """Names in statements and all inside them."""
    return _names_of(inside(statements))


def _names_of(statements: Iterable[Statement]) -> set[str]:
    return {n for s in statements for expr in own_expressions(s) for n in names_in(expr)}


def _targets(statements: Iterable[Statement]) -> set[str]:
    """Names that assignments and loops store into; arguments of calls count as stored."""
    found: set[str] = set()
    for statement in statements:
        if isinstance(statement, Assignment):
            found |= names_in(statement.target)
        elif isinstance(statement, Do):
            found.add(statement.index or "")
        elif isinstance(statement, Call):
            found |= {name for arg in statement.args for name in names_in(arg)}
    return found


# --- procedures ----------------------------------------------------------------------------------


def _in_routine(scope: Scope, text: str) -> str:
    short, block, plain = (p.fullmatch(text) for p in (_SHORT_IF, _BLOCK_IF, _PLAIN))
    if block is not None:
        return _reads(scope, block[1] or block[2] or "", text)
    if short is not None:
        return _reads(scope, short[1], text) or _in_routine(scope, short[2])
    if plain is None:
        return f"code that is not compiled here is more than assignments: {text}"
    name, unit = plain[1], scope.unit
    symbol = unit.symbols.get(name)
    if symbol is None or symbol.owner is not unit or symbol.is_parameter:
        return f"code that is not compiled here stores into '{name}'"
    if name in unit.args and name not in _targets(inside(unit.body)):
        return f"the argument '{name}' is stored into only by code that is not compiled here"
    return _reads(scope, f"{plain[2] or ''} {plain[3]}", text)


def _reads(scope: Scope, expression: str, text: str) -> str:
    if "%" in expression:
        return f"code that is not compiled here reads a component: {text}"
    for name in sorted(words(expression)):
        if not _may_be_read(scope, scope.unit, name):
            return f"only code that is not compiled here reads '{name}'"
    return ""


def _may_be_read(scope: Scope, unit: Unit, name: str) -> bool:
    found = scope.project.resolve(unit, name)
    if isinstance(found, Intrinsic):
        return name in ELEMENTAL
    if not isinstance(found, Variable):
        return False
    symbol = found.symbol
    if symbol.owner is unit and name not in unit.args:
        return True
    if symbol.is_parameter and not symbol.is_array:
        return True
    body = _names(unit.body)
    return name in body and not (symbol.is_array and name in _targets(inside(unit.body)))
