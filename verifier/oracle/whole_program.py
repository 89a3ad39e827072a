"""A model run once as it is, its loops watched by the oracle."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from acclimate.analysis.facts import LoopFacts
from acclimate.analysis.problems import Problem
from acclimate.analysis.project import Project
from acclimate.analysis.tree.namelist_edits import NamelistEdits
from acclimate.verifier.oracle.contradictions import Contradiction, contradictions
from acclimate.verifier.oracle.instrumented import Instrumented, instrument, link
from acclimate.verifier.oracle.report import Seen, lines_of, read_report
from acclimate.verifier.oracle.witnesses import trace_settings
from acclimate.verifier.running.runs import run_model
from acclimate.verifier.texts.source_file import all_files

_SLOWER = 100.0


@dataclass(frozen=True, slots=True)
class Watched:
    """What one run saw; `seen` by the number of the loop."""

    instrumented: Instrumented
    seen: dict[int, Seen]
    contradictions: tuple[Contradiction, ...]

    def powerful(self) -> list[LoopFacts]:
        """Loops said to run in any order of which two iterations changed shared storage."""
        marked = self.instrumented.marks.loops
        return [
            marked[number].facts
            for number, seen in self.seen.items()
            if seen.writing > 1 and marked[number].claims_order_free
        ]


def watch_program(
    project: Project,
    loops: Sequence[LoopFacts],
    work: Path,
    runtime: Path,
    edits: NamelistEdits | None = None,
    trace: Path | None = None,
) -> Watched:
    """Build and run the model under `project` with the verdicts `loops` put to the test.

    `runtime` is the oracle's object, `work` an empty folder. The accesses of serial loops with
    witnesses go to the file `trace`.

    Raises:
        Problem: it does not compile, link or run to its end; an input is missing.
    """
    manifest = project.manifest
    made = instrument(manifest, project, loops, work)
    if made.failed or made.unmarked:
        files = ", ".join([*made.failed, *made.unmarked])
        raise Problem(f"these files do not compile with their loops marked: {files}")
    program, report = work / "program", work / "report"
    done = link(
        manifest.compiler,
        [*made.objects.values(), runtime],
        program,
        manifest.link_flags,
    )
    if not done.ok:
        raise Problem(f"the marked program does not link: {done.last_words}")
    run = run_model(
        manifest,
        program,
        work / "run",
        edits=edits,
        environment={"ORACLE_REPORT": str(report)} | trace_settings(made.marks, trace),
        slower=_SLOWER,
    )
    if not run.finished.ok:
        raise Problem(f"the marked program {run.finished.outcome}: {run.finished.complaint}")
    seen = {number: s for trial in read_report(report) for number, s in trial.loops.items()}
    findings = [f for s in seen.values() for f in s.findings]
    addresses = [a for f in findings for a in (f.earlier, f.later)]
    addresses += [place[2] for s in seen.values() for place in s.updates]
    lines = lines_of(program, work / "source", addresses, work)
    sources = all_files(manifest)
    found = [
        c
        for number, s in seen.items()
        for c in contradictions(made.marks.loops[number], s, lines, sources)
    ]
    return Watched(made, seen, tuple(found))
