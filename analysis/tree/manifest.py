"""What a model consists of: its files, how they are read, built and run."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

from acclimate.analysis.problems import Problem
from acclimate.analysis.tree.configurations import Configuration, configurations_of
from acclimate.analysis.tree.discovery import (
    defined_units,
    fortran_files,
    include_folders,
    namelist_files,
)
from acclimate.analysis.tree.gate_spec import GateSpec, read_gate
from acclimate.analysis.tree.namelist_edits import NamelistEdits
from acclimate.analysis.tree.run_spec import (
    FurtherRun,
    RunSpec,
    StepSpec,
    further_runs_of,
    read_run,
    read_steps,
)
from acclimate.analysis.tree.toml_table import TomlTable, read_toml
from acclimate.analysis.tree.toml_text import TomlValue, toml_table
from acclimate.analysis.tree.tree_paths import expand_glob, refuse_outside
from acclimate.analysis.view.regular_files import read_regular
from acclimate.analysis.view.source_forms import (
    FIXED_SUFFIXES,
    FREE_SUFFIXES,
    PREPROCESSED_SUFFIXES,
    form_by_suffix,
    form_by_trial,
)

FILE_NAME = "acclimate.toml"


@dataclass(frozen=True, slots=True)
class Manifest:
    """A model, as `acclimate.toml` describes it or as it was guessed.

    Paths are relative to `root`, with forward slashes. `guessed` holds one sentence for each
    thing that was guessed; it is empty when the manifest was read from `acclimate.toml`.
    """

    root: Path
    name: str
    sources: tuple[str, ...]
    include_dirs: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    configurations: tuple[Configuration, ...] = ()  # read besides the one that is built
    flags: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()  # globs of files in fixed form whatever their suffix says
    free: tuple[str, ...] = ()
    preprocess: tuple[str, ...] = ()  # globs of files that go through cpp whatever their suffix
    d_lines_are_code: bool = False
    contracts: tuple[str, ...] = ()  # what kernels may rely on: "4 <= nz", "injective(idx)"
    compiler: str = "gfortran"
    link_flags: tuple[str, ...] = ()
    run: RunSpec = field(default_factory=RunSpec)
    further_runs: tuple[FurtherRun, ...] = ()  # for the verifier, besides `run`
    steps: StepSpec | None = None
    gate: GateSpec = field(default_factory=GateSpec)
    budget: float | None = None  # processor s for trials of changed procedures; None: by the run
    guessed: tuple[str, ...] = ()

    def form(self, file: str) -> str:
        """ "fixed" or "free": the manifest's globs, then the compiler flags, then the suffix."""
        for globs, form in ((self.fixed, "fixed"), (self.free, "free")):
            if any(fnmatch(file, pattern) for pattern in globs):
                return form
        if "-ffixed-form" in self.flags:
            return "fixed"
        if "-ffree-form" in self.flags:
            return "free"
        return form_by_suffix(file)

    def is_preprocessed(self, file: str) -> bool:
        """Whether the suffix, a flag or the manifest says that the file goes through cpp."""
        return (
            PurePosixPath(file).suffix in PREPROCESSED_SUFFIXES
            or "-cpp" in self.flags
            or any(fnmatch(file, pattern) for pattern in self.preprocess)
        )

    @property
    def fixed_width(self) -> int | None:
        """The last column of fixed-form lines that counts; None: no limit."""
        for flag in self.flags:
            if flag.startswith("-ffixed-line-length-"):
                length = flag.removeprefix("-ffixed-line-length-")
                return None if length in ("none", "0") else int(length)
        return 72


def load_manifest(path: Path) -> Manifest:
    """Read or guess the manifest of a model.

    `path` is a folder with an `acclimate.toml`, a folder without one, or one source file that is a
    whole program (built with gfortran, run without arguments, judged on its standard output).

    Raises:
        Problem: the path does not exist, the file is not valid, a glob matches nothing, a namelist
            does not exist, a path leads out of the tree, or no program was found.
    """
    if path.is_file() and path.name == FILE_NAME:
        path = path.parent
    if path.is_dir():
        file = path / FILE_NAME
        return _from_toml(path.resolve(), file) if file.exists() else guess_manifest(path)
    if not path.exists():
        raise Problem(f"'{path}' does not exist", hint="give a model tree or one source file.")
    return _single_file(path.resolve())


