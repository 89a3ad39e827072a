"""Programs that take nothing in: their one run is everything they do."""

from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.ir import InputOutput
from acclimate.analysis.names.resolution import External, Unresolved
from acclimate.analysis.project import Project
from acclimate.analysis.tree.manifest import Manifest

# What a program may ask that is another answer in another run.
_ASKS = frozenset(
    [
        "command_argument_count",
        "get_command_argument",
        "get_command",
        "getarg",
        "iargc",
        "get_environment_variable",
        "getenv",
        "date_and_time",
        "system_clock",
        "cpu_time",
        "random_number",
        "random_seed",
        "rand",
        "irand",
        "ran",
        "time",
        "etime",
        "execute_command_line",
        "system",
        "this_image",
        "num_images",
    ]
)
_READS = frozenset({"read", "inquire"})


def is_closed(project: Project, manifest: Manifest) -> bool:
    """Whether no statement reads anything from outside and all that is called is known.

    A procedure that is not of this project may read whatever it likes.
    """
    run = manifest.run
    if run.arguments or run.namelists or run.files or run.stdin or run.launcher:
        return False
    for unit in project.units.values():
        for name in unit.applied:
            if name in _ASKS or isinstance(project.resolve(unit, name), External | Unresolved):
                return False
        if any(isinstance(s, InputOutput) and s.keyword in _READS for s in inside(unit.body)):
            return False
    return True
