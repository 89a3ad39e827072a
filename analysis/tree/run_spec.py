"""How a model is run, and where its number of steps stands, as `acclimate.toml` says."""

from dataclasses import dataclass, field, replace
from pathlib import Path

from acclimate.analysis.tree.namelist_edits import NamelistEdits, namelist_edits
from acclimate.analysis.tree.toml_table import TomlTable
from acclimate.analysis.tree.tree_paths import expand_glob, refuse_outside


@dataclass(frozen=True, slots=True)
class RunSpec:
    """How the built program is run.

    Without outputs it is judged on its standard output and on every file it writes.
    """

    arguments: tuple[str, ...] = ()
    namelists: tuple[str, ...] = ()  # files the model reads and the tool may edit
    files: tuple[str, ...] = ()  # other input files, by glob
    outputs: tuple[str, ...] = ()  # globs in the run folder
    stdin: str = ""  # the namelist or input file that the model reads from standard input
    time_limit: float = 300.0  # s
    memory_limit: int = 4096  # MiB
    launcher: tuple[str, ...] = ()  # e.g. mpirun -n 2
    short: NamelistEdits = field(default_factory=dict)  # a short run of the model


@dataclass(frozen=True, slots=True)
class FurtherRun:
    """One more run of the same program, for the verifier: `run` as a whole, `run.short` the changes
    that its namelists get."""

    name: str
    run: RunSpec


@dataclass(frozen=True, slots=True)
class StepSpec:
    """Where the number of time steps (or the length of the run) stands, or the number itself."""

    namelist: str = ""
    group: str = ""
    variable: str = ""
    count: int | None = None  # steps of any run, for models without namelists


def read_run(root: Path, table: TomlTable | None) -> RunSpec:
    """The `[run]` table; defaults where there is none.

    Raises:
        Problem: a file does not exist or lies outside, or a value is not what it has to be.
    """
    if table is None:
        return RunSpec()
    table.allow(*_KEYS, "short")
    return _read(root, table, "short", RunSpec())


def further_runs_of(root: Path, whole: TomlTable, run: RunSpec) -> tuple[FurtherRun, ...]:
    """The `[[runs]]` of acclimate.toml; what one does not say is as in `[run]`.

    Raises:
        Problem: as `read_run`; one has no name, two have one name, or one is like `[run]`.
    """
    found: list[FurtherRun] = []
    for table in whole.tables("runs"):
        table.allow("name", *_KEYS, "changes")
        name = table.text("name", "").strip()
        if not name:
            table.refuse("name", "a further run has no name", hint='e.g. name = "four ranks".')
        if name in [known.name for known in found]:
            hint = "give each [[runs]] a name of its own."
            table.refuse("name", f"two further runs are called '{name}'", hint=hint)
        own = _read(root, table, "changes", run)
        if own == replace(run, short={}):
            what = f"the further run '{name}' is that of [run]"
            hint = f'give it [runs.changes."{(run.namelists or ("FILE",))[0]}".GROUP].'
            table.refuse("name", what, hint=hint)
        found.append(FurtherRun(name, own))
    return tuple(found)


_KEYS = (
    "arguments", "namelists", "files", "outputs", "stdin", "time_limit", "memory_limit", "launcher",
)  # fmt: skip


def _read(root: Path, table: TomlTable, changes: str, base: RunSpec) -> RunSpec:
    """A run, `base` where `table` is silent; `changes` is the table of changes to namelists."""
    namelists = table.texts("namelists", base.namelists)
    for name in namelists:
        refuse_outside(table, "namelists", name)
        if not (root / name).is_file():
            table.refuse("namelists", f"namelist file '{name}' does not exist")
    files = table.texts("files", base.files)
    given = set(namelists)
    for pattern in files:
        given |= set(expand_glob(root, table, "files", pattern))
    stdin = table.text("stdin", base.stdin)
    if stdin and stdin not in given:
        table.refuse("stdin", f"'{stdin}' is listed neither in 'run.namelists' nor in 'run.files'")
    outputs = table.texts("outputs", base.outputs)
    for pattern in outputs:
        refuse_outside(table, "outputs", pattern)
    return RunSpec(
        arguments=table.texts("arguments", base.arguments),
        namelists=namelists,
        files=files,
        outputs=outputs,
        stdin=stdin,
        time_limit=table.number("time_limit", base.time_limit),
        memory_limit=int(table.number("memory_limit", base.memory_limit)),
        launcher=table.texts("launcher", base.launcher),
        short=namelist_edits(table.table(changes), namelists),
    )


_STEPS_HINT = "name namelist, group and variable, or give 'count', the number of steps of a run."


def read_steps(root: Path, table: TomlTable | None) -> StepSpec | None:
    """The `[steps]` table.

    Raises:
        Problem: it names no number, or a namelist that does not exist.
    """
    if table is None:
        return None
    table.allow("namelist", "group", "variable", "count")
    if "count" in table:
        for key in ("namelist", "group", "variable"):
            if key in table:
                table.refuse(key, "'steps.count' stands alone", hint=f"remove '{key}' or 'count'.")
        count = table.raw("count")
        if not isinstance(count, int) or isinstance(count, bool) or count <= 0:
            table.refuse("count", "'steps.count' must be a positive whole number")
        return StepSpec(count=count)
    for key in ("namelist", "group", "variable"):
        if key not in table:
            table.refuse(key, f"'steps.{key}' is missing", hint=_STEPS_HINT)
    namelist = table.text("namelist", "")
    if not (root / namelist).is_file():
        table.refuse("namelist", f"namelist file '{namelist}' does not exist")
    return StepSpec(namelist, table.text("group", "").lower(), table.text("variable", "").lower())
