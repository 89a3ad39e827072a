"""What a migration has left for its reviewers, finished or still running."""

from dataclasses import dataclass
from pathlib import Path

from acclimate.analysis.problems import Kind, Problem
from acclimate.porter.agent.artefacts import Planned, Tree
from acclimate.porter.agent.outcome import Outcome, proposed
from acclimate.porter.agent.standing import Standing, last_standing
from acclimate.porter.agent.state import Migration
from acclimate.porter.agent.work_folder import existing_work_folder
from acclimate.porter.keeping.store import Missing, Store
from acclimate.verifier.evidence import assess
from acclimate.verifier.ladder import Examination


@dataclass(frozen=True, slots=True)
class Material:
    """The last migration of a model as far as it has come.

    `outcome` is empty where a stage has not been reached: no answers, no changed files, an
    examination without evidence. `examined` tells whether there is one of the files as they are.
    """

    work: Path
    standing: Standing
    outcome: Outcome
    drafted: int
    planned: bool
    examined: bool

    @property
    def progress(self) -> str:
        """One clause on how far the migration is."""
        if self.standing.stage == "draft":
            return f"draft: {self.drafted} of {len(self.outcome.planned.units)} units"
        return self.standing.stage


def find_work(model: Path) -> Path:
    """The work folder of a model that was migrated.

    Raises:
        Problem: nothing was migrated there.
    """
    work = existing_work_folder(model)
    if work is None or last_standing(work) is None:
        raise Problem(
            f"there is no migration of {model} to review",
            hint=f"run acclimate migrate {model} first",
        )
    return work


def gathered(model: Path, work: Path) -> Material:
    """Read what the last migration of `model` has left in its work folder.

    Raises:
        Problem: there is none, it has just begun, or its artefacts are damaged.
    """
    standing = last_standing(work)
    if standing is None or not standing.state.get("surveyed"):
        raise Problem(
            f"the migration of {model} has not read the model yet",
            kind=Kind.ENVIRONMENT,
            hint="wait a moment, or run acclimate migrate again if none is running",
        )
    store = Store(work / "store")
    try:
        outcome = _outcome(model if model.is_dir() else model.parent, standing.state, store)
    except Missing as missing:
        raise Problem(
            f"the work folder {work} is damaged: {missing} is missing",
            kind=Kind.ENVIRONMENT,
            hint="run acclimate migrate again: it makes again what was lost",
        ) from missing
    state = standing.state
    return Material(
        work=work,
        standing=standing,
        outcome=outcome,
        drafted=sum(unit in outcome.answers for unit in outcome.planned.units),
        planned=bool(state.get("planned")),
        examined=bool(state.get("examination")),
    )


def _outcome(root: Path, state: Migration, store: Store) -> Outcome:
    """The outcome with nothing in place of what has not been made yet."""
    missing = Migration(attempt=state.get("attempt", 0))
    if not state.get("planned"):
        nothing = Planned((), (), (), {}, {})
        missing["planned"] = store.put(nothing, Planned)
    if not state.get("tree"):
        missing["tree"] = store.put(Tree({}), Tree)
    if not state.get("examination"):
        missing["examination"] = store.put(Examination(assess(())), Examination)
    merged: Migration = {**state, **missing}
    return proposed(root, merged, store)
