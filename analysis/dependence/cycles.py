"""Cycles of a graph: Tarjan's strongly connected components, without recursion.

Robert Tarjan, Depth-first search and linear graph algorithms, SIAM J. Comput. 1 (1972) 146-160.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def cycles(successors: Mapping[Node, Sequence[Node]]) -> list[list[Node]]:
    """The components with more than one node or with an edge to itself, callees first."""
    found: list[list[Node]] = []
    order: dict[Node, int] = {}
    lowest: dict[Node, int] = {}
    path: list[Node] = []  # nodes whose component is not complete
    open_nodes: set[Node] = set()
    for start in successors:
        if start in order:
            continue
        work: list[tuple[Node, Iterator[Node]]] = []
        _open(start, successors, order, lowest, path, open_nodes, work)
        while work:
            node, remaining = work[-1]
            following = next(remaining, None)
            if following is None:
                work.pop()
                if work:
                    above = work[-1][0]
                    lowest[above] = min(lowest[above], lowest[node])
                if lowest[node] == order[node]:
                    component = _close(node, path, open_nodes)
                    if len(component) > 1 or node in successors.get(node, ()):
                        found.append(component)
            elif following not in order:
                _open(following, successors, order, lowest, path, open_nodes, work)
            elif following in open_nodes:
                lowest[node] = min(lowest[node], order[following])
    return found


def _open(
    node: Node,
    successors: Mapping[Node, Sequence[Node]],
    order: dict[Node, int],
    lowest: dict[Node, int],
    path: list[Node],
    open_nodes: set[Node],
    work: list[tuple[Node, Iterator[Node]]],
) -> None:
    order[node] = lowest[node] = len(order)
    path.append(node)
    open_nodes.add(node)
    work.append((node, iter(successors.get(node, ()))))


def _close(node: Node, path: list[Node], open_nodes: set[Node]) -> list[Node]:
    component: list[Node] = []
    while not component or component[-1] != node:
        component.append(path.pop())
        open_nodes.discard(component[-1])
    return component
