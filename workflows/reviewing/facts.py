"""What is known of the loop under the cursor, and where the data of a kernel comes from."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from acclimate.analysis.facts import LoopFacts
from acclimate.porter.plan import KernelPlan
from acclimate.workflows.reviewing.hunks import Hunk, decoded
from acclimate.workflows.reviewing.session import Session, Standing
from acclimate.workflows.showing.loop_account import explained

_REASONS = 5


@dataclass(frozen=True, slots=True)
class Origin:
    """Where one object of a kernel comes from; `text` is one clause."""

    name: str
    access: str  # "read" | "written" | "read and written"
    text: str


def loop_at(session: Session, file: str, line: int) -> LoopFacts | None:
    """The innermost loop around a line of the original, or the one that begins just below it."""
    here = [loop for loop in session.outcome.survey.loops if loop.at.file == file]
    around = [loop for loop in here if loop.at.first <= line <= loop.end.last]
    return max(around, key=lambda loop: (loop.at.first, loop.depth), default=None)


def facts_lines(session: Session, standing: Standing, line: int) -> list[str]:
    """The facts panel: verdict, references, clauses, and where the data is."""
    file = standing.module.file
    loop = loop_at(session, file, line)
    if loop is None:
        return [f"no loop stands around {file}:{line}"]
    kernel = kernel_around(session, loop)
    text = explained(loop, _Texts(session), _REASONS, is_ported=kernel is not None)
    lines = text.rstrip().splitlines()
    if kernel is None:
        return [*lines[:2], "it is in no kernel of this port", "", *lines[2:]]
    data = [f"  {o.name}: {o.access}; {o.text}" for o in origins(session, kernel)]
    head = f"kernel at {kernel.at}, by the rule {kernel.rule}; its data:"
    return [*lines[:2], head, *data, "", *lines[2:]]


def kernel_around(session: Session, loop: LoopFacts) -> KernelPlan | None:
    """The kernel that a loop is, or is inside of."""
    return next(
        (
            kernel
            for kernel in session.outcome.planned.kernels
            if kernel.at.file == loop.at.file
            and kernel.at.first <= loop.at.first <= kernel.end.last
        ),
        None,
    )


def origins(session: Session, kernel: KernelPlan) -> tuple[Origin, ...]:
    """Where each array of a kernel comes from, by name."""
    return tuple(
        Origin(node, _access(node, kernel), _origin(session, node))
        for node in sorted({*kernel.reads, *kernel.writes})
    )


def _access(node: str, kernel: KernelPlan) -> str:
    if node in kernel.reads and node in kernel.writes:
        return "read and written"
    return "written" if node in kernel.writes else "read"


def _origin(session: Session, node: str) -> str:
    """How an object gets to the device, and how often the host looks at it."""
    planned = session.outcome.planned
    home = next((c for c in planned.residency if node == c.name or node in c.members), None)
    if home is None:
        return "not resident: its scalars are passed with each launch"
    names = {member.rpartition("::")[2].rpartition("%")[2] for member in (*home.members, node)}
    entered = _entered(session, names)
    where = "declared on the device" if home.declared else "on the device"
    begin = f"{where} from {entered}" if entered else f"{where}, entered by its callers"
    out = sum(bool(names & set(_bare(site.to_host))) for site in planned.brackets)
    back = sum(bool(names & set(_bare(site.to_device))) for site in planned.brackets)
    if not out and not back:
        return f"{begin}; the host never looks at it"
    return f"{begin}; fetched at {out} and sent at {back} places of the host's code"


def _bare(names: tuple[str, ...]) -> list[str]:
    return [name.rpartition("%")[2].partition("(")[0] for name in names]


def _entered(session: Session, names: set[str]) -> str:
    """The first hunk that enters or declares one of these names: its place in the original."""
    for standing in session.standings:
        for hunk in standing.module.hunks:
            if _enters(hunk, names):
                return f"{hunk.file}:{hunk.first}"
    return ""


def _enters(hunk: Hunk, names: set[str]) -> bool:
    text = " ".join(decoded(line).lower() for line in hunk.new)
    if "enter data" not in text and "!$acc declare" not in text:
        return False
    return bool(names & set(re.findall(r"\w+", text)))


class _Texts(Mapping[str, bytes]):
    """The original's sources, read when they are quoted."""

    def __init__(self, session: Session) -> None:
        self._outcome = session.outcome

    def __getitem__(self, file: str) -> bytes:
        if file not in self._outcome.survey.sources:
            raise KeyError(file)
        return self._outcome.original(file)

    def __iter__(self) -> Iterator[str]:
        return iter(self._outcome.survey.sources)

    def __len__(self) -> int:
        return len(self._outcome.survey.sources)
