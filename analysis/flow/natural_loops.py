"""Natural loops of a flow graph by dominators. networkx's door for flow graphs."""

from collections.abc import Sequence

import networkx as nx

from acclimate.analysis.flow.region import Region


class IrreducibleError(Exception):
    """A cycle is entered at two places; `entries` are nodes, at least two."""

    def __init__(self, entries: list[int]) -> None:
        super().__init__(f"entries {entries}")
        self.entries = entries


def ordered(following: Sequence[tuple[int, ...]]) -> Region:
    """Take a graph apart into nested natural loops.

    `following` gives the successors of each node; a successor that is no node is the way out. What
    node 0 does not reach is left out. Nodes stay in their order as far as the edges allow.

    Raises:
        IrreducibleError: if the graph is not reducible.
    """
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_node(0)
    graph.add_edges_from(
        (node, target)
        for node, targets in enumerate(following)
        for target in targets
        if target < len(following)
    )
    graph.remove_nodes_from(graph.nodes - nx.descendants(graph, 0) - {0})
    back = _back_edges(graph)
    loops: dict[int, set[int]] = {}
    for tail, head in back:
        loops.setdefault(head, {head}).update(_reaching(graph, tail, head))
    graph.remove_edges_from(back)
    for cycle in nx.strongly_connected_components(graph):
        if len(cycle) > 1:
            raise IrreducibleError(_entries(graph, cycle))
    return _region(graph, set(graph.nodes), None, loops)


def _back_edges(graph: "nx.DiGraph[int]") -> list[tuple[int, int]]:
    """Edges to a node that every path to their start has passed."""
    last = {node: number for number, node in enumerate(nx.dfs_postorder_nodes(graph, 0))}
    immediate = nx.immediate_dominators(graph, 0)
    found = []
    for tail, head in graph.edges:
        if last[tail] > last[head]:  # all others lead on or back in the depth-first tree
            continue
        node: int | None = tail
        while node not in (head, 0, None):
            node = immediate[node]
        if node == head:
            found.append((tail, head))
    return found


def _reaching(graph: "nx.DiGraph[int]", tail: int, head: int) -> set[int]:
    """Nodes from which the tail of a back edge is reached without passing its head."""
    found = {tail}
    waiting = [tail] if tail != head else []
    while waiting:
        for node in graph.predecessors(waiting.pop()):
            if node not in found and node != head:
                found.add(node)
                waiting.append(node)
    return found


def _entries(graph: "nx.DiGraph[int]", cycle: set[int]) -> list[int]:
    return sorted(
        node
        for node in cycle
        if node == 0 or any(before not in cycle for before in graph.predecessors(node))
    )


def _region(
    graph: "nx.DiGraph[int]", nodes: set[int], header: int | None, loops: dict[int, set[int]]
) -> Region:
    inner = {head: body for head, body in loops.items() if head in nodes and head != header}
    outermost = {
        head: body
        for head, body in inner.items()
        if not any(head in other for first, other in inner.items() if first != head)
    }
    standing = {node: head for head, body in outermost.items() for node in body}
    level: nx.DiGraph[int] = nx.DiGraph()
    level.add_nodes_from(standing.get(node, node) for node in nodes)
    level.add_edges_from(
        (start, end)
        for tail, target in graph.subgraph(nodes).edges
        if (start := standing.get(tail, tail)) != (end := standing.get(target, target))
    )
    return Region(
        header,
        tuple(
            _region(graph, outermost[node], node, loops) if node in outermost else node
            for node in nx.lexicographical_topological_sort(level)
        ),
    )
