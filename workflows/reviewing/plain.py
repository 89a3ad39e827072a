"""The review line by line: a command a line in, plain text out; for screen readers and scripts."""

import shlex
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from acclimate.analysis.problems import Problem
from acclimate.workflows._exit import Exit
from acclimate.workflows.reviewing import deciding, plain_work
from acclimate.workflows.reviewing.attempts import attempts, conversation, numbered
from acclimate.workflows.reviewing.facts import facts_lines
from acclimate.workflows.reviewing.panels import (
    attempts_panel,
    evidence_panel,
    profile_panel,
    record_panel,
)
from acclimate.workflows.reviewing.session import Session
from acclimate.workflows.reviewing.states import State
from acclimate.workflows.reviewing.targets import Target, module_named, targets
from acclimate.workflows.reviewing.telling import counts, elsewhere_words, listed, shown, told

Words = list[str]
QUIT = ("quit", "exit", "q")


@dataclass(frozen=True, slots=True)
class Command:
    """`run` returns an exit code; `least` is the smallest number of words it needs."""

    usage: str
    help: str
    run: Callable[[Session, Words], Exit]
    least: int = 0


def obey(session: Session, lines: Iterable[str], *, going_on: bool) -> Exit:
    """Do what each line says; with `going_on` a mistake is told and the next line is read.

    Raises:
        Problem: a line cannot be done, and not `going_on`.
    """
    last = Exit.DONE
    for line in lines:
        try:
            words = _words(line)
            if words and words[0] in QUIT:
                return last
            if words:
                last = _obeyed(session, words) or last
        except Problem as problem:
            if not going_on:
                raise
            print(problem.render(), file=sys.stderr, flush=True)
        sys.stdout.flush()
    return last


def _words(line: str) -> Words:
    try:
        return [] if line.lstrip().startswith("#") else shlex.split(line)
    except ValueError as error:
        raise Problem(f"cannot read '{line.strip()}': {error}", hint="close the quotes") from None


def _obeyed(session: Session, words: Words) -> Exit:
    command = COMMANDS.get(words[0])
    if command is None:
        raise Problem(f"there is no command '{words[0]}'", hint="`help` lists them")
    if len(words) - 1 < command.least:
        raise Problem(f"'{words[0]}' needs more words", hint=f"usage: {command.usage}")
    session.reload()
    return command.run(session, words[1:])


def _say(lines: Iterable[str]) -> Exit:
    for line in lines:
        print(line)
    return Exit.DONE


def _help(session: Session, words: Words) -> Exit:
    width = max(len(command.usage) for command in COMMANDS.values())
    _say(f"{c.usage:<{width}}  {c.help}" for c in COMMANDS.values())
    print("Lines that are piped in, or given with -c, end at the first that cannot be done.")
    return Exit.DONE


def _list(session: Session, words: Words) -> Exit:
    wanted = {word.rstrip(",") for word in words}
    if unknown := wanted - {*State, "all"}:
        raise Problem(
            f"there is no state '{min(unknown)}'", hint=f"states: {', '.join(State)}, all"
        )
    every = session.standings
    shown_ones = [
        s
        for s in every
        if "all" in wanted or (s.state in wanted if wanted else s.state is not State.HOST)
    ]
    shown_ones.sort(key=lambda s: (list(State).index(s.state), -s.module.risk, s.module.file))
    elsewhere = filter(None, [elsewhere_words(session)])
    return _say([*listed(shown_ones), counts(every), *elsewhere])


def _show(session: Session, words: Words) -> Exit:
    return _say(shown(session, module_named(session, words[0])))


def _evidence(session: Session, words: Words) -> Exit:
    return _say(evidence_panel(session, module_named(session, words[0])))


def _facts(session: Session, words: Words) -> Exit:
    name, _, line = words[0].rpartition(":")
    if not line.isdigit():
        raise Problem(f"'{words[0]}' is not FILE:LINE", hint="name a line of the original")
    return _say(facts_lines(session, module_named(session, name), int(line)))


def _attempts(session: Session, words: Words) -> Exit:
    return _say(attempts_panel(session, module_named(session, words[0])))


def _attempt(session: Session, words: Words) -> Exit:
    found = attempts(session, module_named(session, words[0]))
    return _say(conversation(session, numbered(found, words[1])))


def _profile(session: Session, words: Words) -> Exit:
    return _say(profile_panel(session, module_named(session, words[0])))


def _record(session: Session, words: Words) -> Exit:
    return _say(record_panel(session, module_named(session, words[0])))


