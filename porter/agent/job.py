"""What the nodes of one migration share and no checkpoint holds: inputs, tools and listeners."""

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeAlias

from acclimate.analysis.index import ProjectIndex, index_project
from acclimate.analysis.tree.manifest import Manifest
from acclimate.analysis.view.includes import included_files
from acclimate.porter.agent.artefacts import Landed, ModelFile
from acclimate.porter.agent.choice import Choice, left_out
from acclimate.porter.agent.identity import migration_key
from acclimate.porter.agent.outcome import Outcome
from acclimate.porter.agent.preparation import Edits, Prepared, prepare
from acclimate.porter.agent.tree import model_files
from acclimate.porter.author.cards import own_cards, site_cards
from acclimate.porter.author.consultant import Consultant
from acclimate.porter.author.prompt import Desk, Window
from acclimate.porter.engine import plan
from acclimate.porter.keeping.store import Store
from acclimate.porter.plan import PortPlan
from acclimate.porter.rewrite import Feedback, Refusal, Rewrite
from acclimate.verifier.inputs import input_paths

SITE_CARDS = ".acclimate-cards"


@dataclass(frozen=True, slots=True)
class Step:
    """One sign of progress: `advance` more of `total` steps are done (0: number not known)."""

    stage: str
    text: str = ""
    advance: int = 0
    total: int = 0


class Place(Protocol):
    """Where a port lands; its documents always lie in a folder."""

    @property
    def documents(self) -> Path: ...

    def check(self) -> None:
        """Refuse the place before any work is done.

        Raises:
            Problem: the place may not be used.
        """

    def holds(self, landed: Landed) -> bool:
        """Whether what was landed is still there, unchanged."""

    def put(self, outcome: Outcome, documents: Mapping[str, bytes], key: str) -> Landed:
        """Put the ported tree and its documents there, whole or not at all."""


Decision: TypeAlias = Mapping[str, object]
"""What a person wants done, as plain values, under a `name` of its own.

`what` is "land", with the key of a `Reviewed` in `reviewed`; or "again", with the keys of
`Feedback`s by unit in `feedback` and, for units to stay on the host, in `turned_back`.
"""

Author: TypeAlias = Callable[[PortPlan, str, ProjectIndex, Feedback | None], Rewrite | Refusal]
"""Who proposes the change of one unit: the rules, or a model behind an endpoint."""


@dataclass(slots=True)
class Job:
    """One migration: `key` names its content, `publish` makes the documents that land with it.

    `command` is what a user types to go on with it. `reviewed` asks for a person's decision before
    anything lands: `decide`, told the name of the last decision that was heard, gives it,
    None where nobody has decided since.
    `consultant` is the model that is asked about what rules refuse, None for no model.
    """

    manifest: Manifest
    files: Mapping[str, ModelFile]
    choice: Choice
    work: Path
    machine: str
    store: Store
    key: str
    workers: int
    author: Author
    tell: Callable[[Step], None]
    place: Place
    publish: Callable[[Outcome], Mapping[str, bytes]]
    command: tuple[str, ...] = ()
    decide: Callable[[str], Decision | None] | None = None
    consultant: Consultant | None = None
    _lock: threading.RLock = field(default_factory=threading.RLock)
    _index: ProjectIndex | None = None
    _prepared: dict[Edits, Prepared] = field(default_factory=dict)
    _plans: dict[tuple[frozenset[str], Edits], PortPlan] = field(default_factory=dict)

    @property
    def reviewed(self) -> bool:
        return self.decide is not None

    def index(self) -> ProjectIndex:
        """The model, read once per process; a resumed run reads it again where it must."""
        with self._lock:
            if self._index is None:
                self._index = index_project(self.manifest, workers=self.workers)
            return self._index

    def prepared(self, edits: Edits) -> Prepared:
        """The model with a model's edits, analysed; the original where there are none."""
        index = self.index()
        if not edits:
            return Prepared((), {}, index)
        with self._lock:
            if edits not in self._prepared:
                self._prepared[edits] = prepare(
                    self.manifest, self.files, index.project.texts, edits, self.work / "prepared"
                )
            return self._prepared[edits]

    def plan(self, turned_back: Iterable[str], edits: Edits = ()) -> PortPlan:
        """The plan that leaves alone what the user left out and what was turned back."""
        exclude = left_out(self.index(), self.choice).union(turned_back)
        with self._lock:
            if (exclude, edits) not in self._plans:
                index = self.prepared(edits).index
                self._plans[exclude, edits] = plan(index, exclude, switches=self.choice.switches)
            return self._plans[exclude, edits]

    def note_evidence(
        self, unit: str, attempt: int, findings: tuple[str, ...], *, plausible: bool
    ) -> None:
        """Put what failed about a model's edits into its journal."""
        assert self.consultant is not None, "nobody is consulted"
        self.consultant.asker.journal.note(
            "evidence", unit=unit, attempt=attempt, findings=findings, plausible=plausible
        )

    def desk(self, turned_back: Iterable[str]) -> Desk:
        """What prompts are made from."""
        assert self.consultant is not None, "nobody is consulted"
        settings = self.consultant.settings
        return Desk(
            plan=self.plan(turned_back),
            index=self.index(),
            cards=(*own_cards(), *site_cards(self.manifest.root / SITE_CARDS)),
            window=Window(settings.window, settings.output),
        )


def open_job(
    manifest: Manifest,
    *,
    whole_tree: bool,
    choice: Choice,
    work: Path,
    machine: str,
    workers: int,
    author: Author,
    tell: Callable[[Step], None],
    place: Place,
    publish: Callable[[Outcome], Mapping[str, bytes]],
    command: tuple[str, ...] = (),
    decide: Callable[[str], Decision | None] | None = None,
    consultant: Consultant | None = None,
) -> Job:
    """Look at the model's files as they are now and name the migration by its content.

    `whole_tree` False means that the model is one source file and what it includes; `machine`
    names the compiler that evidence is gathered with.

    Raises:
        Problem: a file of the model cannot be read.
    """
    root = manifest.root
    named = {*manifest.sources, *manifest.run.namelists}
    named |= {path.relative_to(root).as_posix() for path in input_paths(manifest)}
    index = None if whole_tree else index_project(manifest, workers=workers)
    if index is not None:
        named |= {*index.project.texts, *included_files(manifest, index.project.texts)}
    files = model_files(root, named, whole_tree=whole_tree)
    return Job(
        manifest=manifest,
        files=files,
        choice=choice,
        work=work,
        machine=machine,
        store=Store(work / "store"),
        key=migration_key(manifest, files, choice, machine),
        workers=workers,
        author=author,
        tell=tell,
        place=place,
        publish=publish,
        command=command,
        decide=decide,
        consultant=consultant,
        _index=index,
    )
