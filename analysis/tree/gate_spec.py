"""What the regression gate has to know of a model: the `[gate]` table of `acclimate.toml`."""

from dataclasses import dataclass, field

from acclimate.analysis.tree.namelist_edits import NamelistEdits, namelist_edits
from acclimate.analysis.tree.toml_table import TomlTable
from acclimate.analysis.tree.tree_paths import refuse_outside


@dataclass(frozen=True, slots=True)
class StateSpec:
    """How the model goes on from a state it has saved.

    `files` is a glob of output files with one `*` for the step; `prognostic` are patterns of the
    variables that carry the state. A run that goes on finds the state as the file `place` (empty:
    its own name in the folder `start`). The namelist variables `variable` and `step_variable`, in
    `group` of `namelist`, are set to that name and to the state's step, where they are not empty;
    `edits` are made besides. Steps count from the start of the first run.
    """

    files: str
    prognostic: tuple[str, ...] = ("*",)
    place: str = ""
    namelist: str = ""
    group: str = ""
    variable: str = ""
    step_variable: str = ""
    edits: NamelistEdits = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GateSpec:
    """`run` and `speed` change namelists for runs that are compared and for runs that are timed.

    Runs that are timed are those that are compared, where `speed` is empty.
    """

    run: NamelistEdits = field(default_factory=dict)
    speed: NamelistEdits = field(default_factory=dict)
    state: StateSpec | None = None


def read_gate(table: TomlTable | None, namelists: tuple[str, ...]) -> GateSpec:
    """The `[gate]` table.

    Raises:
        Problem: an unknown key, a namelist that is not listed, or a path out of the tree.
    """
    if table is None:
        return GateSpec()
    table.allow("run", "speed", "state")
    return GateSpec(
        namelist_edits(table.table("run"), namelists),
        namelist_edits(table.table("speed"), namelists),
        _state(table.table("state"), namelists),
    )


def _state(table: TomlTable | None, namelists: tuple[str, ...]) -> StateSpec | None:
    if table is None:
        return None
    table.allow(
        "files", "prognostic", "place", "namelist", "group", "variable", "step_variable", "edits"
    )
    files, place = table.text("files", ""), table.text("place", "")
    if files.count("*") != 1:
        table.refuse(
            "files",
            "'gate.state.files' must hold one '*', which stands for the step",
            hint='e.g. files = "restart_*.bin"',
        )
    for key, path in (("files", files), ("place", place)):
        if path:
            refuse_outside(table, key, path)
    namelist = table.text("namelist", namelists[0] if namelists else "")
    named = [key for key in ("variable", "step_variable") if table.text(key, "")]
    if named and namelist not in namelists:
        table.refuse("namelist", f"'{namelist}' is not listed in 'run.namelists'")
    if named and not table.text("group", ""):
        table.refuse(named[0], f"'gate.state.{named[0]}' needs the 'group' it stands in")
    return StateSpec(
        files=files,
        prognostic=table.texts("prognostic", ("*",)),
        place=place,
        namelist=namelist,
        group=table.text("group", "").lower(),
        variable=table.text("variable", "").lower(),
        step_variable=table.text("step_variable", "").lower(),
        edits=namelist_edits(table.table("edits"), namelists),
    )
