"""Landing what was accepted: a commit or a patch for each module, or the waiting migration."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from acclimate.analysis.problems import Problem
from acclimate.porter.agent.artefacts import Answer, Decided, Reviewed, Tree
from acclimate.porter.agent.branch import check_branch, land_series
from acclimate.porter.agent.outcome import unified
from acclimate.porter.keeping.atomic import write_atomically
from acclimate.porter.rewrite import Rewrite
from acclimate.verifier.evidence import Evidence, Outcome
from acclimate.verifier.ladder import Examination
from acclimate.workflows.reviewing import events
from acclimate.workflows.reviewing.decisions import Mark
from acclimate.workflows.reviewing.hunks import Hunk
from acclimate.workflows.reviewing.selection import Selection
from acclimate.workflows.reviewing.session import Session, Standing
from acclimate.workflows.reviewing.states import State, open_failures
from acclimate.workflows.reviewing.telling import LIGHTS


@dataclass(frozen=True, slots=True)
class Ready:
    """A selection that may land, with the examination it rests on."""

    selection: Selection
    key: str
    examination: Examination


def ready(session: Session) -> Ready | None:
    """What would land now; None where exactly these hunks have not been examined yet.

    Raises:
        Problem: nothing is accepted, reviewers disagree, or the evidence is against it.
    """
    disputed = [s.module.file for s in session.standings if s.state is State.DISPUTED]
    if disputed:
        raise Problem(
            f"reviewers disagree about {', '.join(disputed)}",
            hint="look at it and decide again: a decision made after both settles it",
        )
    selection = session.selection(with_open=False)
    if not selection.files:
        raise Problem("nothing is accepted, so nothing can land", hint="accept a module or a hunk")
    known = session.examination_of(selection)
    if known is None:
        return None
    _, key, broken = known
    if broken:
        raise Problem(
            "what is accepted breaks the proof that data is where it is used",
            notes=broken[:5],
            hint="accept the hunks that were rejected there, or turn the unit back",
        )
    examination = session.examination(key)
    against = open_failures(examination.assessment.evidence, session.decisions, session.today)
    if against:
        raise Problem(
            "evidence stands against what is accepted",
            notes=tuple(f"{item.check}: {item.message}" for item in against[:5]),
            hint="reject or edit what it names, or waive the check with a reason and a date",
        )
    return Ready(selection, key, examination)


def land_on_branch(session: Session, found: Ready, branch: str, *, allow_dirty: bool) -> str:
    """A commit for each module on a branch of its own; the work tree stays as it is.

    Raises:
        Problem: there is no repository, or the branch is somebody else's.
    """
    root = session.outcome.root
    check_branch(root, branch, allow_dirty=allow_dirty)
    series = [
        (message(session, standing, found), {file: found.selection.files[file]})
        for standing in _landing(session, found)
        for file in [standing.module.file]
    ]
    commit = land_series(root, series, branch, session.material.standing.key)
    _record(session, found, f"branch {branch}")
    return commit


def land_as_patches(session: Session, found: Ready, folder: Path) -> tuple[Path, ...]:
    """A patch for each module that `git apply` and `patch -p1` take, in the order to apply."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Problem(
            f"the patches cannot go to {folder}: {error.strerror}", hint="name another folder"
        ) from error
    written = []
    for number, standing in enumerate(_landing(session, found), 1):
        file = standing.module.file
        path = folder / f"{number:04}-{file.replace('/', '-')}.patch"
        head = "".join(f"{line}\n" for line in message(session, standing, found).splitlines())
        diff = unified(file, session.outcome.original(file), found.selection.files[file])
        write_atomically(path, head.encode() + b"---\n" + b"".join(diff))
        written.append(path)
    _record(session, found, f"patches in {folder}")
    return tuple(written)


def approve(session: Session, found: Ready) -> events.Approved:
    """Let the waiting migration land exactly what is accepted."""
    outcome, marks = session.outcome, session.decisions.mark
    store = outcome.store
    changed = {file: store.put_bytes(data) for file, data in found.selection.files.items()}
    taken, every = found.selection.taken, [h for s in session.standings for h in s.module.hunks]
    reviewed = Reviewed(
        tree=store.put(Tree(changed), Tree),
        examination=found.key,
        answers={
            unit: store.put(answer, Answer) for unit, answer in answers(session, taken).items()
        },
        reviewers=_reviewers(session, every),
        accepted=len(taken),
        rejected=sum(marks(hunk.name) is Mark.REJECTED for hunk in every),
        decided=tuple(decided(session, every)),
    )
    event = session.record(
        events.Approved,
        key=session.material.standing.key,
        tree=session.material.standing.state["tree"],
        reviewed=session.keep(reviewed),
    )
    _record(session, found, "the migration's own place")
    return event


