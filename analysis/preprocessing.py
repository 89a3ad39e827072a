"""The C preprocessor, run as a separate process under limits, with its line markers read back."""

import re
import resource
import subprocess
import tempfile
from pathlib import Path

from acclimate.analysis.facts import ReadingProblem
from acclimate.analysis.manifest import Manifest
from acclimate.analysis.problems import Kind, Problem
from acclimate.analysis.source import Lines
from acclimate.analysis.view import SourceLine

_SECONDS = 60.0
_MEMORY = 1 << 30  # bytes
_OUTPUT = 256 << 20  # bytes
_DIRECTIVE = re.compile(
    rb"^[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif|else|endif|define|undef|include)\b", re.MULTILINE
)
_MARKER = re.compile(r'# (\d+) "([^"]*)"')
# -undef drops the macros of this machine (`linux` and `unix` are fine Fortran names); these are
# what gfortran defines. _OPENACC stays undefined: the view is the model before the port.
_PREDEFINED = ("-undef", "-D__GFORTRAN__=1", "-D_LANGUAGE_FORTRAN=1", "-D__GNUC__=12")


def needs_cpp(manifest: Manifest, file: str, data: bytes) -> bool:
    """Whether running cpp can change anything but comments."""
    if _DIRECTIVE.search(data):
        return True
    if not manifest.is_preprocessed(file):
        return False
    names = [define.split("=")[0].encode() for define in manifest.defines]
    return b"/*" in data or b"__" in data or any(name in data for name in names)


def preprocess(
    manifest: Manifest, file: str
) -> tuple[list[SourceLine], tuple[ReadingProblem, ...]]:
    """Lines of `file` after `cpp -traditional-cpp`, each with its original file and line.

    Raises:
        Problem: cpp is not installed.
    """
    argv = ["cpp", "-traditional-cpp", "-w", *_PREDEFINED]
    argv += [f"-I{folder}" for folder in (*manifest.include_dirs, ".")]
    argv += [f"-D{define}" for define in manifest.defines]
    with tempfile.TemporaryFile() as output:
        returned, errors = _run([*argv, file], manifest.root, output.fileno())
        output.seek(0)
        text = output.read(_OUTPUT).decode("latin-1")
    problems: tuple[ReadingProblem, ...] = ()
    if returned != 0:
        first = errors.strip().splitlines()[0] if errors.strip() else f"cpp ended with {returned}"
        problems = (ReadingProblem(_place(first, file), f"the preprocessor says: {first}"),)
    return _read_markers(text, file), problems


def _run(argv: list[str], root: Path, output: int) -> tuple[int, str]:
    try:
        process = subprocess.Popen(
            argv, cwd=root, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.PIPE
        )
    except FileNotFoundError:
        raise Problem(
            "the C preprocessor 'cpp' is not installed",
            kind=Kind.ENVIRONMENT,
            notes=("files with #ifdef or #include cannot be read without it.",),
            hint="install the package 'cpp' (it comes with gcc).",
        ) from None
    with process:
        _limit(process.pid)
        try:
            _, errors = process.communicate(timeout=_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return -1, f"stopped after {_SECONDS:.0f} s"
    return process.returncode, errors[:100_000].decode("latin-1")


def _limit(pid: int) -> None:
    try:
        resource.prlimit(pid, resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (_OUTPUT, _OUTPUT))
    except ProcessLookupError:
        return  # it has ended already


def _read_markers(text: str, main: str) -> list[SourceLine]:
    lines: list[SourceLine] = []
    file, number = main, 1
    for line in text.split("\n"):
        marker = _MARKER.match(line) if line[:2] == "# " else None
        if marker:
            number = int(marker[1])
            file = marker[2].removeprefix("./") if not marker[2].startswith("<") else main
            continue
        lines.append(SourceLine(line, file, number))
        number += 1
    if lines and not lines[-1].text:
        lines.pop()
    return lines


def _place(message: str, file: str) -> Lines:
    match = re.match(r"([^:]+):(\d+)", message)
    if match is None:
        return Lines(file, 1, 1)
    return Lines(match[1].removeprefix("./"), int(match[2]), int(match[2]))
