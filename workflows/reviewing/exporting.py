"""A review as Markdown, for a pull request, or as JSON."""

import re

from acclimate.workflows.reporting import wording
from acclimate.workflows.reviewing.decisions import Mark
from acclimate.workflows.reviewing.session import Session, Standing
from acclimate.workflows.reviewing.states import State
from acclimate.workflows.reviewing.telling import counts, decided, light_words, told

SCHEMA = "acclimate/review/1"


def as_markdown(session: Session) -> str:
    """The review with what was decided, and what was said, on every module that changes."""
    outcome = session.outcome
    lines = [
        f"# Review of {outcome.survey.name}",
        "",
        f"{counts(session.standings)}.",
        f"Reviewers: {', '.join(map(_by, session.decisions.reviewers)) or 'none'}.",
        f"The port as proposed: {outcome.examination.assessment.verdict}.",
        f"The port as decided, open hunks included: {session.judged.verdict}.",
        "",
        "| module | state | decided | lights |",
        "|---|---|---|---|",
    ]
    changed = [s for s in session.standings if s.module.hunks or s.state is State.FAILED]
    for standing in changed:
        cells = (standing.module.file, standing.state, decided(standing))
        row = [wording.cell(text) for text in (*cells, light_words(standing.found))]
        lines.append(f"| {' | '.join(row)} |")
    for standing in changed:
        lines += _remarks(session, standing)
    if session.decisions.waivers:
        lines += ["", "## Waivers", ""]
        lines += [
            f"- {wording.cell(told(session, w))} ({_by(w.by)})" for w in session.decisions.waivers
        ]
    return "\n".join(lines) + "\n"


def _remarks(session: Session, standing: Standing) -> list[str]:
    """Rejections and notes of one module, under a heading if there are any."""
    lines = []
    for number, hunk in enumerate(standing.module.hunks, 1):
        if standing.marks[hunk.name] in (Mark.REJECTED, Mark.DISPUTED):
            for decision in session.decisions.standing[hunk.name]:
                text = f"{_by(decision.by)}: {decision.verdict}"
                text += f", {wording.cell(decision.reason)}" if decision.reason else ""
                where = f"hunk {number} ({hunk.file}:{hunk.first})"
                lines.append(f"- {where}: {text}")
    for said in session.decisions.messages(standing.module.file):
        lines.append(f"- {_by(said.by)}: {wording.cell(told(session, said))}")
    return ["", f"## {standing.module.file}", "", *lines] if lines else []


def _by(reviewer: str) -> str:
    """A reviewer's name and address, the same as text and as Markdown."""
    return wording.cell(re.sub(r"<(.*)>$", r"(\1)", reviewer))


def as_json(session: Session) -> dict[str, object]:
    """The same as plain values, hunk by hunk."""
    return {
        "schema": SCHEMA,
        "model": session.outcome.survey.name,
        "migration": session.material.standing.key,
        "verdict": session.outcome.examination.assessment.verdict,
        "decided": session.judged.verdict,
        "reviewers": list(session.decisions.reviewers),
        "modules": [_module(session, standing) for standing in session.standings],
        "waivers": [
            {"check": w.check, "file": w.file, "by": w.by, "reason": w.reason, "until": w.until}
            for w in session.decisions.waivers
        ],
    }


def _module(session: Session, standing: Standing) -> dict[str, object]:
    module = standing.module
    return {
        "file": module.file,
        "title": module.title,
        "state": standing.state.value,
        "lights": dict(standing.found.lights),
        "risk": module.risk,
        "hunks": [
            {
                "name": hunk.name,
                "unit": hunk.unit,
                "line": hunk.first,
                "removed": len(hunk.old),
                "added": len(hunk.new),
                "mark": standing.marks[hunk.name].value,
                "by_hand": hunk.name in module.by_hand,
                "by": [d.by for d in session.decisions.standing.get(hunk.name, ())],
            }
            for hunk in module.hunks
        ],
    }
