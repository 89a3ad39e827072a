"""A program of one file, built and run: as it is, with a device of its own, and backwards."""

import os
import subprocess
from pathlib import Path

from acclimate.analysis.source import apply_edits
from acclimate.verifier.measuring.order_reversal import reversal_edits, reversals
from acclimate.verifier.running.emulation import POISONS, Runtime
from acclimate.verifier.texts.source_file import SourceFile
from acclimate.verifier.toolchains import Build
from acclimate.verifier.toolchains.gfortran import TOOLCHAIN

FLAGS = [*TOOLCHAIN.always, *TOOLCHAIN.flags[Build.HOST], "-O1"]


def compiled(folder: Path, text: bytes, flags: list[str]) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "p.f90").write_bytes(text)
    argv = ["gfortran", *flags, "-o", "program", "p.f90"]
    subprocess.run(argv, cwd=folder, check=True, capture_output=True, timeout=120)
    return folder / "program"


def said(program: Path, environment: dict[str, str]) -> str:
    """What a program prints; how it ended where it fails."""
    done = subprocess.run(
        [str(program)], cwd=program.parent, capture_output=True, text=True, timeout=60,
        env=os.environ | environment, check=False,
    )  # fmt: skip
    return done.stdout if done.returncode == 0 else f"ended with {done.returncode}"


def printed(folder: Path, text: bytes, flags: list[str], environment: dict[str, str]) -> str:
    return said(compiled(folder, text, flags), environment)


def backwards(text: bytes) -> bytes:
    file = SourceFile("p.f90", text, "free", None)
    return apply_edits(text, reversal_edits(file, reversals(file)))


def outputs(folder: Path, text: bytes, runtime: Runtime) -> set[str]:
    """What a port prints in one memory, with a device of its own, and backwards."""
    found = {printed(folder / "host", text, FLAGS, {}), printed(folder / "back", backwards(text),
                                                                FLAGS, {})}  # fmt: skip
    for poison in POISONS:
        report = folder / f"report-{poison:x}.json"
        environment = runtime.environment(report, poison)
        found.add(printed(folder / "device", text, FLAGS, environment))
    return found
