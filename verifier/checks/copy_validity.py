"""Which copy of a variable holds its last value, followed through the calls of the program."""

from collections.abc import Iterator

from acclimate.analysis.directives import Construct, parse
from acclimate.analysis.ir import UnitKind
from acclimate.analysis.source import Lines
from acclimate.verifier.checks import check
from acclimate.verifier.copies.data_directives import DECLARED, named
from acclimate.verifier.copies.frames import Frame
from acclimate.verifier.copies.reports import Reports
from acclimate.verifier.copies.state import Place
from acclimate.verifier.copies.walk import Extents, TooLargeError, Walk
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.subject import Subject
from acclimate.verifier.texts.governed import COMPUTE, governed_loops
from acclimate.verifier.texts.library import moves_data
from acclimate.verifier.texts.source_file import SourceFile

_HOLDING = (UnitKind.MODULE, UnitKind.SUBMODULE, UnitKind.PROGRAM)
_SHOWN = 20


@check(cost=9)
def copy_validity(subject: Subject) -> Iterator[Evidence]:
    """A use of one copy for which nothing brings the value that the other side has written.

    Told only where no way between the two statements brings it and some element is the same for
    certain. Programs that move data by calls of the OpenACC library are left to the runs.
    """
    units = subject.index.project.units.values()
    programs = [unit for unit in units if unit.kind is UnitKind.PROGRAM]
    if subject.constructs == 0 or len(programs) != 1 or moves_data(subject.port_files.values()):
        return
    reports = Reports()
    try:
        walk = Walk(subject.index.project, _extents(subject), reports)
        walk.run(programs[0], _declared(subject))
    except TooLargeError:
        return
    for finding in list(reports.found)[:_SHOWN]:
        yield Evidence(
            "copy_validity",
            Light.DATA,
            Outcome.FAILS,
            finding.message,
            file=finding.at.file,
            line=finding.at.first,
        )


def _declared(subject: Subject) -> Iterator[Place]:
    project = subject.index.project
    for unit in project.units.values():
        for directive in unit.directives if unit.kind in _HOLDING else ():
            construct = parse(directive)
            if directive.sentinel != "acc" or construct.name != "declare":
                continue
            frame = Frame(project, unit)
            for place, _ in named(frame, construct, *DECLARED):
                yield place


def _extents(subject: Subject) -> Extents:
    last: dict[Lines, int] = {}
    inner: dict[Lines, tuple[Construct, ...]] = {}
    for file in subject.port_files.values():
        last |= _last_lines(file)
        for directive in file.directives:
            if directive.at in last:
                lines = range(directive.at.last + 1, last[directive.at] + 1)
                found = (d for d in file.directives if d.at.first in lines)
                inner[directive.at] = tuple(parse(d) for d in found)
    return Extents(last, inner)


def _last_lines(file: SourceFile) -> dict[Lines, int]:
    """The last line of each compute construct, by its directive."""
    loops = {loop.directive.at: loop.last for loop in governed_loops(file) if loop.combined}
    found: dict[Lines, int] = {}
    opened: list[Lines] = []
    for directive in file.directives:
        words = parse(directive).name.split()
        if words[:1] == ["end"] and words[1:2] and words[1] in COMPUTE:
            if opened:
                at = opened.pop()
                found[at] = directive.at.first
        elif words[:1] and words[0] in COMPUTE:
            if directive.at in loops:
                found[directive.at] = loops[directive.at]
            else:
                opened.append(directive.at)
    return found
