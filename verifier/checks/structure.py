"""Does each procedure that was changed still do the same, as far as reading it can tell?"""

from collections import Counter
from collections.abc import Iterator

from acclimate.verifier.checks import check
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.structure.changes import Answer, Difference
from acclimate.verifier.subject import Subject


@check(cost=2, needs_original=True)
def structure(subject: Subject) -> Iterator[Evidence]:
    """Compare what procedures do where their statements differ.

    What is another effect for certain fails, at its line; a procedure whose every difference is
    proved to change nothing needs no run for that; the rest is said once for each procedure, with
    what the runs have to answer.
    """
    found = subject.differences
    if subject.proved_units:
        yield _proved(len(subject.proved_units), len(found))
    for name, all_of in found.items():
        yield from (_wrong(each) for each in all_of if each.answer is Answer.WRONG)
        asked = [each for each in all_of if each.answer is Answer.ASKED]
        if asked:
            yield _asked(name, asked)


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
