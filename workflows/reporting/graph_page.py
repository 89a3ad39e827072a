"""A model's graph as one HTML page that loads nothing and draws with a script of its own."""

import json
from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from acclimate.analysis.facts import Verdict
from acclimate.analysis.graph.graph_formats import loops_state
from acclimate.analysis.graph.model_graph import ModelGraph, Node

SITES_SHOWN = 4  # of one edge; the others are counted
_SCRIPTS = ("graph_model.js", "graph_layout.js", "graph_draw.js", "graph_panel.js", "graph_view.js")


def to_html(graph: ModelGraph, *, measured: bool) -> str:
    """The page; `measured`: shares of time come from a profile.

    Names and paths of a model are data here and text in the page, never markup.
    """
    environment = Environment(
        loader=PackageLoader("acclimate.workflows", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )
    return environment.get_template("graph.html").render(
        title=f"{graph.name}: {graph.kind.value} graph",
        style=Markup(_template("graph.css")),
        script=Markup("\n".join(map(_template, _SCRIPTS))),
        data=Markup(_inert(_packed(graph, measured=measured))),
    )


@cache
def _template(name: str) -> str:
    return files("acclimate.workflows").joinpath("templates", name).read_text("utf-8")


def _inert(value: object) -> str:
    """JSON without a character that could end the script element it stands in."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _packed(graph: ModelGraph, *, measured: bool) -> dict[str, object]:
    """Rows instead of objects, numbers instead of repeated texts: 5,000 nodes are a megabyte."""
    places = {at.file for edge in graph.edges for at in edge.sites}
    texts = sorted({node.file for node in graph.nodes} | places)
    groups = sorted({node.group for node in graph.nodes})
    file_of = {text: number for number, text in enumerate(texts)}
    group_of = {text: number for number, text in enumerate(groups)}
    place_of = {node.name: number for number, node in enumerate(graph.nodes)}
    return {
        "name": graph.name,
        "graph": graph.kind.value,
        "measured": measured,
        "files": texts,
        "groups": groups,
        "nodes": [_row(node, group_of[node.group], file_of[node.file]) for node in graph.nodes],
        "edges": [
            [
                place_of[edge.source],
                place_of[edge.target],
                edge.kind,
                len(edge.sites),
                [[file_of[at.file], at.first] for at in edge.sites[:SITES_SHOWN]],
            ]
            for edge in graph.edges
        ],
    }


def _row(node: Node, group: int, file: int) -> list[object]:
    verdicts = dict(node.verdicts)
    return [
        node.name,
        node.label,
        node.kind,
        group,
        file,
        node.line,
        node.statements,
        int(node.live),
        _state(node),
        *(round(part, 6) for part in (node.share, node.open, node.clarity, node.score)),
        [verdicts.get(verdict.value, 0) for verdict in Verdict],
    ]


def _state(node: Node) -> str:
    if node.kind == "external":
        return "outside"
    return "variable" if node.kind == "variable" else loops_state(node)
