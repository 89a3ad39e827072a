"""Tables of settings that host code asks for one value at a time: both copies are kept valid.

A model keeps its switches in lists that kernels may fill and use as well. If the device's copy
alone were valid, every question for a switch would cost a transfer, thousands in a time step.
"""

from collections.abc import Callable, Iterator

from acclimate.analysis.dependence.statements import bodies
from acclimate.analysis.ir import Assignment, Call, Do, If, Statement
from acclimate.porter.device.device_code import references_in
from acclimate.porter.names.scope import Reference, Scope, Scopes
from acclimate.porter.residency.roots import Roots


def asked_by_element(scopes: Scopes, roots: Roots) -> frozenset[str]:
    """Storage nodes of tables of which the host uses single elements outside all loops."""
    return frozenset(
        found.node
        for unit in scopes.executable()
        for found in _elements(scopes.of(unit), unit.body)
        if roots.of(found.node) and roots.is_table(found.node)
    )


def twins(asked: frozenset[str], roots: Roots, find: Callable[[str], str]) -> frozenset[str]:
    """Classes with such a table in which all storage is tables: larger data is never mirrored."""
    classes = {find(node) for node in asked}
    larger = {find(node) for node in roots.nodes() if not roots.is_table(node)}
    return frozenset(classes - larger)


def _elements(scope: Scope, body: list[Statement]) -> Iterator[Reference]:
    for statement in body:
        if isinstance(statement, Do):
            continue
        if isinstance(statement, Assignment | If | Call):
            for found in references_in(scope, statement):
                if found.is_array and found.subscripts and not found.has_section:
                    yield found
        for block in bodies(statement):
            yield from _elements(scope, block)
