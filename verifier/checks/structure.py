"""Does each procedure that was changed still do the same, as far as reading it can tell?"""

from collections import Counter
from collections.abc import Iterator

from acclimate.analysis.project import read_project
from acclimate.analysis.source import Lines
from acclimate.verifier.checks import check
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.statements import statement_at
from acclimate.verifier.structure.changes import Answer, Difference
from acclimate.verifier.structure.comparing import Version, compared
from acclimate.verifier.subject import Side, Subject


@check(cost=2, needs_original=True)
def structure(subject: Subject) -> Iterator[Evidence]:
    """Compare what procedures do where their statements differ.

    What is another effect for certain fails, at its line; a procedure whose every difference is
    proved to change nothing needs no run for that; the rest is said once for each procedure, with
    what the runs have to answer.
    """
    if not subject.changes:
        return
    original, port = _version(subject, Side.ORIGINAL), _version(subject, Side.PORT)
    units = _units(subject, original, port)
    found: dict[str, list[Difference]] = {name: [] for name in units}
    for difference in compared(original, port, units):
        found[difference.unit].append(difference)
    proved = [name for name, all_of in found.items() if _all(all_of, Answer.PROVED)]
    if proved:
        yield _proved(len(proved), len(units))
    for name, all_of in found.items():
        yield from (_wrong(each) for each in all_of if each.answer is Answer.WRONG)
        asked = [each for each in all_of if each.answer is Answer.ASKED]
        if asked:
            yield _asked(name, asked)


def _all(differences: list[Difference], answer: Answer) -> bool:
    return all(each.answer is answer for each in differences)


def _version(subject: Subject, side: Side) -> Version:
    files = subject.original_files if side is Side.ORIGINAL else subject.port_files
    project = read_project(subject.manifest(side))

    def words(at: Lines) -> tuple[str, ...]:
        file = files.get(at.file)
        statement = statement_at(file.statements, at.first) if file is not None else None
        return statement.tokens if statement is not None else ()

    return Version(project, words)


def _units(subject: Subject, original: Version, port: Version) -> list[str]:
    """The units with changed statements; all of them where a change belongs to none."""
    known = list(dict.fromkeys((*original.project.units, *port.project.units)))
    changed = {change.unit for change in subject.changes}
    return [name for name in known if name in changed] if changed <= set(known) else known


def _proved(proved: int, units: int) -> Evidence:
    text = f"{proved} of {units} changed procedures do the same for certain, read side by side"
    return Evidence(
        "structure",
        Light.NUMERICS,
        Outcome.HOLDS,
        text,
        figure=proved,
        limit=units,
        unit="procedures",
        decisive=False,
    )


def _wrong(difference: Difference) -> Evidence:
    stood = f" (at {difference.original} of the original)" if difference.original else ""
    return Evidence(
        "structure",
        Light.NUMERICS,
        Outcome.FAILS,
        f"{difference.kind}: {difference.detail}{stood}",
        file=difference.at.file,
        line=difference.at.first,
    )


def _asked(unit: str, differences: list[Difference]) -> Evidence:
    kinds = Counter(each.kind.value for each in differences)
    listed = ", ".join(f"{kind} ({count})" for kind, count in kinds.items())
    obligations = "; ".join(dict.fromkeys(each.obligation for each in differences))
    first = differences[0]
    return Evidence(
        "structure",
        Light.NUMERICS,
        Outcome.INCONCLUSIVE,
        f"'{unit}' does something else, or the same in another way: {listed}; asked for:"
        f" {obligations}; first: {first.detail}",
        figure=len(differences),
        limit=0,
        unit="statements",
        file=first.at.file,
        line=first.at.first,
    )
