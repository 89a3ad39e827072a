"""Ranking and data flow as plain values, to stand beside the index in JSON."""

from pathlib import Path

from acclimate.analysis.graph.call_frequency import live_procedures
from acclimate.analysis.graph.model_graph import data_flow
from acclimate.analysis.graph.profile import Profile
from acclimate.analysis.graph.ranking import Rank
from acclimate.analysis.index import ProjectIndex
from acclimate.analysis.source import Lines


def structure_json(
    index: ProjectIndex, ranks: tuple[Rank, ...], profile: tuple[Path, Profile] | None
) -> dict[str, object]:
    """The keys `ranking`, `data` and `profile` of `schemas/index.schema.json`."""
    live = live_procedures(index.procedures)
    return {
        "ranking": [_rank(rank, rank.name in live) for rank in ranks],
        "data": [
            {
                "place": flow.place,
                "name": flow.name,
                "writers": [_site(unit, at) for unit, at in flow.writers],
                "readers": [_site(unit, at) for unit, at in flow.readers],
            }
            for flow in data_flow(index.procedures)
        ],
        "profile": None
        if profile is None
        else {
            "file": str(profile[0]),
            "unknown": [{"name": name, "seconds": time} for name, time in profile[1].unknown],
        },
    }


def _site(unit: str, at: Lines) -> dict[str, object]:
    return {"unit": unit, "file": at.file, "line": at.first}


def _rank(rank: Rank, live: bool) -> dict[str, object]:
    return {
        "unit": rank.name,
        "file": rank.file,
        "line": rank.line,
        "live": live,
        "statements": rank.statements,
        "loops": rank.loops,
        "calls": rank.calls,
        "work": rank.work,
        "share": rank.share,
        "open": rank.open,
        "device": rank.device,
        "clarity": rank.clarity,
        "score": rank.score,
        "doubts": dict(rank.doubts),
    }
