"""Call cycles, against networkx."""

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from acclimate.analysis.dependence.cycles import cycles

EDGES = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=20)


@given(EDGES)
def test_the_same_components_as_networkx(edges):
    successors = {node: [b for a, b in edges if a == node] for node in range(8)}
    graph = nx.DiGraph(edges)
    expected = [
        frozenset(component)
        for component in nx.strongly_connected_components(graph)
        if len(component) > 1 or any(graph.has_edge(node, node) for node in component)
    ]
    assert sorted(map(sorted, cycles(successors))) == sorted(map(sorted, expected))


def test_callees_come_first():
    assert cycles({"a": ["b", "a"], "b": ["c"], "c": ["b"]}) == [["c", "b"], ["a"]]


def test_a_long_chain_needs_no_recursion():
    chain = {n: [n + 1] for n in range(20_000)} | {20_000: [0]}
    assert len(cycles(chain)[0]) == 20_001
