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

    A task of kind "repair" has a wrong `port` of its one file; one of kind "explain" asks about the
    loop at `line`: its `verdict` is "parallel", "serial" or "host", any of `names` decides it.
    """

    name: str
    path: Path
    kind: str = "model"
    only: tuple[str, ...] = ()
    written: str = ""
    calls: int = 0
    stays: str = ""
    port: Path = Path()
    line: int = 0
    verdict: str = ""
    names: tuple[str, ...] = ()


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


_KNOWN = {"name", "path", "kind", "only", "written", "calls", "stays"}
_NEEDS = {"repair": {"port"}, "explain": {"line", "verdict"}}
_EXTRA = {"explain": {"names"}}
_VERDICTS = ("parallel", "serial", "host")


def _task(entry: object, file: Path) -> EvaluationTask:
    kind = str(entry.get("kind", "model")) if isinstance(entry, dict) else ""
    needed = {"name", "path"} | _NEEDS.get(kind, set())
    known = _KNOWN | needed | _EXTRA.get(kind, set())
    if not isinstance(entry, dict) or not needed <= entry.keys() <= known:
        raise Problem(
            f"'{file}': a task has other keys than {', '.join(sorted(known))}",
            hint=f"each [[task]] of its kind needs {', '.join(sorted(needed))}",
        )
    path, port = file.parent / str(entry["path"]), file.parent / str(entry.get("port", ""))
    for place in (path, port):
        if not place.exists():
            raise Problem(f"'{file}': the model of '{entry['name']}' is not at '{place}'")
    verdict = str(entry.get("verdict", ""))
    if kind == "explain" and verdict not in _VERDICTS:
        raise Problem(f"'{file}': '{verdict}' is none of {', '.join(_VERDICTS)}")
    return EvaluationTask(
        name=str(entry["name"]),
        path=path,
        kind=kind,
        only=tuple(map(str, entry.get("only", ()))),
        written=str(entry.get("written", "")),
        calls=int(entry.get("calls", 0)),
        stays=str(entry.get("stays", "")),
        port=port,
        line=int(entry.get("line", 0)),
        verdict=verdict,
        names=tuple(str(name).lower() for name in entry.get("names", ())),
    )
