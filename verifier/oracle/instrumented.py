"""A model built so that every access of its marked loops is reported to the oracle."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from acclimate.analysis.facts import LoopFacts
from acclimate.analysis.problems import Problem
from acclimate.analysis.project import Project
from acclimate.analysis.source import apply_edits
from acclimate.analysis.tree.manifest import Manifest
from acclimate.verifier.limits import Finished, Limits, run_limited
from acclimate.verifier.oracle.marks import Marks, mark_loops, ordered
from acclimate.verifier.texts.build_order import compile_order, file_dependencies, needs
from acclimate.verifier.texts.source_file import SourceFile, all_files

_WATCH = Path(__file__).with_name("watch")
_LIMITS = Limits(wall=300.0, cpu=300.0, memory=4096)

# Unoptimised, so that the program does what is written. Copies and fills are calls, or they would
# pass unseen; local arrays are on the stack, or those of a called procedure would be shared.
FLAGS = (
    "-g",
    "-O0",
    "-fsanitize=thread",
    "-fno-pie",
    "-frecursive",
    "-fcheck=bounds",
    "-mmemcpy-strategy=libcall:-1:noalign",
    "-mmemset-strategy=libcall:-1:noalign",
    "-std=legacy",
    "-ffree-line-length-none",
    "-fallow-argument-mismatch",
    "-fallow-invalid-boz",
    "-w",
)


@dataclass(frozen=True, slots=True)
class Instrumented:
    """Objects by source file in build order; `failed` files with what the compiler said."""

    root: Path
    manifest: Manifest
    marks: Marks
    objects: Mapping[str, Path]
    failed: Mapping[str, str]
    unmarked: tuple[str, ...]  # files that compile only without their marks

    def watched(self, file: str) -> bool:
        return file in self.objects and file not in self.unmarked


def runtime_object(work: Path) -> Path:
    """The oracle itself, compiled.

    Raises:
        Problem: there is no C compiler.
    """
    made = work / "oracle.o"
    flags = ("-std=gnu17", "-O2", "-g", "-fno-builtin", "-fno-omit-frame-pointer", "-fno-pie")
    sources = map(str, sorted(_WATCH.glob("*.c")))
    compiled = ["gcc", *flags, "-fvisibility=hidden", "-r", *sources, "-o", str(made)]
    # The names of the oracle's own functions are none of the model's business.
    closed = ["objcopy", "--localize-hidden", str(made)]
    for argv in (compiled, closed):
        done = run_limited(argv, cwd=work, limits=_LIMITS, logs=work / "oracle-build")
        if not done.ok:
            raise Problem(f"the oracle's runtime does not compile: {done.last_words}")
    return made


def instrument(
    manifest: Manifest,
    project: Project,
    loops: Iterable[LoopFacts],
    work: Path,
    flags: Sequence[str] = (),
    first: int = 1,
) -> Instrumented:
    """Mark and compile a model file by file; a file that does not compile is left out.

    Numbers of loops count from `first`.

    Raises:
        Problem: modules use one another in a circle, or one is defined twice.
    """
    files = all_files(manifest)
    marks = mark_loops(project, files, loops, first)
    source, made = work / "source", work / "objects"
    made.mkdir(parents=True, exist_ok=True)
    for name, file in files.items():
        _write(source / name, apply_edits(file.data, ordered(marks.edits.get(name, []))))
    wants = {name: needs(files[name].statements) for name in manifest.sources}
    objects: dict[str, Path] = {}
    failed: dict[str, str] = {}
    unmarked: list[str] = []
    for number, name in enumerate(
        compile_order(manifest.root, file_dependencies(manifest.root, wants))
    ):
        target = made / f"{number}_{Path(name).stem}.o"
        done = _compile(manifest, files[name], source, target, flags)
        if not done.ok and name in marks.edits:
            _write(source / name, files[name].data)
            done = _compile(manifest, files[name], source, target, flags)
            unmarked.append(name)
        if done.ok:
            objects[name] = target
        else:
            failed[name] = done.last_words
    return Instrumented(work, manifest, marks, objects, failed, tuple(unmarked))


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def _compile(
    manifest: Manifest, file: SourceFile, source: Path, target: Path, flags: Sequence[str]
) -> Finished:
    folder = target.parent
    argv = [manifest.compiler, *manifest.flags, *flags, *FLAGS]
    argv += [f"-D{define}" for define in manifest.defines]
    argv += [f"-I{source / place}" for place in manifest.include_dirs]
    argv += [f"-I{source / Path(file.name).parent}", "-J", str(folder)]
    argv += ["-ffixed-form" if file.form == "fixed" else "-ffree-form"]
    argv += ["-fd-lines-as-code" if manifest.d_lines_are_code else "-fd-lines-as-comments"]
    argv += ["-cpp"] if manifest.is_preprocessed(file.name) else []
    if file.form != "fixed":
        argv = [flag for flag in argv if not flag.startswith("-fd-lines")]
    argv += ["-c", file.name, "-o", str(target)]
    return run_limited(argv, cwd=source, limits=_LIMITS, logs=folder / "log")


def link(
    compiler: str,
    objects: Iterable[Path],
    program: Path,
    libraries: Sequence[str] = (),
) -> Finished:
    """Link objects, the oracle among them, into a program with fixed addresses."""
    argv = [compiler, "-no-pie", *map(str, objects), "-o", str(program), *libraries]
    return run_limited(argv, cwd=program.parent, limits=_LIMITS, logs=program.with_suffix(".link"))