def _single_file(path: Path) -> Manifest:
    if path.suffix.lower() not in FIXED_SUFFIXES | FREE_SUFFIXES:
        raise Problem(
            f"'{path.name}' is neither a folder nor a Fortran source file",
            hint="give a model tree or one source file (.f90, .F90, .f, ...).",
        )
    file = path.name
    data = _text(path)
    form = form_by_trial(data.decode("latin-1"), form_by_suffix(file))
    told = f"'{file}' is the whole model: built with gfortran, run without arguments."
    return Manifest(
        root=path.parent,
        name=path.stem,
        sources=(file,),
        fixed=(file,) if form == "fixed" else (),
        free=(file,) if form == "free" else (),
        guessed=(told,),
    )


def guess_manifest(path: Path) -> Manifest:
    """Describe a tree without `acclimate.toml` by looking at it; each guess is told."""
    root = path.resolve()
    files = fortran_files(root)
    if not files:
        raise Problem(
            f"no Fortran source below '{path}'",
            hint="give the folder of the model, or write an acclimate.toml.",
        )
    texts = {file: _text(root / file) for file in files}
    told = [f"sources: the {len(files)} Fortran files found below the folder."]
    fixed: list[str] = []
    free: list[str] = []
    for file, data in texts.items():
        suffix_form = form_by_suffix(file)
        form = form_by_trial(data.decode("latin-1"), suffix_form)
        if form != suffix_form:
            (fixed if form == "fixed" else free).append(file)
            told.append(f"form of '{file}': {form}, by its lines and against its suffix.")
    told += _told_of_units(texts)
    includes = include_folders(root)
    if includes:
        told.append(f"include folders: {', '.join(includes)}.")
    namelists = namelist_files(root, texts)
    if namelists:
        told.append(f"namelists: {', '.join(namelists)}.")
    told.append(
        "outputs: none known, so the model is judged on its standard output and on every file it"
        " writes."
    )
    return Manifest(
        root=root,
        name=root.name,
        sources=tuple(files),
        include_dirs=tuple(includes),
        fixed=tuple(fixed),
        free=tuple(free),
        run=RunSpec(namelists=tuple(namelists)),
        guessed=tuple(told),
    )


def _text(path: Path) -> bytes:
    """For guessing; reading says why a file cannot be read."""
    try:
        return read_regular(path)
    except OSError:
        return b""


def _told_of_units(texts: Mapping[str, bytes]) -> list[str]:
    """What is worth saying about programs and duplicate units."""
    where: dict[tuple[str, str], list[str]] = {}
    for file, data in texts.items():
        for unit in set(defined_units(data)):
            where.setdefault(unit, []).append(file)
    programs = [
        f"'{name}' ({', '.join(files)})" for (k, name), files in where.items() if k == "program"
    ]
    told = []
    if len(programs) > 1:
        told.append(f"{len(programs)} programs were found: {', '.join(sorted(programs))}.")
    for (kind, name), files in sorted(where.items()):
        if kind == "module" and len(files) > 1:
            told.append(
                f"module '{name}' is defined in {', '.join(files)}; list the one you build."
            )
    return told


# --- acclimate.toml ------------------------------------------------------------------------------


def render_manifest(manifest: Manifest) -> str:
    """The text of an `acclimate.toml` that reads back as the same manifest.

    What was guessed stands in it as comments, for a person to check.
    """
    run = manifest.run
    model: dict[str, TomlValue] = {"name": manifest.name, "sources": manifest.sources}
    model |= {"include_dirs": manifest.include_dirs, "defines": manifest.defines}
    model |= _given(fixed=manifest.fixed, free=manifest.free, preprocess=manifest.preprocess)
    model |= _given(contracts=manifest.contracts)
    model |= {"d_lines": "code"} if manifest.d_lines_are_code else {}
    build: dict[str, TomlValue] = {"compiler": manifest.compiler, "flags": manifest.flags}
    build |= _given(link_flags=manifest.link_flags)
    running: dict[str, TomlValue] = {"namelists": run.namelists, "outputs": run.outputs}
    running |= _given(arguments=run.arguments, files=run.files, launcher=run.launcher)
    running |= {"stdin": run.stdin} if run.stdin else {}
    running |= {"time_limit": run.time_limit, "memory_limit": run.memory_limit}
    lines = ["# What acclimate has to know of this model to build, run and compare it."]
    lines += [f"# guessed: {sentence}" for sentence in manifest.guessed]
    lines += toml_table("model", model) + toml_table("build", build) + toml_table("run", running)
    lines += _edit_tables("run.short", run.short)
    for further in manifest.further_runs:
        lines += toml_table("[runs]", _differing(further, run))
        lines += _edit_tables("runs.changes", further.run.short)
    for configuration in manifest.configurations:
        named: dict[str, TomlValue] = {"name": configuration.name, "defines": configuration.defines}
        lines += toml_table("[configurations]", named)
    if manifest.steps is not None:
        lines += toml_table("steps", {k: v for k, v in asdict(manifest.steps).items() if v})
    if manifest.budget is not None:
        lines += toml_table("verify", {"budget": manifest.budget})
    gate, state = manifest.gate, manifest.gate.state
    lines += _edit_tables("gate.run", gate.run) + _edit_tables("gate.speed", gate.speed)
    if state is not None:
        texts = {k: v for k, v in asdict(state).items() if v and k != "edits"}
        lines += toml_table("gate.state", texts) + _edit_tables("gate.state.edits", state.edits)
    return "\n".join(lines) + "\n"


