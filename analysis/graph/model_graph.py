"""The graphs of a model as plain nodes and edges: for drawings, files and other programs."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from acclimate.analysis.facts import LoopFacts, ProcedureFacts, Touch, UnitFacts
from acclimate.analysis.graph.call_frequency import live_procedures
from acclimate.analysis.graph.ranking import Rank
from acclimate.analysis.index import ProjectIndex
from acclimate.analysis.source import Lines


class GraphKind(StrEnum):
    CALL = "call"  # caller -> callee
    USE = "use"  # unit -> module it uses
    DATA = "data"  # who writes a variable -> the variable -> who reads it


@dataclass(frozen=True, slots=True)
class Node:
    """A procedure, module or variable; `file` is empty for what lies outside the model."""

    name: str
    kind: str  # "program" | "subroutine" | "function" | "module" | "variable" | "external" | ...
    group: str  # the module or COMMON block it belongs to
    file: str = ""
    line: int = 0
    statements: int = 0
    live: bool = True
    verdicts: tuple[tuple[str, int], ...] = ()  # of its loops
    share: float = 0.0  # see `ranking`
    open: float = 0.0
    device: float = 0.0
    clarity: float = 1.0
    score: float = 0.0
    label: str = ""  # where the name is a storage key: what users call it


@dataclass(frozen=True, slots=True)
class Edge:
    source: str
    target: str
    kind: str  # "calls" | "names" | "uses" | "writes" | "reads"
    sites: tuple[Lines, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelGraph:
    """Nodes and edges sorted by name; every end of an edge is a node."""

    name: str
    kind: GraphKind
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


def model_graph(index: ProjectIndex, ranks: Iterable[Rank], kind: GraphKind) -> ModelGraph:
    """One graph of a model; see `GraphKind` for the direction of its edges."""
    nodes = _procedure_nodes(index, ranks)
    match kind:
        case GraphKind.CALL:
            edges = _calls(index)
        case GraphKind.USE:
            nodes = _unit_nodes(index, nodes)
            edges = _uses(index)
        case GraphKind.DATA:
            flows = data_flow(index.procedures)
            nodes |= {flow.place: _variable(flow) for flow in flows}
            edges = [edge for flow in flows for edge in _flow_edges(flow)]
            joined = {end for edge in edges for end in (edge.source, edge.target)}
            nodes = {name: node for name, node in nodes.items() if name in joined}
    ends = {end for edge in edges for end in (edge.source, edge.target)}
    for name in ends - nodes.keys():
        nodes[name] = Node(name, "external", "outside the model")
    return ModelGraph(
        index.manifest.name,
        kind,
        tuple(nodes[name] for name in sorted(nodes)),
        tuple(sorted(edges, key=lambda edge: (edge.source, edge.target, edge.kind))),
    )


# --- who shares data -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DataFlow:
    """A variable that several procedures touch: who writes it and who reads it, and where first.

    Only references that a procedure makes itself count; a variable handed on as an argument is
    touched by the caller.
    """

    place: str  # "module::name", "module::name%component", "common:block#2", "common:block"
    name: str
    writers: tuple[tuple[str, Lines], ...]
    readers: tuple[tuple[str, Lines], ...]
    declared: Lines


def data_flow(procedures: Iterable[ProcedureFacts]) -> tuple[DataFlow, ...]:
    """Shared variables by place: those of modules, COMMON blocks and hosts, with components.

    A COMMON block that units lay out differently, and names joined by EQUIVALENCE, are one place.
    """
    touched: dict[str, dict[bool, dict[str, Lines]]] = defaultdict(lambda: defaultdict(dict))
    known: dict[str, Touch] = {}
    for facts in procedures:
        for touch in facts.touches:
            place = _place(touch.place)
            known.setdefault(place, touch)
            first = touched[place][touch.write]
            first[facts.unit] = min(touch.at, first.get(facts.unit, touch.at))
    return tuple(
        DataFlow(
            place,
            _name(place, known[place].name),
            tuple(sorted(uses[True].items())),
            tuple(sorted(uses[False].items())),
            known[place].declared,
        )
        for place, uses in sorted(touched.items())
        if any(unit != _owner(place) for found in uses.values() for unit in found)
    )


def _place(key: str) -> str:
    """The storage that all views of it share; components of one view stay apart."""
    head, dot, path = key.partition("%")
    area, view, _ = head.partition("@")
    return area if view else area + dot + path


def _name(place: str, name: str) -> str:
    if not place.startswith("common:"):
        return name
    block = place.removeprefix("common:").partition("#")[0]
    return f"{name} in /{block}/" if "#" in place else f"/{block}/"


def _owner(place: str) -> str:
    return place.partition("%")[0].rpartition("::")[0]


def _flow_edges(flow: DataFlow) -> list[Edge]:
    writes = [Edge(unit, flow.place, "writes", (at,)) for unit, at in flow.writers]
    return writes + [Edge(flow.place, unit, "reads", (at,)) for unit, at in flow.readers]


def _variable(flow: DataFlow) -> Node:
    group = _owner(flow.place) or flow.place.partition("#")[0]
    at = flow.declared
    return Node(flow.place, "variable", group, at.file, at.first, label=flow.name)


# --- who calls, who uses -------------------------------------------------------------------------


def _procedure_nodes(index: ProjectIndex, ranks: Iterable[Rank]) -> dict[str, Node]:
    rank_of = {rank.name: rank for rank in ranks}
    live = live_procedures(index.procedures)
    verdicts = _verdicts(index.loops)
    nodes = {}
    for facts in index.procedures:
        rank = rank_of[facts.unit]
        nodes[facts.unit] = Node(
            name=facts.unit,
            kind=facts.kind,
            group=facts.unit.partition("::")[0] if "::" in facts.unit else facts.at.file,
            file=facts.at.file,
            line=facts.at.first,
            statements=facts.statements,
            live=facts.unit in live,
            verdicts=verdicts.get(facts.unit.partition("@")[0], ()),
            share=rank.share,
            open=rank.open,
            device=rank.device,
            clarity=rank.clarity,
            score=rank.score,
        )
    return nodes


def _verdicts(loops: Iterable[LoopFacts]) -> dict[str, tuple[tuple[str, int], ...]]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for loop in loops:
        counts[loop.unit][loop.verdict.value] += 1
    return {unit: tuple(sorted(found.items())) for unit, found in counts.items()}


def _calls(index: ProjectIndex) -> list[Edge]:
    sites: dict[tuple[str, str], list[Lines]] = defaultdict(list)
    for call in index.calls:
        sites[call.caller, call.callee].append(call.at)
    calls = [Edge(*ends, "calls", tuple(found)) for ends, found in sites.items()]
    return calls + [
        Edge(facts.unit, name, "names") for facts in index.procedures for name in facts.refers
    ]


def _unit_nodes(index: ProjectIndex, procedures: dict[str, Node]) -> dict[str, Node]:
    """Outermost units, each with the sums of what it contains."""
    inside: dict[str, list[Node]] = defaultdict(list)
    for name, node in procedures.items():
        inside[name.partition("::")[0]].append(node)
    outermost = (unit for unit in index.units if "::" not in unit.name)
    return {unit.name: _unit_node(unit, inside[unit.name]) for unit in outermost}


def _unit_node(unit: UnitFacts, inside: list[Node]) -> Node:
    verdicts: Counter[str] = Counter()
    for node in inside:
        verdicts.update(dict(node.verdicts))
    share = sum(node.share for node in inside)

    def average(values: Iterable[float]) -> float:
        return sum(values) / share if share else 0.0

    return Node(
        name=unit.name,
        kind=unit.kind,
        group=unit.at.file,
        file=unit.at.file,
        line=unit.at.first,
        statements=sum(node.statements for node in inside),
        live=not inside or any(node.live for node in inside),
        verdicts=tuple(sorted(verdicts.items())),
        share=share,
        open=average(node.open * node.share for node in inside),
        device=average(node.device * node.share for node in inside),
        clarity=average(node.clarity * node.share for node in inside),
        score=sum(node.score for node in inside),
    )


def _uses(index: ProjectIndex) -> list[Edge]:
    sites: dict[tuple[str, str], list[Lines]] = defaultdict(list)
    for use in index.uses:
        sites[use.unit.partition("::")[0], use.module].append(use.at)
    return [Edge(*ends, "uses", tuple(found)) for ends, found in sites.items()]
