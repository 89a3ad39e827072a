"""Build a small OpenACC program, run it on the emulated device, and read what was seen."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pytest

from acclimate.analysis.source import apply_edits
from acclimate.verifier.measuring.iteration_marks import iteration_marks
from acclimate.verifier.running.emulation import (
    POISONS,
    EmulationSummary,
    Runtime,
    build_runtime,
    read_summary,
)
from acclimate.verifier.texts.governed import governed_loops
from acclimate.verifier.texts.source_file import SourceFile
from acclimate.verifier.toolchains import Build, toolchain


@dataclass(frozen=True)
class Emulated:
    """`words` are the blank-separated words of standard output."""

    code: int
    words: list[str]
    summary: EmulationSummary

    @property
    def kinds(self) -> set[str]:
        return {finding.kind for finding in self.summary.findings}

    def line(self, kind: str) -> int:
        """The line of the only finding of this kind."""
        (place,) = {f.at for f in self.summary.findings if f.kind == kind}
        assert place is not None
        return place.line


class Emulate(Protocol):
    def __call__(
        self,
        source: str,
        *,
        accesses: bool = False,
        poison: int = POISONS[0],
        level: str = "-O1",
    ) -> Emulated: ...


def marked(source: str) -> bytes:
    """The program with calls that tell the runtime which iteration runs."""
    file = SourceFile("model.f90", source.encode(), "free", None)
    marks = iteration_marks({file.name: file}, governed_loops(file))
    assert not marks.unmarked
    return apply_edits(file.data, marks.edits.get(file.name, ()))


@pytest.fixture(scope="session")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Runtime:
    return build_runtime(tmp_path_factory.mktemp("runtime"))


@pytest.fixture
def emulate(runtime: Runtime, tmp_path: Path) -> Emulate:
    def run(
        source: str,
        *,
        accesses: bool = False,
        poison: int = POISONS[0],
        level: str = "-O1",
    ) -> Emulated:
        kind, tool = Build.ACCESS if accesses else Build.DISCRETE, toolchain("gfortran")
        text = marked(source) if accesses else source.encode()
        (tmp_path / "model.f90").write_bytes(text)
        flags = [*tool.flags[kind], level]
        compile_only = tool.compile_only.get(kind, ())
        link = runtime.link_flags if accesses else ()
        for argv in (
            ["gfortran", *flags, *compile_only, "-c", "model.f90"],
            ["gfortran", *flags, "model.o", "-o", "model", *link],
        ):
            subprocess.run(argv, cwd=tmp_path, check=True, timeout=60)
        report = tmp_path / "report.json"
        done = subprocess.run(
            [str(tmp_path / "model")],
            cwd=tmp_path,
            env=os.environ | runtime.environment(report, poison),
            capture_output=True,
            text=True,
            timeout=60,
        )
        summary = read_summary(report)
        assert summary is not None, done.stderr
        return Emulated(done.returncode, done.stdout.split(), summary)

    return run