def _decide(verdict: str) -> Callable[[Session, Words], Exit]:
    def run(session: Session, words: Words) -> Exit:
        found = targets(session, words[0])
        if not found:
            print("no module is verified as decided, written by rules alone and still undecided")
        for target in found:
            print(deciding.decide(session, target, verdict, " ".join(words[1:])))
        return Exit.DONE

    return run


def _note(session: Session, words: Words) -> Exit:
    target = _one(session, words[0])
    hunk = target.hunks[0].name if target.is_hunk else ""
    event = session.note(target.standing.module.file, target.unit, " ".join(words[1:]), hunk)
    known = session.outcome.answers.keys() | session.outcome.consulted.keys()
    named = [event.unit] if event.unit else [u.name for u in target.standing.module.units]
    every = [name for name in named if name in known]
    heard = f"; `again` tells the authors of {', '.join(every)}" if not event.unit else ""
    nobody = "; nobody hears it, for no author was asked to port anything there"
    print(f"{told(session, event)}{heard if every else nobody}")
    return Exit.DONE


def _turn_back(session: Session, words: Words) -> Exit:
    target = _one(session, words[0])
    if not target.unit:
        raise Problem(f"'{words[0]}' is not a unit", hint="name one, as `show` does")
    file = target.standing.module.file
    print(told(session, session.turn_back(file, target.unit, " ".join(words[1:]))))
    print("`again` plans the port anew without it")
    return Exit.DONE


def _waive(session: Session, words: Words) -> Exit:
    check, where, until, *reason = words
    file = "" if where == "everywhere" else module_named(session, where).module.file
    print(told(session, session.waive(check, file, " ".join(reason), until)))
    return Exit.DONE


def _undo(session: Session, words: Words) -> Exit:
    print(deciding.undo(session))
    return Exit.DONE


def _redo(session: Session, words: Words) -> Exit:
    print(deciding.redo(session))
    return Exit.DONE


def _merge(session: Session, words: Words) -> Exit:
    print(deciding.merge(session, Path(words[0])))
    return Exit.DONE


def _one(session: Session, words: str) -> Target:
    found = targets(session, words)
    if len(found) != 1:
        raise Problem(f"'{words}' is not one module, unit or hunk", hint="name one")
    return found[0]


COMMANDS = {
    "help": Command("help", "this list", _help),
    "list": Command("list [STATE...]", "modules by state, all but host ones; `list all`", _list),
    "show": Command("show MODULE", "the hunks of a module", _show, 1),
    "evidence": Command("evidence MODULE", "what was measured", _evidence, 1),
    "facts": Command("facts FILE:LINE", "the loop there, and where its data is", _facts, 1),
    "attempts": Command("attempts MODULE", "who wrote it, and what failed", _attempts, 1),
    "attempt": Command("attempt MODULE N", "what a model was asked and answered", _attempt, 2),
    "profile": Command("profile MODULE", "time and bytes", _profile, 1),
    "record": Command("record MODULE", "what reviewers did", _record, 1),
    "accept": Command(
        "accept TARGET",
        "MODULE, UNIT, FILE#N, a hunk's name (see show), or `verified`",
        _decide("accept"),
        1,
    ),
    "reject": Command("reject TARGET [REASON]", "the same", _decide("reject"), 1),
    "reopen": Command("reopen TARGET", "take a decision off", _decide("open"), 1),
    "note": Command("note TARGET TEXT", "tell its author something", _note, 2),
    "turn-back": Command("turn-back UNIT REASON", "keep a unit on the host", _turn_back, 2),
    "waive": Command(
        "waive CHECK FILE|everywhere UNTIL REASON", "live with a finding until a day", _waive, 4
    ),
    "hint": Command(
        "hint FILE:LINE UNTIL 'WORDS' REASON", "promise something of a loop", plain_work.hint, 4
    ),
    "edit": Command("edit MODULE", "open $EDITOR on it, then verify", plain_work.edit_file, 1),
    "verify": Command("verify [CHECK...]", "examine what is not rejected", plain_work.verify_all),
    "checks": Command("checks", "the names of all checks", plain_work.checks),
    "undo": Command("undo", "take back your last action", _undo),
    "redo": Command("redo", "and do it again", _redo),
    "land": Command(
        "land [branch NAME | patches DIR]", "let what is accepted land", plain_work.land
    ),
    "again": Command("again", "ask for another attempt with what was said", plain_work.again),
    "export": Command(
        "export FILE", "write the review: .md, .json, or - to see it", plain_work.export, 1
    ),
    "merge": Command("merge FILE", "take over another reviewer's file", _merge, 1),
    "quit": Command("quit", "leave; everything is kept", _help),
}
