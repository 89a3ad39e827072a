"""Landing what was accepted: a commit or a patch for each module, or the waiting migration."""

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from email.utils import parseaddr
from pathlib import Path

from acclimate.analysis.problems import Problem
from acclimate.porter.agent.artefacts import Answer, Decided, Reviewed, Tree
from acclimate.porter.agent.branch import (
    Series,
    check_branch,
    git_identity,
    inside_repository,
    land_series,
)
from acclimate.porter.agent.outcome import Outcome, unified
from acclimate.porter.keeping.atomic import write_atomically
from acclimate.verifier.evidence import Evidence
from acclimate.workflows.reviewing import events
from acclimate.workflows.reviewing.commit_message import message, reviewers_of
from acclimate.workflows.reviewing.decisions import Mark
from acclimate.workflows.reviewing.hunks import Hunk
from acclimate.workflows.reviewing.needing import holders, left_there
from acclimate.workflows.reviewing.patches import NOBODY, Place, mail
from acclimate.workflows.reviewing.selection import Selection
from acclimate.workflows.reviewing.session import Session, Standing
from acclimate.workflows.reviewing.states import State, open_failures
from acclimate.workflows.reviewing.telling import placed

_TOLD = 5  # notes of one kind


@dataclass(frozen=True, slots=True)
class Ready:
    """A selection that may land, with the examination it rests on and what it found."""

    selection: Selection
    key: str
    outcome: Outcome


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
    known = session.verification_of(selection)
    if known is None:
        return None
    if known.broken:
        raise _broken(session, selection, known.broken)
    judged = session.judge(selection)
    outcome = judged.outcome
    assert outcome is not None  # there is an examination of it
    against = open_failures(judged.against, session.decisions, session.today)
    if against:
        raise _against(session, selection, outcome, against)
    return Ready(selection, known.examination, outcome)


def _broken(session: Session, selection: Selection, broken: tuple[str, ...]) -> Problem:
    left = left_there(session, selection, broken)
    left += holders(session, selection, broken)
    step = "accept what was left out there" if left else "edit what is named"
    return Problem(
        "what is accepted breaks the proof that data is where it is used",
        notes=(*broken[:_TOLD], *left[:_TOLD]),
        hint=f"{step}, or turn the unit back",
    )


def _against(
    session: Session, selection: Selection, outcome: Outcome, against: Iterable[Evidence]
) -> Problem:
    said = [
        f"{f'{at}: ' if at else ''}{e.check}: {e.message}" for e, at in placed(outcome, against)
    ]
    held = holders(session, selection, (item.message for item in against))
    step = "accept what the notes name as well" if held else "reject or edit what it names"
    return Problem(
        "evidence stands against what is accepted",
        notes=(*said[:_TOLD], *held[:_TOLD]),
        hint=f"{step}, or waive the check with a reason and a date",
    )


def land_on_branch(session: Session, found: Ready, branch: str) -> Series:
    """A commit for each module on a branch of its own; the work tree stays as it is.

    Raises:
        Problem: there is no repository, the branch is somebody else's, or the model has changed.
    """
    root = session.outcome.root
    check_branch(root, branch, allow_dirty=False)
    _check_originals(session, found)
    series = [
        (
            message(session, standing, found.selection, found.outcome),
            {file: found.selection.files[file]},
        )
        for standing in _landing(session, found)
        for file in [standing.module.file]
    ]
    landed = land_series(root, series, branch, session.material.standing.key)
    _record(session, found, f"branch {branch}")
    return landed


def _check_originals(session: Session, found: Ready) -> None:
    """A commit holds whole files: what was changed in them since would be taken back."""
    root, original = session.outcome.root, session.outcome.original
    for file in found.selection.files:
        path = root / file
        before = path.read_bytes() if path.is_file() else b""
        if before != original(file):
            raise Problem(
                f"{file} has changed since it was migrated",
                hint="migrate again: decisions on hunks that stay the same hold on",
            )


@dataclass(frozen=True, slots=True)
class Patches:
    """Patches in the order to apply, and the command that does."""

    files: tuple[Path, ...]
    command: str


def land_as_patches(session: Session, found: Ready, folder: Path) -> Patches:
    """A patch for each module, for `git am`, `git apply` and `patch -p1`.

    Raises:
        Problem: the folder cannot be made, or holds patches that this landing does not write.
    """
    landing = _landing(session, found)
    paths = [
        folder / f"{number:04}-{standing.module.file.replace('/', '-')}.patch"
        for number, standing in enumerate(landing, 1)
    ]
    if others := sorted({path.name for path in folder.glob("*.patch")} - {p.name for p in paths}):
        raise Problem(
            f"{folder} holds other patches, which would be applied as well: {others[0]}",
            hint="name another folder, or take them away",
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Problem(
            f"the patches cannot go to {folder}: {error.strerror}", hint="name another folder"
        ) from error
    sender = _sender(session)
    for number, (path, standing) in enumerate(zip(paths, landing, strict=True), 1):
        file = standing.module.file
        diff = unified(file, session.outcome.original(file), found.selection.files[file])
        text = message(session, standing, found.selection, found.outcome)
        place = Place(number, len(landing))
        write_atomically(path, mail(text, b"".join(diff), place, sender, session.moment))
    _record(session, found, f"patches in {folder}")
    command = shlex.join(["git", "am", *_options(session, found)])
    return Patches(tuple(paths), f"{command} {shlex.quote(str(folder))}/*.patch")


def _sender(session: Session) -> str:
    """Who lands, with an address: `git am` takes no patch without one."""
    every = (session.reviewer, git_identity(session.outcome.root))
    return next((name for name in every if "@" in parseaddr(name)[1]), NOBODY)


def _options(session: Session, found: Ready) -> list[str]:
    """What `git am` has to be told: where the model stands, and that lines end with CR LF."""
    prefix = inside_repository(session.outcome.root)
    crlf = any(b"\r\n" in data for data in found.selection.files.values())
    return [*([f"--directory={prefix}"] if prefix else []), *(["--keep-cr"] if crlf else [])]


def approve(session: Session, found: Ready) -> events.Approved:
    """Let the waiting migration land exactly what is accepted."""
    outcome, marks = session.outcome, session.decisions.mark
    store = outcome.store
    changed = {file: store.put_bytes(data) for file, data in found.selection.files.items()}
    taken, every = found.selection.taken, [h for s in session.standings for h in s.module.hunks]
    reviewed = Reviewed(
        tree=store.put(Tree(changed), Tree),
        examination=found.key,
        answers={unit: store.put(answer, Answer) for unit, answer in found.outcome.answers.items()},
        reviewers=reviewers_of(session, every),
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


def _landing(session: Session, found: Ready) -> list[Standing]:
    """The modules that land, callees before callers as the plan drafted them."""
    order = {unit: n for n, unit in enumerate(session.outcome.planned.units)}

    def place(standing: Standing) -> tuple[int, str]:
        units = [order[u.name] for u in standing.module.units if u.name in order]
        return min(units, default=len(order)), standing.module.file

    landing = [s for s in session.standings if s.module.file in found.selection.files]
    return sorted(landing, key=place)


def _record(session: Session, found: Ready, place: str) -> None:
    session.record(
        events.Landed,
        selection=found.selection.digest,
        place=place,
        files=tuple(sorted(found.selection.files)),
        hunks=tuple(hunk.name for hunk in found.selection.taken),
    )
