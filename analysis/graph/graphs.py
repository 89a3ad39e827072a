"""Graphs over a model: who calls whom, who uses whom, what is built first. networkx's one door."""

import networkx as nx

from acclimate.analysis.index import ProjectIndex
from acclimate.analysis.ir import Unit, UnitKind
from acclimate.analysis.problems import Problem
from acclimate.analysis.project import Project


def call_graph(index: ProjectIndex) -> "nx.DiGraph[str]":
    """Procedures and programs by qualified name; externals are nodes with `external=True`.

    An edge goes from caller to callee and carries `sites`, the lines of its calls.
    """
    graph: nx.DiGraph[str] = nx.DiGraph()
    for name, unit in index.project.units.items():
        if unit.kind not in (UnitKind.MODULE, UnitKind.SUBMODULE, UnitKind.BLOCK_DATA):
            graph.add_node(name, external=False)
    for call in index.calls:
        if call.callee not in graph:
            graph.add_node(call.callee, external=call.external)
        if graph.has_edge(call.caller, call.callee):
            graph[call.caller][call.callee]["sites"].append(call.at)
        else:
            graph.add_edge(call.caller, call.callee, sites=[call.at])
    return graph


def use_graph(index: ProjectIndex) -> "nx.DiGraph[str]":
    """Outermost units by name; an edge goes from the unit that uses to the module it uses."""
    graph: nx.DiGraph[str] = nx.DiGraph()
    project = index.project
    for file in project.texts:
        for unit in project.file_units(file):
            graph.add_node(project.name_of(unit), external=False)
    for use in index.uses:
        if use.module not in graph:
            graph.add_node(use.module, external=use.external)
        graph.add_edge(use.unit.split("::")[0], use.module)
    return graph


def reachable(graph: "nx.DiGraph[str]", roots: tuple[str, ...]) -> frozenset[str]:
    """The roots and everything that can be reached from them."""
    found: set[str] = set()
    for root in roots:
        if root in graph:
            found |= {root} | nx.descendants(graph, root)
    return frozenset(found)


def recursive_groups(graph: "nx.DiGraph[str]") -> tuple[frozenset[str], ...]:
    """Groups of procedures that can reach themselves."""
    groups = [frozenset(group) for group in nx.strongly_connected_components(graph)]
    return tuple(
        sorted(
            (g for g in groups if len(g) > 1 or any(graph.has_edge(n, n) for n in g)),
            key=sorted,
        )
    )


def build_order(project: Project) -> tuple[str, ...]:
    """Source files in an order in which they can be compiled: modules before their users.

    Files that do not depend on each other keep the order of the manifest.

    Raises:
        Problem: modules use each other in a circle.
    """
    graph: nx.DiGraph[str] = nx.DiGraph()
    places = {file: number for number, file in enumerate(project.texts)}
    graph.add_nodes_from(places)
    defined = {
        unit.name: file
        for file in places
        for unit in project.file_units(file)
        if unit.kind in (UnitKind.MODULE, UnitKind.SUBMODULE)
    }
    for file in places:
        for needed in {n for unit in project.file_units(file) for n in _needed(unit)}:
            provider = defined.get(needed)
            if provider is not None and provider != file:
                graph.add_edge(provider, file)
    try:
        return tuple(nx.lexicographical_topological_sort(graph, key=places.__getitem__))
    except nx.NetworkXUnfeasible:
        circle = " -> ".join(edge[0] for edge in nx.find_cycle(graph))
        raise Problem(
            f"modules use each other in a circle: {circle}",
            hint="no compiler can build this; check [model] sources for variants of one module.",
        ) from None


def _needed(unit: Unit) -> set[str]:
    names = {use.module for use in unit.uses}
    if unit.ancestor is not None:
        names.add(unit.ancestor)
    for inner in (*unit.units.values(), *unit.interfaces.values()):
        names |= _needed(inner)
    return names
