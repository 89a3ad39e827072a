"""Declared INTENT against what the body does. No verdict rests on an INTENT."""

from collections.abc import Iterator

from acclimate.analysis.dependence.records import Trait
from acclimate.analysis.dependence.summary import Summary
from acclimate.analysis.facts import Finding, Witness

POSSIBLE = "possible-intent"
_HIDDEN = frozenset(
    {Trait.EXTERNAL, Trait.MPI, Trait.DUMMY_PROCEDURE, Trait.DISPATCH, Trait.UNRESOLVED}
)


def contradictions(summary: Summary) -> Iterator[Finding]:
    """Writes to INTENT(IN), and reads of INTENT(OUT) before it is set, one for each dummy.

    `kind` is "intent" where the body shows it, `POSSIBLE` where it depends on the path taken or
    on procedures nothing is known of.
    """
    unit = summary.unit
    hidden = {flag.at for flag in summary.flags if flag.trait in _HIDDEN}
    first_write = {a.symbol.name: a.at for a in reversed(summary.accesses) if a.write}
    seen: set[str] = set()
    for access in summary.accesses:
        symbol = access.symbol
        name = symbol.name
        if symbol.owner is not unit or name not in unit.args or name in seen:
            continue
        if symbol.intent == "in" and access.write and not access.through_pointer:
            detail = f"`{name}` is INTENT(IN) but written ({access.at})"
            sure = access.at not in hidden and not (hidden and access.call)
        elif symbol.intent == "out" and not access.write and not access.subscripts:
            detail = f"`{name}` is INTENT(OUT) but may be read before it is set ({access.at})"
            before = name in first_write and first_write[name] <= access.at
            sure = not (before or access.conditions or access.call)
        else:
            continue
        seen.add(name)
        yield Finding(
            symbol.at,
            unit.qualified_name,
            "intent" if sure else POSSIBLE,
            f"intent({symbol.intent}) {name}",
            detail,
            (Witness(name, "call" if access.call else "scalar", access.at, access.at),),
        )
