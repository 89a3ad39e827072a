"""How fast a review answers, on a made-up migration: start, key to paint, and memory.

    python benchmarks/review.py [MODULES [HUNKS]]

Modules are copies of one text with so many changes each; the work folder is made in a temporary
place. Times are of this process on this machine: CPU seconds, and seconds on the wall for keys.
"""

import asyncio
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from acclimate.analysis.facts import LoopFacts, Verdict
from acclimate.analysis.source import Edit, Lines, apply_edits
from acclimate.porter.agent.artefacts import (
    Answer,
    ModelFile,
    Planned,
    Survey,
    SurveyedUnit,
    Tree,
)
from acclimate.porter.agent.standing import Recorder
from acclimate.porter.agent.state import Migration
from acclimate.porter.agent.work_folder import work_folder
from acclimate.porter.rewrite import Rewrite
from acclimate.porter.store import Store
from acclimate.verifier.evidence import Evidence, Light, Outcome, assess
from acclimate.verifier.figures import Kernel
from acclimate.verifier.ladder import Examination
from acclimate.workflows.reviewing.screens.app import ReviewApp
from acclimate.workflows.reviewing.session import Session

KEYS = {
    "move down": ("down",) * 10,
    "a page down": ("pagedown",) * 5,
    "sort": ("t",) * 6,
    "filter": ("f",) * 12,
    "accept a module, and undo": ("a", "u") * 5,
    "open a module, and go back": ("enter", "escape") * 5,
}
INSIDE = {
    "next hunk": ("n",) * 10,
    "accept a hunk": ("a",) * 5,
    "panels": ("1", "2", "3", "4", "5"),
    "whole file and back": ("f", "f"),
}
DIRECTIVE = "!$acc parallel loop gang vector collapse(2) default(present) private(i, j, k)"


def main() -> None:
    modules, hunks = ([int(word) for word in sys.argv[1:]] + [600, 20][len(sys.argv) - 1 :])[:2]
    with tempfile.TemporaryDirectory() as name:
        model = Path(name)
        make(model, modules, hunks)
        print(f"{modules} modules with {hunks} hunks each")
        asyncio.run(measured(model))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{'peak memory':<32} {peak:8.0f} MB")


async def measured(model: Path) -> None:
    began, wall = time.process_time(), time.perf_counter()
    app = ReviewApp(Session(model, work_folder(model, None), "benchmark"))
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.pause()
        print(f"{'start, CPU':<32} {time.process_time() - began:8.3f} s")
        print(f"{'start, wall':<32} {time.perf_counter() - wall:8.3f} s")
        for name, keys in KEYS.items():
            await told(pilot, name, keys)
        await pilot.press("escape", "home", "enter")
        for name, keys in INSIDE.items():
            await told(pilot, name, keys)


async def told(pilot: object, name: str, keys: tuple[str, ...]) -> None:
    """Press keys one by one; each time until the screen has nothing left to paint."""
    cpu, wall = [], []
    for key in keys:
        began, start = time.process_time(), time.perf_counter()
        await pilot.press(key)  # type: ignore[attr-defined]
        await pilot.pause()  # type: ignore[attr-defined]
        cpu.append(time.process_time() - began)
        wall.append(time.perf_counter() - start)
    print(
        f"{name:<32} {1000 * statistics.median(cpu):8.0f} ms CPU, at most"
        f" {1000 * max(cpu):4.0f}; {1000 * statistics.median(wall):4.0f} ms on the wall"
    )


# --- the migration -------------------------------------------------------------------------------


def make(model: Path, modules: int, hunks: int) -> None:
    """Put the work folder of a migration into `model`."""
    work = work_folder(model, None)
    store = Store(work / "store")
    files: dict[str, ModelFile] = {}
    units: list[SurveyedUnit] = []
    loops: list[LoopFacts] = []
    drafts: dict[str, str] = {}
    changed: dict[str, str] = {}
    kernels: list[Kernel] = []
    for number in range(modules):
        file, unit = f"src/module_{number:03}.f90", f"module_{number:03}::step"
        text = source(number, hunks)
        edits = tuple(Edit(file, 3 + 8 * n, 2 + 8 * n, (DIRECTIVE,)) for n in range(hunks))
        files[file] = ModelFile(store.put_bytes(text))
        last = text.count(b"\n")
        units += [
            SurveyedUnit(unit.partition("::")[0], "module", *ends(file, 1, last)),
            SurveyedUnit(unit, "subroutine", *ends(file, 2, last - 1)),
        ]
        at = tuple(Lines(file, edit.first, edit.first) for edit in edits)
        loops += [loop(unit, line) for line in at]
        kernels += [Kernel(file, line.first + n, 10, 0.01, 0, 0) for n, line in enumerate(at, 1)]
        drafts[unit] = store.put(Answer(Rewrite(unit, "rules", edits, (), at)), Answer)
        changed[file] = store.put_bytes(apply_edits(text, edits))
    found = Survey("made-up", files, tuple(files), tuple(units), tuple(loops), (), "none", (), ())
    planned = Planned(tuple(drafts), (), (), {}, {})
    lit = [Evidence(str(light), light, Outcome.HOLDS, "as it should be") for light in Light]
    examination = Examination(assess(lit), tuple(kernels), kernel_share=0.9)
    state = Migration(
        surveyed=store.put(found, Survey),
        planned=store.put(planned, Planned),
        drafts=drafts,
        attempt=1,
        tree=store.put(Tree(changed), Tree),
        examination=store.put(examination, Examination),
    )
    key = sha256(b"made-up").hexdigest()
    Recorder(work, key, ("migrate", str(model))).follow("examine", state)


def source(number: int, hunks: int) -> bytes:
    nest = "".join(_nest(number, n) for n in range(hunks))
    head = f"module module_{number:03}\ncontains; subroutine step(a, b, n)\n"
    return f"{head}{nest}end subroutine\nend module\n".encode()


def _nest(number: int, n: int) -> str:
    return (
        "    do k = 1, n\n      do j = 1, n\n        do i = 1, n\n"
        f"          a(i, j, k) = {number}.0 * b(i, j, k) + {n}.0  ! what a model does\n"
        "        end do\n      end do\n    end do\n\n"
    )


def ends(file: str, first: int, last: int) -> Iterator[Lines]:
    return iter((Lines(file, first, first), Lines(file, last, last)))


def loop(unit: str, at: Lines) -> LoopFacts:
    end = Lines(at.file, at.first + 6, at.first + 6)
    return LoopFacts(
        unit=unit, at=at, end=end, kind="do", index="k", depth=0, verdict=Verdict.PARALLEL
    )


if __name__ == "__main__":
    main()
