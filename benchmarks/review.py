"""How fast a review answers: start, key to paint for every key, and memory.

    python benchmarks/review.py [--modules 320] [--hunks 20] [--size 80x24]
    python benchmarks/review.py --model MODEL       # what a migration of MODEL has left

Without a model, modules are copies of one text with so many changes each. The work folder is
copied to, or made in, a temporary place. For each kind of key it tells the CPU time, and the time
on the wall from the key to the last paint that follows; the pilot itself sleeps on after that.
"""

import argparse
import asyncio
import inspect
import resource
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from measuring import load
from textual.pilot import Pilot

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
from acclimate.porter.keeping.store import Store
from acclimate.porter.rewrite import Rewrite
from acclimate.verifier.evidence import Evidence, Light, Outcome, assess
from acclimate.verifier.figures import Kernel
from acclimate.verifier.ladder import Examination
from acclimate.workflows.reviewing.screens.app import ReviewApp
from acclimate.workflows.reviewing.screens.dialogs import Log
from acclimate.workflows.reviewing.screens.module_list import ModuleList
from acclimate.workflows.reviewing.session import Session

# By what they do, keys in the order in which they are pressed; "escape" leaves what was asked.
KEYS = {
    "up and down": ("down", "up", "j", "k") * 3,
    "pages, ends": ("pagedown", "pageup", "space", "b", "end", "home"),
    "sort": ("t", "down", "enter") * 5,
    "filter": ("f", "down", "enter") * 6 + ("F",) * 6 + ("escape",),
    "a question, and leave it": ("slash", "escape", "A", "escape", "l", "escape", "s", "escape")
    * 3,
    "list of keys, palette": ("question_mark", "escape", "colon", "escape") * 3,
    "accept, undo, redo, reopen": ("a", "u", "r", "o") * 3,
    "a command runs": ("v", "escape") * 5,
}
INSIDE = {
    "up, down, left, right": ("down", "up", "right", "left") * 2,
    "pages, ends": ("pagedown", "pageup", "end", "home"),
    "next and previous hunk": ("n", "n", "n", "p", "N"),
    "panels": ("1", "2", "3", "4", "5", "0", "1", "tab", "tab") * 3,
    "whole file and back": ("f", "end", "home", "f") * 2,
    "facts follow the cursor": ("2", "n", "down", "n", "pagedown", "1") * 3,
    "a question, and leave it": ("x", "escape", "slash", "escape", "t", "escape") * 3,
    "list of keys, palette": ("question_mark", "escape", "colon", "escape") * 3,
    "accept a hunk, a unit, a module": ("a", "A", "m", "u", "o", "u", "u", "u") * 3,
    "reject a hunk, and undo it": ("x", "enter", "u") * 3,
    "a command runs": ("v", "escape") * 5,
}
OPENED = 12  # modules, those with most lines first
LIMIT = 0.1  # s from key to paint
MOST = 300.0  # MB
DIRECTIVE = "!$acc parallel loop gang vector collapse(2) default(present) private(i, j, k)"


class Painting(ReviewApp):
    """The review, which knows when it has painted last."""

    CSS_PATH = Path(inspect.getfile(ReviewApp)).with_name("review.tcss")
    painted = 0.0  # s, of `perf_counter`

    def post_display_hook(self) -> None:
        self.painted = time.perf_counter()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--modules", type=int, default=320)
    parser.add_argument("--hunks", type=int, default=20, help="of each module")
    parser.add_argument("--model", type=Path, help="a model that was migrated, instead")
    parser.add_argument("--size", metavar="COLUMNSxLINES", default="80x24")
    options = parser.parse_args()
    columns, lines = map(int, options.size.split("x"))
    with tempfile.TemporaryDirectory() as name:
        model = Path(name) / "model"
        model.mkdir()
        if options.model:
            shutil.copytree(
                work_folder(options.model, None), work_folder(model, None), dirs_exist_ok=True
            )
        else:
            make(model, options.modules, options.hunks)
        slow = asyncio.run(measured(model, (columns, lines)))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{'peak memory':<32} {peak:8.0f} MB")
    limit = f"{1000 * LIMIT:.0f} ms"
    print(f"keys that took more than {limit}, CPU or wall, by the median of their presses:")
    print(", ".join(slow) or "none")
    return 1 if slow or peak > MOST else 0


async def measured(model: Path, size: tuple[int, int]) -> list[str]:
    """Print all measurements; what took too long."""
    print(f"load {load():.1f}, {size[0]}x{size[1]}")
    began, wall = time.process_time(), time.perf_counter()
    session = Session(model, work_folder(model, None), "benchmark")
    app = Painting(session, argv=lambda line: (sys.executable, "-S", "-c", "pass"))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        start = time.process_time() - began
        print(f"{'start, CPU':<32} {start:8.3f} s")
        print(f"{'start, wall':<32} {time.perf_counter() - wall:8.3f} s")
        hunks = [len(standing.module.hunks) for standing in session.standings]
        changed = sum(map(bool, hunks))
        print(f"{len(hunks)} modules, {changed} of them changed in {sum(hunks)} hunks")
        slow = ["start"] if start > 1.0 else []
        for name, keys in KEYS.items():
            slow += await told(pilot, app, name, keys)
        await pilot.press("escape", "home")
        await pilot.press("t", *"size", "enter")
        assert app.screen.query_one(ModuleList).sort == "size"
        await pilot.press("home")
        slow += await told(
            pilot, app, "open, go back, go down", ("enter", "escape", "down") * OPENED
        )
        await pilot.press("home", "enter")
        for name, keys in INSIDE.items():
            slow += await told(pilot, app, name, keys)
    return slow


async def told(pilot: Pilot[None], app: Painting, name: str, keys: tuple[str, ...]) -> list[str]:
    """Press keys one by one, each until the screen has nothing left to paint; the slow ones."""
    cpu, wall = [], []
    for key in keys:
        while isinstance(screen := app.screen, Log) and screen.code is None:
            await pilot.pause(0.01)  # only what has ended is closed
        began, start = time.process_time(), time.perf_counter()
        await pilot.press(key)
        await pilot.pause()
        cpu.append(time.process_time() - began)
        wall.append(max(app.painted - start, 0.0))
    print(f"{name:<32} {_span(cpu, keys)} CPU; {_span(wall, keys)} to the last paint")
    return [
        f"{key} ({name})"
        for key in dict.fromkeys(keys)
        if any(statistics.median(_of(key, keys, took)) > LIMIT for took in (cpu, wall))
    ]


def _span(took: list[float], keys: tuple[str, ...]) -> str:
    most = f"{1000 * max(took):4.0f} ({keys[took.index(max(took))]})"
    return f"{1000 * statistics.median(took):4.0f} ms, at most {most}"


def _of(key: str, keys: tuple[str, ...], took: list[float]) -> list[float]:
    return [seconds for seconds, pressed in zip(took, keys, strict=True) if pressed == key]


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
    raise SystemExit(main())
