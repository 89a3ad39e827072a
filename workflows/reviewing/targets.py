"""What a reviewer points at in words: a module, a unit, a hunk, or all that is verified."""

from collections.abc import Iterable
from dataclasses import dataclass

from acclimate.analysis.problems import Problem
from acclimate.workflows.reviewing.hunks import Hunk
from acclimate.workflows.reviewing.session import Session, Standing
from acclimate.workflows.reviewing.states import State

VERIFIED = "verified"


@dataclass(frozen=True, slots=True)
class Target:
    """Hunks of one file; `scope` names them in words."""

    standing: Standing
    hunks: tuple[Hunk, ...]
    scope: str
    unit: str = ""
    is_hunk: bool = False


def targets(session: Session, words: str) -> tuple[Target, ...]:
    """What `words` name: "verified", FILE, a title, a UNIT, FILE#N, or a hunk's own name.

    FILE may be the end of a path that is like no other.

    Raises:
        Problem: nothing or more than one thing is named so.
    """
    if words == VERIFIED:
        return tuple(
            whole(standing)
            for standing in session.standings
            if standing.state is State.VERIFIED
            and set(standing.module.authors) <= {"rules"}
            and session.decisions.text(standing.module.file) is None
        )
    name, mark, number = words.rpartition("#")
    if mark and number.isdigit():
        return (of_hunk(module_named(session, name), int(number)),)
    for standing in session.standings:
        for place, hunk in enumerate(standing.module.hunks, 1):
            if hunk.name == words:
                return (of_hunk(standing, place),)
        if any(unit.name == words for unit in standing.module.units) and "::" in words:
            return (of_unit(standing, words),)
    return (whole(module_named(session, words)),)


def whole(standing: Standing) -> Target:
    """All hunks of a module."""
    return Target(standing, standing.module.hunks, standing.module.file)


def of_unit(standing: Standing, unit: str) -> Target:
    """All hunks of one unit."""
    hunks = tuple(hunk for hunk in standing.module.hunks if hunk.unit == unit)
    return Target(standing, hunks, unit or f"{standing.module.file} outside of units", unit)


def module_named(session: Session, words: str) -> Standing:
    """The module of a file, or with a title.

    Raises:
        Problem: there is none, or more than one.
    """
    every = session.standings
    exact = [s for s in every if words in (s.module.file, s.module.title)]
    found = exact or [
        s
        for s in every
        if f"/{s.module.file}".endswith(f"/{words}") or words in s.module.title.split(", ")
    ]
    if len(found) == 1:
        return found[0]
    if not found:
        raise Problem(
            f"no module, unit or hunk is called '{words}'",
            hint="`list` names the modules, `show MODULE` their hunks",
        )
    raise Problem(
        f"'{words}' may be any of {_named(found)}", hint="give more of the path, or the whole"
    )


def of_hunk(standing: Standing, number: int) -> Target:
    """One hunk of a module, counted from 1.

    Raises:
        Problem: there is none of this number.
    """
    hunks = standing.module.hunks
    if not 1 <= number <= len(hunks):
        raise Problem(
            f"{standing.module.file} has {len(hunks)} hunks, no number {number}",
            hint="`show` lists them",
        )
    hunk = hunks[number - 1]
    return Target(standing, (hunk,), f"{standing.module.file}#{number}", hunk.unit, is_hunk=True)


def _named(found: Iterable[Standing]) -> str:
    return ", ".join(standing.module.file for standing in found)