def decided(session: Session, hunks: Iterable[Hunk]) -> Iterator[Decided]:
    """What stands of all that reviewers did to these hunks, their files and their checks."""
    standing, texts = session.decisions.standing, session.decisions.texts
    on = Counter(d.name for hunk in hunks for d in standing.get(hunk.name, ()))
    every = {d.name: d for found in standing.values() for d in found if on[d.name]}
    for one in sorted(every.values(), key=lambda event: event.clock):
        if one.verdict != "open":
            count = on[one.name]
            yield Decided(one.by, one.at, one.verdict, one.file, one.scope, count, one.reason)
    for text in (text for found in texts.values() for text in found):
        yield Decided(text.by, text.at, "edit", text.file, text.file, reason=text.how)
    for waiver in session.decisions.waivers:
        reason = f"{waiver.reason} (until {waiver.until})"
        yield Decided(waiver.by, waiver.at, "waive", waiver.file, waiver.check, reason=reason)


def answers(session: Session, taken: Iterable[Hunk]) -> dict[str, Answer]:
    """What each author's answer comes down to with only these hunks."""
    outcome, kept = session.outcome, defaultdict[str, list[Hunk]](list)
    for hunk in taken:
        kept[hunk.unit].append(hunk)
    every = [hunk for standing in session.standings for hunk in standing.module.hunks]
    found = {}
    for unit in dict.fromkeys([*outcome.planned.units, *kept]):
        hunks = kept.get(unit, [])
        before = outcome.answers.get(unit, Answer()).rewrite or Rewrite(unit, session.reviewer, ())
        edits = tuple(hunk.edit for hunk in hunks)
        offloaded = tuple(
            loop
            for loop in before.offloaded
            if not (at := [h for h in every if _touches(h, loop.file, loop.first)])
            or any(h in hunks for h in at)
        )
        found[unit] = Answer(rewrite=replace(before, edits=edits, offloaded=offloaded))
    return found


def message(session: Session, standing: Standing, found: Ready) -> str:
    """A commit message: what was changed, the evidence, and who decided."""
    module, marks = standing.module, standing.marks.values()
    accepted = [h for h in found.selection.taken if h.file == module.file]
    rejected = sum(mark is Mark.REJECTED for mark in marks)
    assessed = found.examination.assessment.lights
    lights = ", ".join(f"{light} {assessed[light]}" for light in LIGHTS)
    lines = [
        f"{module.title}: port to OpenACC",
        "",
        f"{len(accepted)} of {len(module.hunks)} hunks accepted, {rejected} rejected.",
        f"Evidence on the whole port: {lights}.",
        *_remarks(session, module.file, found),
        "",
        *(f"Reviewed-by: {reviewer}" for reviewer in _reviewers(session, module.hunks)),
    ]
    return "\n".join(lines)


def _remarks(session: Session, file: str, found: Ready) -> Iterable[str]:
    evidence = found.examination.assessment.evidence
    for item in evidence:
        if item.outcome is not Outcome.HOLDS and item.file == file:
            yield _told(session, item)
    module = session.standing(file).module
    idle = [k.line for unit in module.units for k in unit.kernels if not k.executed]
    if idle:
        yield f"Never validated: kernels at lines {', '.join(map(str, idle))}."


def _told(session: Session, item: Evidence) -> str:
    waiver = session.decisions.waiver(item.check, item.file or "", session.today)
    waived = f" (waived until {waiver.until} by {waiver.by}: {waiver.reason})" if waiver else ""
    return f"{item.outcome.value}: {item.check}: {item.message}{waived}"


def _landing(session: Session, found: Ready) -> list[Standing]:
    """The modules that land, callees before callers as the plan drafted them."""
    order = {unit: n for n, unit in enumerate(session.outcome.planned.units)}

    def place(standing: Standing) -> tuple[int, str]:
        units = [order[u.name] for u in standing.module.units if u.name in order]
        return min(units, default=len(order)), standing.module.file

    landing = [s for s in session.standings if s.module.file in found.selection.files]
    return sorted(landing, key=place)


def _reviewers(session: Session, hunks: Iterable[Hunk]) -> tuple[str, ...]:
    standing = session.decisions.standing
    return tuple(sorted({d.by for hunk in hunks for d in standing.get(hunk.name, ())}))


def _record(session: Session, found: Ready, place: str) -> None:
    session.record(
        events.Landed,
        selection=found.selection.digest,
        place=place,
        files=tuple(sorted(found.selection.files)),
        hunks=tuple(hunk.name for hunk in found.selection.taken),
    )


def _touches(hunk: Hunk, file: str, line: int) -> bool:
    return hunk.file == file and hunk.first <= line <= max(hunk.first, hunk.last)
