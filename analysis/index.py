"""Everything the analysis says of a model: units, calls, uses, loops with verdicts, problems.

Only facts are imported here: an index that is kept is read without the analysis behind it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from acclimate.analysis.causes import causes
from acclimate.analysis.dependence.collection import without_collecting
from acclimate.analysis.facts import (
    CallSite,
    Finding,
    LoopFacts,
    ProcedureFacts,
    ReadingProblem,
    UnitFacts,
    UseEdge,
)
from acclimate.analysis.keeping.cache import Cache
from acclimate.analysis.keeping.fingerprint import file_digests, model_digest, tree_digest
from acclimate.analysis.keeping.kept_index import ModelFacts, decoded, encoded
from acclimate.analysis.source_texts import SourceTexts, source_texts
from acclimate.analysis.tree.manifest import Manifest
from acclimate.analysis.verdict_json import basis, finding, witness

if TYPE_CHECKING:
    from acclimate.analysis.project import Project

SCHEMA = "acclimate/index/1"


@dataclass(frozen=True)
class ProjectIndex:
    """A model and what is true of it. Everything is sorted by file and line.

    `texts` are the bytes of the source files that could be read, in the manifest's order; `units`
    are in the order in which they were read.
    """

    manifest: Manifest
    texts: Mapping[str, bytes]
    units: tuple[UnitFacts, ...]
    loops: tuple[LoopFacts, ...]
    calls: tuple[CallSite, ...]
    uses: tuple[UseEdge, ...]
    problems: tuple[ReadingProblem, ...]
    procedures: tuple[ProcedureFacts, ...]
    findings: tuple[Finding, ...]
    _read: "Callable[[], Project]" = field(repr=False, compare=False)

    @cached_property
    def project(self) -> "Project":
        """The units with their statements; read on first use where they are not at hand."""
        return self._read()


def index_project(
    manifest: Manifest, *, workers: int = 1, cache: Cache | None = None
) -> ProjectIndex:
    """Read and analyse a whole model in so many processes; the result is the same for any number.

    With a cache, what it holds of an unchanged model is taken, and of a changed one all that does
    not rest on the change.

    Raises:
        Problem: a file needs the C preprocessor and there is none; a process of the analysis was
            ended from outside time and again.
    """
    with without_collecting():
        return _indexed(manifest, workers, cache)


def _indexed(manifest: Manifest, workers: int, cache: Cache | None) -> ProjectIndex:
    if manifest.configurations:
        return _in_all_configurations(manifest, workers, cache)
    sources = source_texts(manifest)
    files = None if cache is None else file_digests(manifest, sources)
    if cache is None or files is None:
        return _analysed(manifest, sources, workers=workers)[0]
    key = model_digest(manifest, files)
    kept = cache.get(key)
    facts = None if kept is None else decoded(kept)
    if facts is not None:
        return _index(manifest, sources, facts, lambda: _read_again(manifest, sources))
    return _renewed(manifest, sources, files, key, workers, cache)


def _in_all_configurations(manifest: Manifest, workers: int, cache: Cache | None) -> ProjectIndex:
    """The index of the configuration that is built, with what the others say of the same lines."""
    from acclimate.analysis.configurations import BUILT, joined

    built = _indexed(replace(manifest, configurations=()), workers, cache)
    found = {BUILT: _facts(built)}
    for configuration in manifest.configurations:
        defines = configuration.applied(manifest.defines)
        other = replace(manifest, defines=defines, configurations=())
        found[configuration.name] = _facts(_indexed(other, workers, cache))
    sources = SourceTexts(dict(built.texts), {})
    return _index(manifest, sources, joined(found), lambda: built.project)


def _facts(index: ProjectIndex) -> ModelFacts:
    return ModelFacts(
        index.units,
        index.loops,
        index.calls,
        index.uses,
        index.problems,
        index.procedures,
        index.findings,
    )


def _renewed(
    manifest: Manifest,
    sources: SourceTexts,
    files: Mapping[str, str],
    key: str,
    workers: int,
    cache: Cache,
) -> ProjectIndex:
    """Analyse what has changed since the last time that this tree was looked at."""
    last = tree_digest(manifest)
    before = cache.get(f"{(cache.get(last) or b'').decode()}-parts")
    index, facts, parts = _analysed(manifest, sources, files, before, workers=workers)
    if file_digests(manifest, source_texts(manifest)) == files:  # nothing changed under our hands
        cache.put(key, encoded(facts))
        cache.put(f"{key}-parts", parts)
        cache.put(last, key.encode())
    return index


def _analysed(
    manifest: Manifest,
    sources: SourceTexts,
    files: Mapping[str, str] = MappingProxyType({}),
    before: bytes | None = None,
    *,
    workers: int,
) -> tuple[ProjectIndex, ModelFacts, bytes]:
    """The index, its facts and the parts they are made of; imports the analysis."""
    from acclimate.analysis.analysing import analysed
    from acclimate.analysis.exchange import parts

    known = None if before is None else parts.decoded(before)
    found = analysed(manifest, sources, files, workers=workers, known=known)
    index = _index(manifest, sources, found.facts, found.project)
    return index, found.facts, parts.encoded(found.parts)


def _read_again(manifest: Manifest, sources: SourceTexts) -> "Project":
    from acclimate.analysis.project import project_of

    return project_of(manifest, sources)


def _index(
    manifest: Manifest, sources: SourceTexts, facts: ModelFacts, read: "Callable[[], Project]"
) -> ProjectIndex:
    return ProjectIndex(
        manifest=manifest,
        texts=sources.texts,
        units=facts.units,
        loops=facts.loops,
        calls=facts.calls,
        uses=facts.uses,
        problems=facts.problems,
        procedures=facts.procedures,
        findings=facts.findings,
        _read=read,
    )


# --- JSON ----------------------------------------------------------------------------------------


def to_json(index: ProjectIndex) -> dict[str, object]:
    """The index as plain values, valid against `schemas/index.schema.json`."""
    return {
        "schema": SCHEMA,
        "name": index.manifest.name,
        "configurations": [c.name for c in index.manifest.configurations],
        "files": [
            {"file": file, "form": index.manifest.form(file), "lines": data.count(b"\n")}
            for file, data in sorted(index.texts.items())
        ],
        "units": [_unit(unit) for unit in index.units],
        "calls": [
            {
                "caller": call.caller,
                "callee": call.callee,
                "file": call.at.file,
                "line": call.at.first,
                "external": call.external,
            }
            for call in index.calls
        ],
        "uses": [
            {
                "unit": use.unit,
                "module": use.module,
                "file": use.at.file,
                "line": use.at.first,
                "external": use.external,
            }
            for use in index.uses
        ],
        "loops": [_loop(loop) for loop in index.loops],
        "findings": [finding(found) for found in index.findings],
        "problems": [
            {
                "file": problem.at.file,
                "line": problem.at.first,
                "reason": problem.reason,
                "text": problem.text,
            }
            for problem in index.problems
        ],
        "causes": [
            {"reason": cause.reason, "places": cause.places, "files": cause.files}
            for cause in causes(index.problems)
        ],
    }


def _unit(unit: UnitFacts) -> dict[str, object]:
    return {
        "name": unit.name,
        "kind": unit.kind,
        "file": unit.at.file,
        "line": unit.at.first,
        "end": unit.end.last,
        "arguments": list(unit.arguments),
    }


def _loop(loop: LoopFacts) -> dict[str, object]:
    witnesses = [w for obstacle in loop.obstacles for w in obstacle.witnesses]
    return {
        "file": loop.at.file,
        "line": loop.at.first,
        "end": loop.end.last,
        "unit": loop.unit,
        "kind": loop.kind,
        "index": loop.index,
        "depth": loop.depth,
        "verdict": loop.verdict.value,
        "private": list(loop.private),
        "firstprivate": list(loop.firstprivate),
        "reduction": [{"op": r.op, "var": r.var} for r in loop.reduction],
        "atomic": list(loop.atomic),
        "last_values": list(loop.last_values),
        "reason": loop.reason,
        "obstacles": [
            {
                "verdict": obstacle.verdict.value,
                "reason": obstacle.reason,
                "detail": obstacle.detail,
                "file": obstacle.at.file,
                "line": obstacle.at.first,
                "remedy": obstacle.remedy,
            }
            for obstacle in loop.obstacles
        ],
        "witnesses": [witness(w) for w in witnesses],
        "calls": list(loop.calls),
        "only_in": list(loop.only_in),
        "notes": list(loop.notes),
        **basis(loop),
    }
