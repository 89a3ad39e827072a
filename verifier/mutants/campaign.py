"""Many mutants tried, two at a time; what was tried is kept and not tried again."""

import hashlib
import json
import os
import shutil
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from multiprocessing.pool import Pool
from pathlib import Path
from types import FrameType

from acclimate.analysis.keeping.cache import open_cache
from acclimate.verifier.mutants.bench import Bench, measured, warm_up
from acclimate.verifier.mutants.mutant import Mutant
from acclimate.verifier.mutants.trial import Excuse, Fate, Rungs, Trial, trial
from acclimate.verifier.own_code import own_code

_KEPT = ("objects", "executables")  # by content: those of the port itself serve every mutant


@dataclass(frozen=True, slots=True)
class Tried:
    """A mutant and what became of it; `reached`: the port's own run executes the place."""

    mutant: Mutant
    trial: Trial
    reached: bool


def campaign(
    bench: Bench,
    mutants: Sequence[Mutant],
    rungs: Rungs,
    workers: int,
    progress: Callable[[Tried], None] = lambda tried: None,
) -> tuple[Tried, ...]:
    """Try every mutant, in the order given; results of earlier campaigns on the port are taken.

    Raises:
        Problem: the bench itself does not work.
    """
    journal = _Journal(bench)
    for stage in Rungs if rungs is Rungs.ALL else (rungs,):
        waiting = [m for m in mutants if not journal.is_settled(m, stage)]
        waiting.sort(key=lambda m: bool(m.equivalent))  # nothing stops those early
        if not waiting:
            continue
        warm_up(bench, stage)
        if stage is Rungs.ALL and any(m.updates for m in waiting):
            measured(bench.logged.copies)  # before the processes are forked
        with _pool(bench, stage, workers) as pool:
            tasks = ((m, journal.known(m)) for m in waiting)
            for mutant, met in pool.imap_unordered(_try, tasks):
                journal.note(mutant, met, stage)
                if stage is rungs or met.fate is not Fate.SURVIVED:
                    progress(Tried(mutant, met, bench.is_reached(mutant.at)))
    return tuple(
        Tried(m, found, bench.is_reached(m.at))
        for m in mutants
        if (found := journal.known(m)) is not None
    )


class _Journal:
    """Trials by mutant, for one port and one version of this program."""

    def __init__(self, bench: Bench) -> None:
        key = hashlib.sha256(f"{bench.base.digest} {own_code()}".encode()).hexdigest()
        self.path = bench.base.work / "mutants" / f"{key[:32]}.jsonl"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._trials: dict[str, Trial] = {}
        self._climbed: dict[str, Rungs] = {}
        for line in self._lines():
            told = json.loads(line)
            name, rungs = told.pop("mutant"), Rungs(told.pop("rungs"))
            kinds = {"fate": Fate(told["fate"]), "excuse": Excuse(told["excuse"])}
            self._trials[name] = Trial(**(told | kinds))
            self._climbed[name] = rungs

    def _lines(self) -> list[str]:
        """The whole lines; one that was cut off when a run was killed is taken out."""
        text = self.path.read_text() if self.path.is_file() else ""
        whole = [line for line in text.splitlines(keepends=True) if line.endswith("\n")]
        self.path.write_text("".join(whole))
        return whole

    def known(self, mutant: Mutant) -> Trial | None:
        return self._trials.get(mutant.id)

    def is_settled(self, mutant: Mutant, rungs: Rungs) -> bool:
        """Whether the mutant is dead, or has climbed these rungs."""
        found = self.known(mutant)
        if found is None or found.fate is not Fate.SURVIVED:
            return found is not None
        return rungs in (Rungs.STATIC, self._climbed[mutant.id])

    def note(self, mutant: Mutant, found: Trial, rungs: Rungs) -> None:
        self._trials[mutant.id], self._climbed[mutant.id] = found, rungs
        with self.path.open("a") as stream:
            line = {"mutant": mutant.id, "rungs": rungs, **asdict(found)}
            stream.write(json.dumps(line) + "\n")


# What a process of the pool works with: set once in each, before its first mutant.
_bench: Bench | None = None
_rungs = Rungs.ALL


@contextmanager
def _pool(bench: Bench, rungs: Rungs, workers: int) -> Iterator[Pool]:
    """Processes that share nothing they write; the bench comes to them by fork, as it is."""
    folders = bench.base.work / "workers"
    context = get_context("fork")
    with context.Pool(workers, initializer=_begin, initargs=(bench, rungs, folders)) as pool:
        try:
            yield pool
        finally:
            pool.terminate()
            pool.join()
            shutil.rmtree(folders, ignore_errors=True)


def _begin(bench: Bench, rungs: Rungs, folders: Path) -> None:
    global _bench, _rungs
    _bench, _rungs = bench, rungs
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    common, own = bench.base.work, folders / str(os.getpid())
    own.mkdir(parents=True)
    for name in (*_KEPT, "targets", "emulation", "analysis"):
        if (common / name).is_dir():
            shutil.copytree(common / name, own / name, copy_function=os.link)
    bench.base.work, bench.base.cache = own, open_cache(own / "analysis")


@contextmanager
def _stopped_with_its_programs() -> Iterator[None]:
    """Only while a mutant is tried does a signal to end raise, so that what runs is ended, too.

    In a process that waits for its next mutant the exception may be raised too late, and the pool
    waits for that process for ever.
    """

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _try(task: tuple[Mutant, Trial | None]) -> tuple[Mutant, Trial]:
    with _stopped_with_its_programs():
        return _tried(*task)


def _tried(mutant: Mutant, read: Trial | None) -> tuple[Mutant, Trial]:
    assert _bench is not None
    work = _bench.base.work
    before = {path for name in _KEPT for path in (work / name).glob("*")}
    logged = _bench.logged if _rungs is Rungs.ALL and mutant.updates else None
    found = trial(_bench.base, mutant, _rungs, read, logged)
    for name in _KEPT:
        for path in set((work / name).glob("*")) - before:
            shutil.rmtree(path)
    return mutant, found
