"""What keeps a changed procedure from being settled by tests, though none told it apart."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from acclimate.analysis.dependence.lifetimes import is_saved
from acclimate.analysis.ir import Unit, UnitKind
from acclimate.analysis.names.resolution import Variable
from acclimate.analysis.project import Project
from acclimate.analysis.source import Lines
from acclimate.verifier.measuring.executed_lines import Counts
from acclimate.verifier.structure.changes import Class
from acclimate.verifier.structure.idle_ways import idle_lines
from acclimate.verifier.subject import Side, Subject
from acclimate.verifier.texts.source_equality import ChangedStatement
from acclimate.verifier.texts.source_file import SourceFile
from acclimate.verifier.texts.statements import tokens
from acclimate.verifier.trials.covered_code import first_not_run

_HIDDEN = ("min", "max", "dim", "min0", "max0", "amin1", "amax1", "dmin1", "dmax1")


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a model, and what its short run has executed."""

    project: Project
    files: Mapping[str, SourceFile]
    counts: Counts

    def never_ran(self, unit: Unit, idle: frozenset[int] = frozenset()) -> str:
        """Where a procedure has a line or branch that is not `idle` and never ran; "": nowhere."""
        if unit.at.file not in self.files:
            return f"{unit.at.file}:{unit.at.first}"
        around = Lines(unit.at.file, unit.at.first, unit.end.last)
        found = first_not_run(self.counts, self.files[unit.at.file], around, idle)
        return f"{found.file}:{found.first}" if found else ""


class Settling:
    """Which of the changed procedures are settled, and what is missing of each other."""

    def __init__(self, subject: Subject, original: Version, port: Version) -> None:
        self._subject, self._original, self._port = subject, original, port
        self._known: dict[str, str] = {}

    def idle(self, unit: str, side: Side) -> frozenset[int]:
        """Lines of a procedure that are left to ways on which both versions do nothing."""
        was = self._original.project.units.get(unit)
        now = self._port.project.units.get(unit)
        if was is None or now is None:
            return frozenset()
        if side is Side.ORIGINAL:
            return idle_lines(was, now, was)
        return idle_lines(now, was, was)

    def missing(self, unit: str, changes: Sequence[ChangedStatement]) -> str:
        """Why the tests of a procedure do not settle its changes; "" where they do."""
        kinds = {d.kind for d in self._subject.differences.get(unit, ())}
        if Class.PROCEDURE_ADDED in kinds:
            return self._of_one_side(self._port, unit, Class.PROCEDURE_ADDED)
        if Class.PROCEDURE_DROPPED in kinds:
            return self._of_one_side(self._original, unit, Class.PROCEDURE_DROPPED)
        if unit not in self._subject.tested:
            return "no run tells it from the original"
        before = self._original.project.units.get(unit)
        if before is None:
            return "the original has no such procedure"
        if before.kind is UnitKind.PROGRAM:  # takes nothing in: what its run leaves out never runs
            return ""
        lasting = self._lasting(unit, before)
        if lasting:
            return f"one version alone keeps '{lasting}' from call to call"
        place = self._original.never_ran(before, self.idle(unit, Side.ORIGINAL))
        if place:
            return f"never validated, no run goes all ways through {place} of the original"
        statements = self._original.files[before.at.file].statements
        known = frozenset(s.tokens for s in statements if s.unit == unit)
        gained = gained_choices(changes, known)
        return f"whether both ways of '{gained}' are taken is not known" if gained else ""

    def _lasting(self, name: str, before: Unit) -> str:
        """A variable that outlives calls and that the procedure uses in one version only.

        What has moved to a procedure that is new is used there.
        """
        after = self._port.project.units.get(name)
        was = _kept(self._original.project, before)
        now = _kept(self._port.project, after) if after is not None else frozenset()
        lost = was - now
        for each in self._added() if lost else ():
            lost -= _kept(self._port.project, self._port.project.units[each])
        return min((now - was) | lost, default="")

    def _added(self) -> list[str]:
        units, found = self._port.project.units, self._subject.differences
        added = [
            n for n, all_ in found.items() if any(d.kind is Class.PROCEDURE_ADDED for d in all_)
        ]
        return [name for name in added if name in units]

    def _gained(self, name: str) -> str:
        """A variable of a new procedure that outlives calls and that nothing tested used before."""
        units = self._original.project.units
        tested = [units[n] for n in self._subject.tested if n in units]
        known = {v for unit in tested for v in _kept(self._original.project, unit)}
        return min(_kept(self._port.project, self._port.project.units[name]) - known, default="")

    def _of_one_side(self, version: Version, name: str, kind: Class) -> str:
        """A procedure of one version only is tested by the tests of those that call it."""
        if name not in self._known:
            self._known[name] = ""  # of procedures that call each other some other caller decides
            self._known[name] = self._untested(version, name, kind)
        return self._known[name]

    def _untested(self, version: Version, name: str, kind: Class) -> str:
        unit = version.project.units[name]
        if unit.kind is UnitKind.MODULE:
            return ""  # its variables show in what uses them
        place = version.never_ran(unit)
        if place:
            return f"never validated, no run goes all ways through {place}"
        gained = self._gained(name) if kind is Class.PROCEDURE_ADDED else ""
        if gained:
            return f"the port alone keeps '{gained}' from call to call"
        units = version.project.units
        callers = [n for n, u in units.items() if unit.name in u.applied and n != name]
        for caller in callers:
            found = self._subject.differences.get(caller, ())
            if any(d.kind is kind for d in found):
                missing = self._of_one_side(version, caller, kind)
                if missing:
                    return missing
            elif caller not in self._subject.tested:
                return f"its caller '{caller}' is not tested on other values"
        return "" if callers else "nothing that was tested calls it"


def _kept(project: Project, unit: Unit) -> frozenset[str]:
    """The variables that a procedure uses and that outlive its calls, those of modules too."""
    found = set()
    for name in unit.symbols.keys() | unit.mentioned:
        resolved = project.resolve(unit, name)
        if not isinstance(resolved, Variable) or resolved.symbol.is_parameter:
            continue
        symbol = resolved.symbol
        if name in unit.args or symbol.owner is unit and symbol.common is None:
            if is_saved(symbol) and name not in unit.args:
                found.add(name)
        elif symbol.owner is None or symbol.owner.kind is not UnitKind.PROGRAM:
            found.add(symbol.name)
    return frozenset(found)


def gained_choices(
    changes: Sequence[ChangedStatement], known: frozenset[tuple[str, ...]] = frozenset()
) -> str:
    """An intrinsic that chooses between values, which the changed statements use more often.

    The compiler makes no branch of it, so whether both ways were taken is not seen. Statements that
    the original has too, word for word, by their tokens in `known`, make no new choice; ends of
    loops without numbers choose by sizes, which are tried.
    """
    fresh = [c for c in changes if tokens(c.now) not in known and not _ends_by_sizes(tokens(c.now))]
    was, now = (
        Counter(word for text in texts for word in tokens(text) if word in _HIDDEN)
        for texts in ([c.was for c in changes], [c.now for c in fresh])
    )
    return next(iter(now - was), "")


def _ends_by_sizes(words: tuple[str, ...]) -> bool:
    numbers = {word for word in words if word[0].isdigit()}
    return words[:1] == ("do",) and numbers <= {"0", "1"}
