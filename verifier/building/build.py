"""Build a model from its manifest, object by object, without touching its tree.

An object is stored under the hash of everything that went into it (the source, what it includes,
the module files it sees, the flags, the compiler), so two trees that share files share objects, and
a change that leaves a module's interface alone compiles one file.
"""

import hashlib
import os
import tempfile
from collections.abc import Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cache, lru_cache
from graphlib import TopologicalSorter
from pathlib import Path

from acclimate.analysis.problems import Kind, Problem
from acclimate.analysis.tree.manifest import Manifest
from acclimate.analysis.view.source_forms import FIXED_SUFFIXES, PREPROCESSED_SUFFIXES
from acclimate.verifier.building.diagnostics import Diagnostic, parse_diagnostics
from acclimate.verifier.limits import Finished, Limits, Stop, run_limited
from acclimate.verifier.texts.build_order import (
    Needs,
    compile_order,
    file_dependencies,
    included_files,
    needs,
)
from acclimate.verifier.texts.statements import read_statements
from acclimate.verifier.toolchains import Build, Toolchain

_COMPILING = Limits(wall=600, cpu=600, memory=8192, file=1024, processes=64)
_WORKERS = 2
_OBJECT = "unit.o"
_LOG = "complete"  # the compiler's messages; its presence says that the object is whole
_PROBE = """\
program probe
  integer :: i
  real :: a(4)
  !$acc parallel loop
  do i = 1, 4
    a(i) = sin(real(i))
  end do
  print *, a
end program probe
"""


@dataclass(frozen=True, slots=True)
class Built:
    """An executable; `objects` holds the object file of every source file."""

    kind: Build
    executable: Path
    flags: tuple[str, ...]
    objects: Mapping[str, Path]
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True)
class BuildFailure:
    """A build that failed; `stage` is "compile" or "link", `file` what did not compile."""

    kind: Build
    stage: str
    diagnostics: tuple[Diagnostic, ...]
    log: str
    file: str | None = None

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        return tuple(d for d in self.diagnostics if d.severity == "error")


@dataclass(frozen=True, slots=True)
class Extra:
    """What is linked in besides the model, and flags that `files` alone are compiled with."""

    objects: tuple[Path, ...] = ()
    link_flags: tuple[str, ...] = ()
    files: frozenset[str] = frozenset()
    flags: tuple[str, ...] = ()


@cache
def compiler_version(compiler: str) -> str:
    """The first line of the compiler's own version text.

    Raises:
        Problem: there is no such compiler, or it does not run.
    """
    with tempfile.TemporaryDirectory() as scratch:
        done = _call([compiler, "--version"], Path(scratch), Path(scratch) / "version")
    if not done.ok:
        raise Problem(
            f"'{compiler} --version' {done.outcome}.",
            kind=Kind.ENVIRONMENT,
            notes=(done.last_words,) if done.last_words else (),
            hint="install the compiler, or set [build] compiler in acclimate.toml",
        )
    return done.stdout.decode("utf-8", "replace").splitlines()[0]


def device_target(toolchain: Toolchain, work: Path) -> str | None:
    """The first device architecture a small program links for, remembered in `work`; None: none.

    Remembered for as long as the compiler and its device compiler are the same.
    """
    state = f"{toolchain}{compiler_version(toolchain.compiler)}{_device_compiler(toolchain)}"
    memo = work / "targets" / hashlib.sha256(state.encode()).hexdigest()[:16]
    if memo.is_file():
        return memo.read_text() or None
    found = ""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "probe.f90").write_text(_PROBE)
        for target in toolchain.targets:
            flag = toolchain.target_flag.format(target=target)
            flags = (*toolchain.flags[Build.OFFLOAD], flag)
            argv = [toolchain.compiler, *flags, "probe.f90", "-o", "probe"]
            if _call(argv, folder, folder / "log").ok:
                found = target
                break
    memo.parent.mkdir(parents=True, exist_ok=True)
    memo.write_text(found)
    return found or None


