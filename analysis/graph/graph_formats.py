"""A model's graph as JSON values, GraphML and DOT."""

import json
from xml.etree import ElementTree

from acclimate.analysis.graph.model_graph import Edge, ModelGraph, Node

SCHEMA = "acclimate/graph/1"

_GRAPHML = "http://graphml.graphdrawing.org/xmlns"
_NODE_KEYS = {
    "kind": "string",
    "group": "string",
    "file": "string",
    "line": "int",
    "statements": "int",
    "live": "boolean",
    "share": "double",
    "open": "double",
    "device": "double",
    "clarity": "double",
    "score": "double",
}
_EDGE_KEYS = {"relation": "string", "count": "int", "first": "string"}


def to_json(graph: ModelGraph) -> dict[str, object]:
    """The graph as plain values, valid against `schemas/graph.schema.json`."""
    return {
        "schema": SCHEMA,
        "name": graph.name,
        "graph": graph.kind.value,
        "nodes": [
            {
                "name": node.name,
                **{key: getattr(node, key) for key in _NODE_KEYS},
                "verdicts": dict(node.verdicts),
            }
            for node in graph.nodes
        ],
        "edges": [
            {
                "source": edge.source,
                "target": edge.target,
                "kind": edge.kind,
                "sites": [{"file": at.file, "line": at.first} for at in edge.sites],
            }
            for edge in graph.edges
        ],
    }


def to_graphml(graph: ModelGraph) -> str:
    """GraphML, as yEd, Gephi and networkx read it."""
    root = ElementTree.Element("graphml", xmlns=_GRAPHML)
    for domain, keys in (("node", _NODE_KEYS), ("edge", _EDGE_KEYS)):
        for name, kind in keys.items():
            attributes = {"id": name, "for": domain, "attr.name": name, "attr.type": kind}
            ElementTree.SubElement(root, "key", attributes)
    drawing = ElementTree.SubElement(root, "graph", id=graph.kind.value, edgedefault="directed")
    for node in graph.nodes:
        element = ElementTree.SubElement(drawing, "node", id=_printable(node.name))
        for key in _NODE_KEYS:
            _datum(element, key, getattr(node, key))
    for edge in graph.edges:
        ends = {"source": _printable(edge.source), "target": _printable(edge.target)}
        element = ElementTree.SubElement(drawing, "edge", ends)
        _datum(element, "relation", edge.kind)
        _datum(element, "count", len(edge.sites))
        _datum(element, "first", str(edge.sites[0]) if edge.sites else "")
    ElementTree.indent(root, " ")
    text = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _datum(element: ElementTree.Element, key: str, value: str | float | bool) -> None:
    text = str(value).lower() if isinstance(value, bool) else f"{value}"
    ElementTree.SubElement(element, "data", key=key).text = _printable(text)


def _printable(text: str) -> str:
    """Without the control characters that XML cannot hold."""
    return "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text
    )


def to_dot(graph: ModelGraph) -> str:
    """DOT, one cluster for each module or file; `dot -Tsvg` draws it."""
    lines = [f"digraph {_quoted(graph.name)} {{", "  rankdir=LR;"]
    lines += ['  node [shape=box, style="rounded,filled", fillcolor=white, fontname=Helvetica];']
    groups: dict[str, list[Node]] = {}
    for node in graph.nodes:
        groups.setdefault(node.group, []).append(node)
    for number, group in enumerate(sorted(groups)):
        lines += [f"  subgraph cluster_{number} {{", f"    label={_quoted(group)};"]
        lines += [f"    {_dot_node(node)}" for node in groups[group]]
        lines += ["  }"]
    lines += [f"  {_dot_edge(edge)}" for edge in graph.edges]
    return "\n".join([*lines, "}"]) + "\n"


def _dot_node(node: Node) -> str:
    attributes = [f"label={_quoted(node.label or node.name.rpartition('::')[2])}"]
    if node.file:
        attributes.append(f"tooltip={_quoted(f'{node.file}:{node.line}')}")
    if node.kind == "variable":
        attributes.append("shape=ellipse")
    if not node.live:
        attributes.append('style="rounded,filled,dashed"')
    if node.verdicts:
        attributes.append(f"fillcolor={_quoted(_FILL[loops_state(node)])}")
    return f"{_quoted(node.name)} [{', '.join(attributes)}];"


def _dot_edge(edge: Edge) -> str:
    style = " [style=dashed]" if edge.kind == "names" else ""
    return f"{_quoted(edge.source)} -> {_quoted(edge.target)}{style};"


def _quoted(text: str) -> str:
    """A quoted DOT identifier: JSON's escapes of quotes and backslashes are DOT's too."""
    return json.dumps(_printable(text), ensure_ascii=False)


_FILL = {
    "device": "#cfe0fb",
    "ready": "#cdebd8",
    "partly": "#fbeec2",
    "not": "#f8d3cf",
    "none": "#ffffff",
}


def loops_state(node: Node) -> str:
    """What may be done with a node's loops, in one word: the classes of drawings.

    "device": most of their work is there already, "ready": nearly all of the work may run in
    parallel, "partly", "not", or "none" for a node without loops.
    """
    if not node.verdicts:
        return "none"
    if node.device > node.open:
        return "device"
    if node.open >= READY:
        return "ready"
    return "partly" if node.open > 0 else "not"


READY = 0.9  # of the work in loops that may run in parallel
