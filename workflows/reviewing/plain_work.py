"""The line commands that run something: verify, edit, hint, land, ask again, export."""

import json
import subprocess
import sys
from pathlib import Path

from acclimate.analysis.problems import Kind, Problem
from acclimate.analysis.tree.manifest import Manifest, load_manifest
from acclimate.porter.agent.branch import Series
from acclimate.porter.agent.work_folder import locked
from acclimate.verifier.checks import check_names
from acclimate.workflows._cache import chosen_cache
from acclimate.workflows._exit import Exit
from acclimate.workflows.reporting.wording import counted
from acclimate.workflows.reviewing import landing
from acclimate.workflows.reviewing.asking import ask_again
from acclimate.workflows.reviewing.editing import add_hint, edit, loop_with_hint
from acclimate.workflows.reviewing.events import Verified
from acclimate.workflows.reviewing.exporting import as_json, as_markdown
from acclimate.workflows.reviewing.selection import Selection
from acclimate.workflows.reviewing.session import Session
from acclimate.workflows.reviewing.targets import module_named
from acclimate.workflows.reviewing.telling import edited_words, elsewhere_words, evidence_lines
from acclimate.workflows.reviewing.verification import FOLDER, verify
from acclimate.workflows.showing.delivery import deliver
from acclimate.workflows.showing.loop_account import explained

MAIN = "import sys; from acclimate.workflows.cli import main; sys.exit(main())"
_EXITS = {"accept": Exit.DONE, "reject": Exit.REJECTED, "inconclusive": Exit.INCONCLUSIVE}


def say(text: str) -> None:
    """A sign of progress, on standard error and at once."""
    print(f"verify: {text}", file=sys.stderr, flush=True)


def verify_all(session: Session, words: list[str]) -> Exit:
    known = check_names()
    if unknown := sorted({*words} - {*known}):
        raise Problem(f"there is no check '{unknown[0]}'", hint=f"checks: {', '.join(known)}")
    selection = session.selection(with_open=True)
    found = _verified(session, selection, words)
    _print(session, selection, found)
    return _EXITS[found.verdict]


def _verified(session: Session, selection: Selection, only: list[str]) -> Verified:
    """Examine a selection."""
    work = session.material.work / FOLDER
    work.mkdir(exist_ok=True)
    with locked(work, say):
        return verify(
            session, selection, _manifest(session), only=only, cache=chosen_cache(None), say=say
        )


def _print(session: Session, selection: Selection, found: Verified) -> None:
    """What an examination has found, its verdict last."""
    for text in found.broken:
        print(f"breaks the proof: {text}")
    for hunk in selection.left:
        if hunk.name in found.breakers:
            number = session.standing(hunk.file).module.hunks.index(hunk) + 1
            print(f"the proof needs the rejected hunk {hunk.file}#{number}, line {hunk.first}:")
            print(f"  accept or reopen it, or turn back {hunk.unit or 'what uses its data'}")
    if found.examination:
        examination = session.examination(found.examination)
        outcome = session.outcome_of(selection, examination)
        print("\n".join(evidence_lines(session, outcome, examination.assessment.evidence)))
    print(f"verdict: {found.verdict}")


def checks(session: Session, words: list[str]) -> Exit:
    print("\n".join(check_names()))
    return Exit.DONE


def edit_file(session: Session, words: list[str]) -> Exit:
    event = edit(session, module_named(session, words[0]).module.file)
    print(edited_words(session, event))
    return verify_all(session, []) if event else Exit.DONE


def hint(session: Session, words: list[str]) -> Exit:
    where, until, text, *reason = words
    name, _, line = where.rpartition(":")
    if not line.isdigit():
        raise Problem(f"'{where}' is not FILE:LINE", hint="name the line of a DO of the original")
    file = module_named(session, name).module.file
    event = add_hint(session, file, int(line), text, " ".join(reason), until)
    if event is None:
        print("nothing was changed")
        return Exit.DONE
    loop = loop_with_hint(session, _manifest(session), file, int(line), text, chosen_cache(None))
    print(edited_words(session, event))
    print(explained(loop, {}, 3), end="")
    print("once it has landed, the next acclimate migrate ports by it")
    return Exit.DONE


def land(session: Session, words: list[str]) -> Exit:
    """Verify exactly what is accepted, unless that is known, and land it."""
    where = words[:1]
    if where not in ([], ["branch"], ["patches"]) or (where and len(words) != 2):
        raise Problem("land where?", hint="land branch NAME, land patches DIR, or land alone")
    if not where:
        _check_place(session)
    found = _ready(session)
    if not where:
        landing.approve(session, found)
        return _go_on(session)
    if where == ["branch"]:
        print(_on_branch(words[1], landing.land_on_branch(session, found, words[1])))
        return Exit.DONE
    patches = landing.land_as_patches(session, found, Path(words[1]))
    for path in patches.files:
        print(f"wrote {path}")
    number = counted(len(patches.files), "patch", "patches")
    print(f"landed as {number} in {words[1]}; apply: {patches.command}")
    return Exit.DONE


def _ready(session: Session) -> landing.Ready:
    """What is accepted, examined now unless it has been; what is against it is told once."""
    found = landing.ready(session)
    if found is None:
        print("exactly these hunks have not been examined yet", flush=True)
        selection = session.selection(with_open=False)
        verified = _verified(session, selection, [])
        found = landing.ready(session)  # or a problem, which tells what was found
        _print(session, selection, verified)
    if found is None:
        raise Problem("the port changed while it was verified", hint="land again")
    return found


def _on_branch(branch: str, landed: Series) -> str:
    """How many commits a branch holds now, and what it held before."""
    words = f"landed on branch {branch}: {counted(len(landed.commits), 'commit')}"
    words += f", the last is {landed.commits[-1][:12]}"
    if not landed.replaced:
        return words
    same = ", with the same files" if landed.is_same else ""
    before = f"{len(landed.replaced)} that stood there (up to {landed.replaced[0][:12]})"
    return f"{words}; in place of the {before}{same}"


def again(session: Session, words: list[str]) -> Exit:
    _check_place(session)
    ask_again(session)
    return _go_on(session)


def _check_place(session: Session) -> None:
    """The migration that would go on is the one of the model that was migrated, wherever it is."""
    if session.elsewhere is not None:
        raise Problem(
            elsewhere_words(session),
            notes=("what goes on with the migration would go on there",),
            hint=f"land branch NAME, land patches DIR, or acclimate migrate {session.model}",
        )


def _go_on(session: Session) -> Exit:
    """Let the waiting migration hear the decision, in a process of its own."""
    command = session.material.standing.command
    if not session.is_waiting:
        print("decided; the migration hears it when it is run with --review:")
        print(f"  acclimate {' '.join(command)}")
        return Exit.DONE
    run = subprocess.run([sys.executable, "-c", MAIN, *command])
    session.reload()
    return Exit(run.returncode) if run.returncode in set(Exit) else Exit.BUG


def export(session: Session, words: list[str]) -> Exit:
    target = words[0]
    if target.endswith(".json"):
        deliver(json.dumps(as_json(session), indent=1, ensure_ascii=False) + "\n", target)
    else:
        deliver(as_markdown(session), target)
    if target != "-":
        print(f"wrote {target}")
    return Exit.DONE


def _manifest(session: Session) -> Manifest:
    if not session.model.exists():
        raise Problem(
            f"there is no model at {session.model} any more",
            kind=Kind.ENVIRONMENT,
            hint="verify needs the original's sources",
        )
    return load_manifest(session.model)