def _differing(further: FurtherRun, run: RunSpec) -> dict[str, TomlValue]:
    """What a further run says of itself, its changes to namelists apart."""
    own, base = asdict(further.run), asdict(run)
    differing = {key: own[key] for key in own if key != "short" and own[key] != base[key]}
    return {"name": further.name, **differing}


def _edit_tables(name: str, edits: NamelistEdits) -> list[str]:
    lines: list[str] = []
    for file, groups in edits.items():
        for group, variables in groups.items():
            lines += toml_table(f'{name}."{file}".{group}', variables)
    return lines


def _given(**lists: tuple[str, ...]) -> dict[str, TomlValue]:
    return {key: values for key, values in lists.items() if values}


def _from_toml(root: Path, file: Path) -> Manifest:
    whole = read_toml(file)
    whole.allow(
        "model", "build", "run", "runs", "steps", "configurations", "gate", "author", "verify"
    )
    model = whole.table("model")
    if model is None:
        raise Problem(f"{FILE_NAME} has no [model] table", where=whole.place("model"))
    model.allow(
        "name", "sources", "exclude", "include_dirs", "defines", "flags", "fixed", "free",
        "preprocess", "d_lines", "contracts",
    )  # fmt: skip
    build = whole.table("build")
    if build is not None:
        build.allow("compiler", "flags", "link_flags")
    include_dirs = model.texts("include_dirs")
    for folder in include_dirs:
        refuse_outside(model, "include_dirs", folder)
        if not (root / folder).is_dir():
            model.refuse("include_dirs", f"include folder '{folder}' does not exist")
    d_lines = model.text("d_lines", "comment")
    if d_lines not in ("comment", "code"):
        model.refuse("d_lines", '\'model.d_lines\' must be "comment" or "code"')
    run = read_run(root, whole.table("run"))
    verify = whole.table("verify")
    return Manifest(
        root=root,
        name=model.text("name", root.name),
        sources=_sources(root, model),
        include_dirs=include_dirs,
        defines=model.texts("defines"),
        configurations=configurations_of(whole),
        flags=model.texts("flags") + (build.texts("flags") if build else ()),
        fixed=model.texts("fixed"),
        free=model.texts("free"),
        preprocess=model.texts("preprocess"),
        d_lines_are_code=d_lines == "code",
        contracts=model.texts("contracts"),
        compiler=build.text("compiler", "gfortran") if build else "gfortran",
        link_flags=build.texts("link_flags") if build else (),
        run=run,
        further_runs=further_runs_of(root, whole, run),
        steps=read_steps(root, whole.table("steps")),
        gate=read_gate(whole.table("gate"), run.namelists),
        budget=_budget(verify) if verify is not None else None,
    )


def _budget(table: TomlTable) -> float | None:
    table.allow("budget")
    return table.number("budget", 1.0) if "budget" in table else None


def _sources(root: Path, model: TomlTable) -> tuple[str, ...]:
    patterns = model.texts("sources")
    if not patterns:
        model.refuse("sources", "'model.sources' is missing or empty", hint='e.g. ["src/*.f90"].')
    found = {file for pattern in patterns for file in expand_glob(root, model, "sources", pattern)}
    for pattern in model.texts("exclude"):
        found -= set(expand_glob(root, model, "exclude", pattern))
    return tuple(sorted(found))
