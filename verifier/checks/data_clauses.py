"""Static questions about data directives that have a certain answer."""

from collections.abc import Iterator

from acclimate.analysis.directives import Construct, parse
from acclimate.analysis.ir import Directive, Unit
from acclimate.analysis.names.resolution import Unresolved, Variable
from acclimate.analysis.switches import is_switch_alone, while_off
from acclimate.verifier.checks import check
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.subject import Subject
from acclimate.verifier.texts.library import moves_data

_MAPPING = ("copy", "copyin", "copyout", "create", "pcopy", "pcopyin", "pcopyout", "pcreate")
_PRESENT_OR = ("present_or_copy", "present_or_copyin", "present_or_copyout", "present_or_create")
_NEEDING = ("self", "host", "device", "present")


@check(cost=2)
def data_clauses(subject: Subject) -> Iterator[Evidence]:
    """A variable updated or said to be present that no directive of the model ever maps.

    Only asked of variables that no procedure can know by another name: a mapped dummy argument
    may stand for anything.
    """
    if subject.directives == 0:
        text = "no directive: every value is in host memory"
        yield Evidence("data_clauses", Light.DATA, Outcome.HOLDS, text)
        return
    units = subject.index.project.units.values()
    directives = [(unit, d) for unit in units for d in unit.directives if d.sentinel == "acc"]
    mapped: set[str] = set()
    for unit, directive in directives:
        for name in _names(parse(directive), *_MAPPING, *_PRESENT_OR):
            key = _key(subject, unit, name)
            if key is None:
                return
            mapped.add(key)
    if moves_data(subject.port_files.values()):
        return
    for unit, directive in directives:
        yield from _judge(subject, unit, directive, mapped)


def _judge(
    subject: Subject, unit: Unit, directive: Directive, mapped: set[str]
) -> Iterator[Evidence]:
    construct = parse(directive)
    conditional = any(clause.name in ("if_present", "if") for clause in construct.clauses)
    if conditional and not (is_switch_alone(construct) or while_off(construct)):
        return
    for name in _names(construct, *_NEEDING):
        key = _key(subject, unit, name)
        if key is not None and key not in mapped:
            yield Evidence(
                "data_clauses",
                Light.DATA,
                Outcome.FAILS,
                f"'{name}' is expected on the device, but no directive ever puts it there",
                file=directive.at.file,
                line=directive.at.first,
            )


def _names(construct: Construct, *clauses: str) -> list[str]:
    """Base names: `state%theta(1:n)` speaks of `state`."""
    return [arg.split("(")[0].split("%")[0] for arg in construct.arguments(*clauses)]


def _key(subject: Subject, unit: Unit, name: str) -> str | None:
    """The storage a name stands for; None when it may be anything (a dummy, an unknown)."""
    project = subject.index.project
    meaning = project.resolve(unit, name)
    if isinstance(meaning, Unresolved) or not isinstance(meaning, Variable):
        return None
    symbol = meaning.symbol
    owner = symbol.owner or unit
    if symbol.name in owner.args or "pointer" in symbol.attributes:
        return None
    return project.storage_key(unit, symbol)
