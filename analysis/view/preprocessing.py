"""The C preprocessor, run as a separate process under limits, with its line markers read back."""

import re
import resource
import subprocess
import tempfile
from pathlib import Path, PurePosixPath

from acclimate.analysis.facts import ReadingProblem
from acclimate.analysis.problems import Kind, Problem
from acclimate.analysis.source import Lines
from acclimate.analysis.tree.manifest import Manifest
from acclimate.analysis.view.regular_files import MOST_BYTES, MOST_LINES
from acclimate.analysis.view.view import SourceLine

_SECONDS = 60.0
_MEMORY = 1 << 30  # bytes
_OUTPUT = 2 * MOST_BYTES
_DIRECTIVE = re.compile(
    rb"^[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif|else|endif|define|undef|include|error)\b", re.MULTILINE
)
_MISSING = re.compile(r"([^\s:]+):(\d+):\d+: fatal error: (.+): No such file or directory")
_MISSING_INCLUDES = 50
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
    manifest: Manifest, file: str, data: bytes
) -> tuple[list[SourceLine], tuple[ReadingProblem, ...]]:
    """Lines of a file after `cpp -traditional-cpp`, each with its original file and line.

    `data` is the text of `file`, which need not be the one on disk.

    Raises:
        Problem: cpp is not installed.
    """
    problems: list[ReadingProblem] = []
    with tempfile.TemporaryDirectory() as stubs:
        for _ in range(_MISSING_INCLUDES):
            returned, text, errors = _run(_command(manifest, file, stubs), manifest.root, data)
            missing = _MISSING.search(errors)
            if returned == 0 or missing is None or not _stub(Path(stubs), missing[3]):
                break
            line = int(missing[2]) - 1  # in traditional mode cpp names the line after it
            at = Lines(_file(missing[1], file), line, line)
            problems.append(ReadingProblem(at, f"include file '{missing[3]}' was not found"))
    if returned != 0:
        first = next((e for e in errors.splitlines() if "error:" in e), f"cpp ended: {returned}")
        said = first.split("error:")[-1].strip()
        problems.append(ReadingProblem(_place(first, file), f"the preprocessor says: {said}"))
    return _read_markers(text, file), tuple(problems)


def _command(manifest: Manifest, file: str, stubs: str) -> list[str]:
    folder = PurePosixPath(file).parent.as_posix()
    argv = ["cpp", "-traditional-cpp", "-w", "-nostdinc", *_PREDEFINED]
    argv += [f"-I{path}" for path in (folder, *manifest.include_dirs, ".", stubs)]
    return [*argv, *(f"-D{define}" for define in manifest.defines), "-"]


def _stub(stubs: Path, name: str) -> bool:
    """Put an empty file in the place of a missing include file, so that the rest can be read."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts:
        return False
    try:
        (stubs / path).parent.mkdir(parents=True, exist_ok=True)
        (stubs / path).touch()
    except OSError:
        return False
    return True


def _run(argv: list[str], root: Path, data: bytes) -> tuple[int, str, str]:
    """Exit status, output and messages of one process that reads `data`."""
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as output:
        source.write(data)
        source.seek(0)
        returned, errors = _run_limited(argv, root, source.fileno(), output.fileno())
        output.seek(0)
        return returned, output.read(_OUTPUT).decode("latin-1"), errors


def _run_limited(argv: list[str], root: Path, source: int, output: int) -> tuple[int, str]:
    try:
        process = subprocess.Popen(
            argv, cwd=root, stdin=source, stdout=output, stderr=subprocess.PIPE
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
            return -1, f"error: stopped after {_SECONDS:.0f} s"
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
    for line in text.split("\n", 2 * MOST_LINES):
        marker = _MARKER.match(line) if line[:2] == "# " else None
        if marker:
            number = int(marker[1])
            file = _file(marker[2], main)
            continue
        lines.append(SourceLine(line, file, number))
        number += 1
    if lines and not lines[-1].text:
        lines.pop()
    return lines


def _file(named: str, main: str) -> str:
    return main if named.startswith("<") else named.removeprefix("./")


def _place(message: str, file: str) -> Lines:
    match = re.search(r"([^\s:]+):(\d+)(?::\d+)?: (?:fatal )?error:", message)
    if match is None:
        return Lines(file, 1, 1)
    return Lines(_file(match[1], file), int(match[2]), int(match[2]))
