"""Programs that take nothing in: their one run is everything they do."""

from collections.abc import Iterator

from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.ir import InputOutput
from acclimate.analysis.names import intrinsics
from acclimate.analysis.names.resolution import External, Intrinsic, Unresolved
from acclimate.analysis.project import Project
from acclimate.analysis.tree.manifest import Manifest
from acclimate.verifier.texts.source_file import all_files
from acclimate.verifier.texts.statements import Statement

# Intrinsics that answer with something else than what their arguments say.
_ASKS = frozenset(
    ["command_argument_count", "iargc", "rand", "irand", "ran", "etime", "dtime", "secnds"]
    + ["this_image", "num_images", "image_index", "loc", "c_loc", "c_funloc"]
)
_COMPUTE = (intrinsics.FUNCTIONS - _ASKS) | {"move_alloc", "mvbits", "abort", "exit", "flush"}
_READS = frozenset({"read", "inquire"})


def is_closed(project: Project, manifest: Manifest) -> bool:
    """Whether no statement reads anything from outside and all that is called is known.

    A procedure that is not of this project may read whatever it likes; a file that is opened and is
    not new tells by being there.
    """
    run = manifest.run
    if run.arguments or run.namelists or run.files or run.stdin or run.launcher:
        return False
    for unit in project.units.values():
        for name in unit.applied:
            found = project.resolve(unit, name)
            if isinstance(found, External | Unresolved):
                return False
            if isinstance(found, Intrinsic) and name not in _COMPUTE:
                return False
        if any(isinstance(s, InputOutput) and s.keyword in _READS for s in inside(unit.body)):
            return False
    files = all_files(manifest).values()
    return not any(_opens_old(statement) for file in files for statement in file.statements)


_FRESH = frozenset({"new", "replace", "scratch"})


def _opens_old(statement: Statement) -> bool:
    """Whether a statement opens a file that may have been there before."""
    words = statement.tokens
    if ("open", "(") not in zip(words, words[1:], strict=False):
        return False
    return not any(_FRESH & {word.strip("'\"").lower()} for word in _status(words))


def _status(words: tuple[str, ...]) -> Iterator[str]:
    """A literal STATUS=, whole: an expression may be anything."""
    for position, word in enumerate(words[:-3]):
        if word == "status" and words[position + 1] == "=" and words[position + 3] in (",", ")"):
            yield words[position + 2]
