"""Probe compilers, offload and tools, and say what each missing piece costs."""

import argparse
import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory

from acclimate.workflows._exit import Exit
from acclimate.workflows.showing.delivery import deliver_json

LIBRARIES = (
    "f90nml",
    "fparser",
    "jinja2",
    "langgraph",
    "langgraph-checkpoint-sqlite",
    "networkx",
    "numpy",
    "pydantic",
    "rich",
    "tree-sitter",
    "tree-sitter-fortran",
)
TOOLS = (
    ("cpp", True, "files with #ifdef or #include cannot be read"),
    ("prlimit", True, "nothing can be built or run under limits: install util-linux"),
    ("git", False, "no --branch, and reports name no commit"),
    ("flang-22", False, "no second compiler's opinion on the sources"),
    ("z3", False, "loops with coupled subscripts stay unknown: pip install z3-solver"),
    ("valgrind", False, "findings about memory in the original cannot be confirmed"),
)
_SHOWN = 8  # models of an endpoint that are named


@dataclass(frozen=True, slots=True)
class Probe:
    """One thing looked for; `cost` says what goes without it, "" where it was found."""

    name: str
    found: bool
    required: bool
    detail: str
    cost: str = ""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", metavar="FILE", help="write the findings as JSON (- for stdout)")

    parser.add_argument("--endpoint", metavar="URL", help="probe this one too: two small calls")
    parser.add_argument("--model", metavar="NAME", default="", help="the model's name there")


def run(options: argparse.Namespace) -> int:
    probes = [*_compilers(), *_tools(), *_libraries(), _machine()]
    if options.endpoint:
        probes += _endpoint(options.endpoint, options.model)
    lacking = [probe for probe in probes if probe.required and not probe.found]
    if options.json:
        findings = {"schema": "acclimate/doctor/1", "probes": [asdict(p) for p in probes]}
        deliver_json(findings, options.json)
    if options.json != "-":
        _print(probes)
    return Exit.ENVIRONMENT if lacking else Exit.DONE


def _compilers() -> Iterator[Probe]:
    path = shutil.which("gfortran")
    if path is None:
        cost = "nothing can be built, run or verified: install gfortran (apt install gfortran)"
        yield Probe("gfortran", False, True, "not on the PATH", cost)
        return
    yield Probe("gfortran", True, True, _first_line(path, "--version"))
    if shutil.which("prlimit") is None:  # reported as a tool; without it nothing is tried
        return
    target = _offload_target()
    cost = (
        ""
        if target
        else (
            "calls without `routine` and I/O in kernels are found late, and no device run is"
            " possible: install gcc-offload-nvptx"
        )
    )
    detail = f"links for {target}" if target else "no program with device code links"
    yield Probe("gfortran offload (nvptx)", target is not None, False, detail, cost)


def _offload_target() -> str | None:
    from acclimate.verifier.building.build import device_target
    from acclimate.verifier.toolchains import toolchain

    with TemporaryDirectory(prefix="acclimate-doctor-") as work:
        return device_target(toolchain("gfortran"), Path(work))


def _tools() -> Iterator[Probe]:
    from acclimate.analysis.dependence.solver import solver

    for name, required, cost in TOOLS:
        path = solver() if name == "z3" else shutil.which(name)
        if path is None:
            yield Probe(name, False, required, "not on the PATH", cost)
        else:
            yield Probe(name, True, required, _first_line(path, "--version"))


def _first_line(command: str, option: str) -> str:
    answer = subprocess.run(
        [command, option], capture_output=True, text=True, timeout=60, errors="replace"
    )
    lines = (answer.stdout or answer.stderr).strip().splitlines()
    return lines[0] if lines else f"exit code {answer.returncode}"


def _libraries() -> Iterator[Probe]:
    for name in LIBRARIES:
        try:
            yield Probe(f"python: {name}", True, True, metadata.version(name))
        except metadata.PackageNotFoundError:
            yield Probe(f"python: {name}", False, True, "not installed", f"pip install {name}")


def _machine() -> Probe:
    cores = len(os.sched_getaffinity(0))
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    free = shutil.disk_usage(Path.cwd()).free / 2**30
    return Probe(
        "machine", True, True, f"{cores} cores, {memory:.0f} GiB memory, {free:.0f} GiB disk free"
    )


def _endpoint(url: str, model: str) -> Iterator[Probe]:
    """What an endpoint of a language model can do; nothing of it is required."""
    from acclimate.porter.asking.question import Failed
    from acclimate.porter.author.keys import endpoint_key
    from acclimate.porter.author.settings import Settings
    from acclimate.porter.providers.openai import Endpoint

    endpoint = Endpoint(url, endpoint_key(url))
    try:
        found = endpoint.probe(model)
    except Failed as failed:
        cost = "no model can be asked: check the address and ACCLIMATE_API_KEY"
        yield Probe("model endpoint", False, False, f"{endpoint.name}: {failed.text}", cost)
        return
    offered = ", ".join(found.models[:_SHOWN]) or "none"
    known = model in found.models
    cost = "" if known else "name one of its models: --model NAME"
    yield Probe("model endpoint", known, False, f"{endpoint.name} offers {offered}", cost)
    if not known:
        return
    assumed = f"prompts are fitted to {Settings().window} tokens: tell --window"
    text = f"{found.window} tokens" if found.window else "it does not tell"
    yield Probe("model: context", bool(found.window), False, text, "" if found.window else assumed)
    unused = "nothing: replies are plain text"
    for name, there in (("tools", found.tools), ("JSON mode", found.json_mode)):
        text = "taken" if there else "refused"
        yield Probe(f"model: {name}", there, False, text, "" if there else unused)


def _print(probes: list[Probe]) -> None:
    from acclimate.workflows.showing.table import Cell, Column, show

    def row(probe: Probe) -> list[Cell]:
        word = "found" if probe.found else "missing" if probe.required else "not there"
        tone = "good" if probe.found else "bad" if probe.required else "open"
        return [Cell(probe.name), Cell(word, tone), Cell(probe.detail), Cell(probe.cost)]

    show([Column(t) for t in ("what", "state", "detail", "without it")], [row(p) for p in probes])
