"""Verifying a selection of hunks: first the invariant of residency, then the ladder."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from acclimate.analysis.index import ProjectIndex, index_project
from acclimate.analysis.keeping.cache import Cache
from acclimate.analysis.tree.manifest import Manifest
from acclimate.porter.agent.tree import put_tree, remove_tree
from acclimate.porter.invariant.host_walk import Violation
from acclimate.porter.invariant.legality import violations
from acclimate.verifier.ladder import Examination, examine
from acclimate.verifier.subject import Subject
from acclimate.verifier.toolchains import toolchain
from acclimate.workflows.reviewing import events
from acclimate.workflows.reviewing.decisions import Mark
from acclimate.workflows.reviewing.hunks import Hunk
from acclimate.workflows.reviewing.selection import Selection, select
from acclimate.workflows.reviewing.session import Session

FOLDER = "review"
_TRIED_ALONE = 12  # rejected hunks; each costs a reading of the port


def verify(
    session: Session,
    selection: Selection,
    manifest: Manifest,
    *,
    only: Iterable[str],
    cache: Cache | None,
    say: Callable[[str], None],
) -> events.Verified:
    """Examine a selection and note what was found; `only` names checks, none means all.

    A port that breaks the invariant is not run: nothing could be concluded from it.

    Raises:
        Problem: the original has changed, or does not build or run.
    """
    say("reading the port")
    index = index_project(manifest, cache=cache)
    broken = violations(index, dict(selection.files)) if selection.files else ()
    key = session.material.standing.key
    if broken:
        breakers = _breakers(session, selection, index, say)
        return session.record(
            events.Verified,
            selection=selection.digest,
            verdict="reject",
            key=key,
            broken=tuple(_told(session, selection, violation) for violation in broken),
            breakers=tuple(hunk.name for hunk in breakers),
            only=tuple(only),
        )
    examination = _examined(session, selection, manifest, frozenset(only) or None, say)
    return session.record(
        events.Verified,
        selection=selection.digest,
        verdict=examination.assessment.verdict,
        key=key,
        examination=session.outcome.store.put(examination, Examination),
        only=tuple(only),
    )


def _told(session: Session, selection: Selection, violation: Violation) -> str:
    """A violation at its line of the original."""
    file = violation.at.file
    line = selection.line_map(file, session.outcome.original(file)).original(violation.at.first)
    return f"{file}:{line}: {violation.message}"


def _breakers(
    session: Session, selection: Selection, index: ProjectIndex, say: Callable[[str], None]
) -> tuple[Hunk, ...]:
    """The rejected hunks without which the port breaks, all others being there."""
    modules, marks = session.modules, session.marks
    rejected = [hunk for hunk in selection.left if marks[hunk.name] is Mark.REJECTED]
    if len(selection.left) == 1:
        return tuple(rejected)
    found = []
    for hunk in rejected[:_TRIED_ALONE]:
        say(f"does the proof hold with all but {hunk.file}:{hunk.first}, which was rejected?")
        alone = select(modules, session.outcome.original, lambda h, out=hunk: h != out)  # type: ignore[misc]
        if violations(index, dict(alone.files)):
            found.append(hunk)
    return tuple(found)


def _examined(
    session: Session,
    selection: Selection,
    manifest: Manifest,
    only: frozenset[str] | None,
    say: Callable[[str], None],
) -> Examination:
    work = session.material.work / FOLDER
    port = _candidate(session, selection, manifest, work / "candidate")
    subject = Subject(
        original=manifest,
        port=port,
        toolchain=toolchain("gfortran"),
        work=work,
        say=say,
        gated=_gated(session),
    )
    return examine(subject, say, only=only)


def _gated(session: Session) -> frozenset[str]:
    """Units that no reviewer has written: the migration has held them to its own rules."""
    units = session.outcome.survey.units
    return frozenset(u.name for u in units if u.at.file not in session.decisions.texts)


def _candidate(
    session: Session, selection: Selection, manifest: Manifest, folder: Path
) -> Manifest:
    """Put the selected port into the work folder and describe it as the original is described."""
    files = session.outcome.survey.files
    remove_tree(folder)
    folder.mkdir(parents=True)
    put_tree(manifest.root, files, selection.files, folder)
    added = selection.files.keys() - files.keys()
    return replace(manifest, root=folder, sources=tuple(sorted({*manifest.sources, *added})))
