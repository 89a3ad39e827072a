"""Say what is true of a model: its units, calls and loops, and what may be done with each loop.

PATH is a model tree with an acclimate.toml, a tree without one (guessed), or one source file,
which then is the whole model.

  --rank                 which procedures gain most from a port
  --graph call --out calls.html
                         the call graph, to look at in a browser
"""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from acclimate.analysis.problems import Problem
from acclimate.workflows._cache import add_cache_option, chosen_cache
from acclimate.workflows._exit import Exit
from acclimate.workflows._workers import add_workers_option
from acclimate.workflows.showing.delivery import deliver, deliver_json
from acclimate.workflows.showing.progress import waiting

if TYPE_CHECKING:
    from acclimate.analysis.graph.profile import Profile
    from acclimate.analysis.graph.ranking import Rank
    from acclimate.analysis.index import ProjectIndex

RANKED = 20
FORMATS = ("html", "json", "graphml", "dot")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", type=Path)
    parser.add_argument("--all", action="store_true", help="a row for every file")
    parser.add_argument("--json", metavar="FILE", help="write the index as JSON (- for stdout)")
    parser.add_argument(
        "--rank",
        metavar="N",
        type=int,
        nargs="?",
        const=RANKED,
        help=f"rank what is worth porting, the best N ({RANKED}; 0: all)",
    )
    parser.add_argument(
        "--by", choices=("procedure", "module", "file"), help="what is ranked (procedure)"
    )
    parser.add_argument(
        "--profile",
        metavar="FILE",
        type=Path,
        help="times for the ranking: gprof's flat profile, or rows of procedure,seconds",
    )
    parser.add_argument("--graph", choices=("call", "use", "data"), help="write a graph")
    parser.add_argument("--format", choices=FORMATS, help="of the graph; else by --out's ending")
    parser.add_argument(
        "--out", metavar="FILE", dest="output", help="where the graph goes (- for stdout)"
    )
    add_cache_option(parser)
    add_workers_option(parser)


def run(options: argparse.Namespace) -> int:
    from acclimate.analysis.graph.ranking import rank_procedures
    from acclimate.analysis.graph.structure import structure_json
    from acclimate.analysis.index import index_project, to_json
    from acclimate.analysis.tree.manifest import load_manifest

    _check(options)
    manifest = load_manifest(options.path)
    for guess in manifest.guessed:
        print(f"guessed: {guess}", file=sys.stderr)
    with waiting(f"analysing {len(manifest.sources)} files"):
        index = index_project(manifest, workers=options.workers, cache=chosen_cache(options.cache))
    profile = _profile(options.profile, index)
    ranks = rank_procedures(index.procedures, profile)
    if options.json:
        named = None if profile is None else (options.profile, profile)
        deliver_json({**to_json(index), **structure_json(index, ranks, named)}, options.json)
    if options.graph:
        deliver(_drawn(index, ranks, options), options.output)
    if "-" not in (options.json, options.output) and (
        options.rank is not None or not options.graph
    ):
        _print(index, ranks, profile, options)
    return Exit.DONE


def _check(options: argparse.Namespace) -> None:
    """Refuse what does not go together before the model is read."""
    if bool(options.graph) != bool(options.output):
        raise Problem(
            "--graph and --out go together",
            hint="for example: --graph call --out calls.html",
        )
    if options.graph and _format(options) is None:
        raise Problem(
            "a graph on standard output needs a format"
            if options.output == "-"
            else f"the ending of {options.output} says no format",
            hint=f"use one of .{', .'.join(FORMATS)}, or --format",
        )
    if options.format and not options.graph:
        raise Problem("--format is the format of a graph", hint="for example: --graph call")
    if options.by and options.rank is None:
        raise Problem("--by says what is ranked", hint=f"for example: --rank --by {options.by}")
    if options.profile and options.rank is None and not (options.graph or options.json):
        raise Problem("nothing here shows the times of a profile", hint="add --rank or --graph")
    if options.rank is not None and options.rank < 0:
        raise Problem("--rank needs a number of rows", hint="0 shows all of them")
    if options.json == options.output == "-":
        raise Problem("only one thing can go to standard output", hint="name a file for the other")


def _format(options: argparse.Namespace) -> str | None:
    if options.format:
        return str(options.format)
    ending = Path(options.output).suffix.lower().lstrip(".")
    ending = {"gv": "dot", "htm": "html"}.get(ending, ending)
    return ending if ending in FORMATS else None


def _profile(path: Path | None, index: "ProjectIndex") -> "Profile | None":
    from acclimate.analysis.graph.profile import read_profile

    if path is None:
        return None
    return read_profile(path, [(facts.unit, facts.kind) for facts in index.procedures])


def _drawn(index: "ProjectIndex", ranks: tuple["Rank", ...], options: argparse.Namespace) -> str:
    import json

    from acclimate.analysis.graph.graph_formats import to_dot, to_graphml, to_json
    from acclimate.analysis.graph.model_graph import GraphKind, model_graph
    from acclimate.workflows.reporting.graph_page import to_html

    graph = model_graph(index, ranks, GraphKind(options.graph))
    size = f"{len(graph.nodes)} nodes, {len(graph.edges)} edges"
    print(f"{graph.kind.value} graph of {graph.name}: {size}", file=sys.stderr)
    match _format(options):
        case "dot":
            return to_dot(graph)
        case "graphml":
            return to_graphml(graph)
        case "html":
            return to_html(graph, measured=options.profile is not None)
    return json.dumps(to_json(graph), indent=1, ensure_ascii=False) + "\n"


def _print(
    index: "ProjectIndex",
    ranks: tuple["Rank", ...],
    profile: "Profile | None",
    options: argparse.Namespace,
) -> None:
    from acclimate.analysis.graph.ranking import file_of, module_of, rank_groups
    from acclimate.workflows.showing.loops_table import print_loops
    from acclimate.workflows.showing.rank_table import print_ranking

    if options.rank is None:
        print_loops(index, every_file=options.all)
        return
    group = {"module": module_of, "file": file_of}.get(options.by)
    found = ranks if group is None else rank_groups(ranks, group)
    print_ranking(found, options.rank or None, options.by or "procedure", profile)