def _device_compiler(toolchain: Toolchain) -> str:
    """Where the part is that makes device code, with its size and age; empty: not installed."""
    if not toolchain.device_compiler:
        return ""
    with tempfile.TemporaryDirectory() as scratch:
        done = _call([*toolchain.device_compiler], Path(scratch), Path(scratch) / "where")
    path = Path(done.stdout.decode("utf-8", "replace").strip())
    if not done.ok or not path.is_file():
        return ""
    status = path.stat()
    return f"{path} {status.st_size} {status.st_mtime_ns}"


def build(
    manifest: Manifest, toolchain: Toolchain, kind: Build, work: Path, extra: Extra | None = None
) -> Built | BuildFailure:
    """Compile and link the model for `kind`; everything written goes below `work`.

    Raises:
        Problem: the compiler is missing, or the sources cannot be put in order.
    """
    return _Builder(manifest, toolchain, kind, work, extra or Extra()).run()


@lru_cache(maxsize=4096)
def _needs(data: bytes, file: str, form: str, width: int | None) -> Needs:
    """Of one text, however often a model is built."""
    return needs(read_statements(data, file, form, width))


class _Builder:
    def __init__(
        self, manifest: Manifest, toolchain: Toolchain, kind: Build, work: Path, extra: Extra
    ) -> None:
        self.manifest, self.toolchain, self.kind, self.work = manifest, toolchain, kind, work
        self.extra = extra
        self.compiler = manifest.compiler
        self.version = compiler_version(self.compiler)
        self.flags = self._flags()
        self.needs = {file: self._read(file) for file in manifest.sources}
        self.dependencies = file_dependencies(manifest.root, self.needs)
        self.order = compile_order(manifest.root, self.dependencies)
        self.keys: dict[str, str] = {}  # each known once what the file uses is compiled

    def run(self) -> Built | BuildFailure:
        failure = self._compile_all()
        return failure or self._link(self.extra)

    def _flags(self) -> tuple[str, ...]:
        tool, model = self.toolchain, self.manifest
        target: tuple[str, ...] = ()
        if self.kind is Build.OFFLOAD:
            name = device_target(tool, self.work)
            target = (tool.target_flag.format(target=name),) if name else ()
        defines = tuple(d if d.startswith(tool.define) else tool.define + d for d in model.defines)
        return (*model.flags, *defines, *tool.always, *tool.flags[self.kind], *target)

    def _read(self, file: str) -> Needs:
        path = self.manifest.root / file
        try:
            data = path.read_bytes()
        except OSError as error:
            raise Problem(
                f"cannot read {file}: {error.strerror}",
                hint="check [model] sources in acclimate.toml",
            ) from error
        return _needs(data, file, self.manifest.form(file), self.manifest.fixed_width)

    def _key(self, file: str) -> str:
        root = self.manifest.root
        digest = hashlib.sha256()
        own = (self.compiler, self.version, *self._file_flags(file), file)
        digest.update("\0".join(own).encode())
        digest.update((root / file).read_bytes())
        for included in included_files(root, file, self.needs[file], self.manifest.include_dirs):
            digest.update(b"\0include\0" + included.read_bytes())
        for used in self._all_used(file):
            for module in sorted(self._folder(used).glob("*.*mod")):
                digest.update(b"\0module\0" + module.name.encode() + b"\0" + module.read_bytes())
        return digest.hexdigest()[:32]

    def _file_flags(self, file: str) -> tuple[str, ...]:
        tool, model = self.toolchain, self.manifest
        suffix, form = Path(file).suffix, model.form(file)
        extra: list[str] = []
        if form != ("fixed" if suffix.lower() in FIXED_SUFFIXES else "free"):
            extra.append(tool.form[form])
        if model.is_preprocessed(file) and suffix not in PREPROCESSED_SUFFIXES:
            extra.append(tool.preprocess)
        if form == "fixed":
            extra.append(tool.d_lines[model.d_lines_are_code])
        extra += self.extra.flags if file in self.extra.files else ()
        return (*self.flags, *tool.compile_only.get(self.kind, ()), *extra)

    def _folder(self, file: str) -> Path:
        return self.work / "objects" / self.keys[file]

    def _compile_all(self) -> BuildFailure | None:
        """Compile what is not there yet, two files at a time, each after what it uses."""
        sorter = TopologicalSorter(self.dependencies)
        sorter.prepare()
        running: dict[Future[Finished | None], str] = {}
        failure: BuildFailure | None = None
        with ThreadPoolExecutor(_WORKERS) as pool:
            while sorter.is_active() and failure is None or running:
                if failure is None:
                    for file in sorter.get_ready():
                        running[pool.submit(self._compile, file)] = file
                try:
                    done, _ = wait(running, return_when=FIRST_COMPLETED)
                except KeyboardInterrupt:
                    pool.shutdown(wait=False, cancel_futures=True)
                    raise
                for future in done:
                    file, result = running.pop(future), future.result()
                    if result is not None and not result.ok:
                        failure = failure or self._failure("compile", result, file)
                    sorter.done(file)
        return failure

    def _compile(self, file: str) -> Finished | None:
        self.keys[file] = self._key(file)
        folder = self._folder(file)
        if (folder / _LOG).is_file():
            return None
        folder.mkdir(parents=True, exist_ok=True)
        tool, root = self.toolchain, self.manifest.root.resolve()
        include = [
            *self.manifest.include_dirs,
            *(str(self._folder(used)) for used in self._all_used(file)),
        ]
        argv = [
            self.compiler,
            *self._file_flags(file),
            f"-fdebug-prefix-map={root}=.",
            *(tool.include + place for place in include),
            tool.module_output + str(folder),
            "-c",
            file,
            "-o",
            str(folder / _OBJECT),
        ]
        done = _call(argv, root, folder / "log")
        if done.ok:
            (folder / _LOG).write_bytes(done.stderr)
        return done

    def _all_used(self, file: str) -> list[str]:
        """All files whose modules `file` sees, directly or through others."""
        seen: dict[str, None] = {}
        waiting = list(self.dependencies[file])
        while waiting:
            used = waiting.pop()
            if used not in seen:
                seen[used] = None
                waiting += self.dependencies[used]
        return sorted(seen)

    def _link(self, extra: Extra) -> Built | BuildFailure:
        objects = {file: self._folder(file) / _OBJECT for file in self.order}
        linked = [*map(str, objects.values()), *map(str, extra.objects)]
        last = [
            *self.manifest.link_flags,
            *self.toolchain.link_only.get(self.kind, ()),
            *extra.link_flags,
        ]
        digest = hashlib.sha256("\0".join([*self.flags, *linked, *last]).encode())
        for path in extra.objects:
            digest.update(path.read_bytes())
        folder = self.work / "executables" / digest.hexdigest()[:32]
        executable = folder / "model"
        if not (folder / _LOG).is_file():
            folder.mkdir(parents=True, exist_ok=True)
            argv = [self.compiler, *self.flags, *linked, "-o", str(executable), *last]
            done = _call(argv, self.manifest.root.resolve(), folder / "log")
            if not done.ok:
                return self._failure("link", done, None)
            (folder / _LOG).write_bytes(done.stderr)
        logs = "".join(
            (path / _LOG).read_text("utf-8", "replace")
            for path in (*(self._folder(file) for file in self.order), folder)
        )
        found = parse_diagnostics(logs, self.toolchain)
        return Built(self.kind, executable, self.flags, objects, found)

    def _failure(self, stage: str, done: Finished, file: str | None) -> BuildFailure:
        if done.stop in (Stop.DISK, Stop.NO_SPACE):
            raise Problem(
                f"the compiler could not write below {self.work}.",
                kind=Kind.ENVIRONMENT,
                notes=(done.last_words,),
                hint="make room on that disk and run the command again; finished objects are kept",
            )
        log = done.stderr.decode("utf-8", "replace")
        found = parse_diagnostics(log, self.toolchain)
        if not any(d.severity == "error" for d in found):
            what = f"the compiler {done.outcome}: {done.last_words}"
            found = (*found, Diagnostic("error", what, file, 1 if file else None))
        return BuildFailure(self.kind, stage, found, log, file)


def _call(argv: list[str], cwd: Path, logs: Path) -> Finished:
    """Call a compiler with messages in plain ASCII English."""
    return run_limited(
        argv, cwd=cwd, limits=_COMPILING, logs=logs, environment=os.environ | {"LC_ALL": "C"}
    )
