"""The places a port can land in: a folder, or a folder of the work folder and a git branch."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from acclimate.porter.agent.artefacts import Landed
from acclimate.porter.agent.branch import check_branch, land_on_branch, landed_on
from acclimate.porter.agent.folder import check_place, intact, land
from acclimate.porter.agent.outcome import Outcome


@dataclass(frozen=True, slots=True)
class InFolder:
    """The whole ported tree with its reports in `folder`."""

    folder: Path
    root: Path
    work: Path
    whole_tree: bool

    @property
    def documents(self) -> Path:
        return self.folder

    def check(self) -> None:
        check_place(self.folder, self.root if self.whole_tree else None, self.work)

    def holds(self, landed: Landed) -> bool:
        return landed.place == str(self.folder) and intact(self.folder, landed)

    def put(self, outcome: Outcome, documents: Mapping[str, bytes], key: str) -> Landed:
        files, changed = outcome.survey.files, outcome.changed()
        attic = self.work / "replaced"
        return land(self.root, files, changed, documents, self.folder, attic)


@dataclass(frozen=True, slots=True)
class OnBranch:
    """The changed files as one commit on a branch of its own, the reports in `report`."""

    branch: str
    report: InFolder
    allow_dirty: bool

    @property
    def documents(self) -> Path:
        return self.report.folder

    def check(self) -> None:
        self.report.check()
        check_branch(self.report.root, self.branch, allow_dirty=self.allow_dirty)

    def holds(self, landed: Landed) -> bool:
        return landed.place == self._name and landed_on(self.report.root, self.branch, landed)

    def put(self, outcome: Outcome, documents: Mapping[str, bytes], key: str) -> Landed:
        report = self.report.put(outcome, documents, key)
        changed = outcome.changed()
        if self.allow_dirty:
            changed = {file: outcome.original(file) for file in outcome.survey.sources} | changed
        verdict = outcome.examination.assessment.verdict
        message = (
            f"Port {outcome.survey.name} to OpenACC\n\n"
            f"Files changed: {len(outcome.tree.changed)}. Verdict: {verdict}.\n"
            "Device run: not run (evidence from the host)."
            + "".join(f"\n\nReviewed-by: {name}" for name in outcome.reviewers)
        )
        commit = land_on_branch(self.report.root, changed, message, self.branch, key)
        return Landed(self._name, {"commit": commit}, report.moved)

    @property
    def _name(self) -> str:
        return f"branch {self.branch}"
