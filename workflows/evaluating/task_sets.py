"""Task sets: which models or parts of models an author is tried on, and when each was written."""

from dataclasses import dataclass
from pathlib import Path

from acclimate.analysis.problems import Problem
from acclimate.analysis.tree.toml_table import read_toml

FILE_NAME = "tasks.toml"


@dataclass(frozen=True, slots=True)
class EvaluationTask:
    """A model at `path`; `only` are globs of the units or files that are asked about (all: ()).

    `calls`: how often its run calls the unit, where that is known. `stays` says why the refused
    loops have no parallel form in the lines that may be changed: a refusal is then right.
    """

    name: str
    path: Path
    kind: str = "model"
    only: tuple[str, ...] = ()
    written: str = ""
    calls: int = 0
    stays: str = ""


@dataclass(frozen=True, slots=True)
class TaskSet:
    name: str
    version: str
    tasks: tuple[EvaluationTask, ...]


def task_set(path: Path) -> TaskSet:
    """A folder with a tasks.toml, or a model tree or file as a set of one.

    Raises:
        Problem: the file is not valid, or a task's model is not there.
    """
    file = path / FILE_NAME
    if not file.is_file():
        if not path.exists():
            raise Problem(f"'{path}' does not exist", hint="give a task set or a model")
        return TaskSet(path.stem, "", (EvaluationTask(path.stem, path),))
    whole = read_toml(file)
    whole.allow("version", "task")
    entries = whole.raw("task") if "task" in whole else []
    if not isinstance(entries, list) or not entries:
        whole.refuse("task", f"'{file}' has no [[task]]")
    return TaskSet(path.name, whole.text("version", ""), tuple(_task(e, file) for e in entries))


def _task(entry: object, file: Path) -> EvaluationTask:
    known = {"name", "path", "kind", "only", "written", "calls", "stays"}
    if not isinstance(entry, dict) or not {"name", "path"} <= entry.keys() <= known:
        raise Problem(
            f"'{file}': a task has other keys than {', '.join(sorted(known))}",
            hint="each [[task]] needs name and path",
        )
    path = file.parent / str(entry["path"])
    if not path.exists():
        raise Problem(f"'{file}': the model of '{entry['name']}' is not at '{path}'")
    return EvaluationTask(
        str(entry["name"]),
        path,
        str(entry.get("kind", "model")),
        tuple(map(str, entry.get("only", ()))),
        str(entry.get("written", "")),
        int(entry.get("calls", 0)),
        str(entry.get("stays", "")),
    )
