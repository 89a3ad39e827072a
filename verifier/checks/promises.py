"""Do the contracts that were handed in hold in a run of the port?"""

from collections.abc import Iterator

from acclimate.analysis.source import apply_edits
from acclimate.verifier.building.build import BuildFailure, build
from acclimate.verifier.building.variant import variant_tree
from acclimate.verifier.checks import check
from acclimate.verifier.contracts.confirming import WORD, broken, edits
from acclimate.verifier.contracts.promises import Promise, promise
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.subject import Length, Subject
from acclimate.verifier.toolchains import Build


@check(cost=31)
def promises(subject: Subject) -> Iterator[Evidence]:
    """Test every promise before every kernel that sees its variables; one that is broken fails."""
    handed = [promise(text) for text in subject.port.contracts]
    loops = [loop for loop in subject.governed if loop.parallel]
    if not handed or not loops:
        return
    changed: dict[str, bytes] = {}
    tested: set[str] = set()
    for file in subject.port_files.values():
        found = list(edits(subject.index.project, file, loops, handed))
        if found:
            changed[file.name] = apply_edits(file.data, [edit for edit, _ in found])
            tested |= {each.text for _, each in found}
    for each in handed:
        if each.text not in tested:
            text = f"'{each.text}': no kernel sees all its variables, so no run tested it"
            yield _evidence(Outcome.INCONCLUSIVE, text)
    if changed:
        yield _run(subject, changed, handed, len(tested))


def _run(
    subject: Subject, changed: dict[str, bytes], handed: list[Promise], tested: int
) -> Evidence:
    tree = variant_tree(subject.port, changed, subject.work / "variants" / "promises")
    made = build(tree, subject.toolchain, Build.PLAIN, subject.work)
    if isinstance(made, BuildFailure):
        text = f"the port with tests of its contracts does not build: {made.errors[0].text}"
        return _evidence(Outcome.INCONCLUSIVE, text)
    run = subject.run(made.executable, "port-promises", Length.SHORT)
    complaint = run.finished.complaint or ""
    number = broken(complaint) if WORD in complaint else None
    if number is not None and number < len(handed):
        text = f"the contract '{handed[number].text}' does not hold in a run"
        return _evidence(Outcome.FAILS, text)
    if not run.ok:
        return _evidence(
            Outcome.INCONCLUSIVE, f"the run that tests contracts {run.finished.outcome}"
        )
    return _evidence(Outcome.HOLDS, f"{tested} contracts hold in a run", tested)


def _evidence(outcome: Outcome, text: str, figure: float | None = None) -> Evidence:
    return Evidence("promises", Light.RACES, outcome, text, figure=figure, decisive=False)
