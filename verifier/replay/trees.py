"""A copy of a model that can be told to write down calls, or to replay them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from acclimate.analysis.ir import Unit, UnitKind
from acclimate.analysis.project import Project
from acclimate.analysis.source import Edit, apply_edits
from acclimate.analysis.tree.manifest import Manifest
from acclimate.verifier.building.variant import variant_tree
from acclimate.verifier.capture.exchange import module_state
from acclimate.verifier.capture.hooks import hooks, inserted
from acclimate.verifier.capture.targets import Target
from acclimate.verifier.capture.variables import Node, state_of
from acclimate.verifier.replay.drivers import driver, replay_main
from acclimate.verifier.texts.source_file import SourceFile
from acclimate.verifier.texts.statements import source_lines

RUNTIME = Path(__file__).parents[1] / "capture" / "runtime"
_MODULES = ("acclimate_records.f90", "acclimate_capture.f90")
_NO_EDGES = "no_edges.f90"
_MODULES_FILE = "acclimate_modules.f90"
_MAIN_FILE = "acclimate_main.f90"


@dataclass(frozen=True)
class Instrumented:
    """The edits of a model's files, and the procedures by number."""

    manifest: Manifest
    texts: Mapping[str, bytes]
    targets: Mapping[int, Target]
    modules: tuple[str, ...]  # whose variables can be written down
    program: Mapping[str, bytes]  # the files with the main program, which is a subroutine there

    def capturing(self, folder: Path, *, with_edges: bool) -> Manifest:
        """The model itself, ready to write down calls; with edges `edges.c` has to be linked in."""
        return self._tree(folder, self.texts, (() if with_edges else (_NO_EDGES,)))

    def replaying(self, folder: Path, *, with_edges: bool) -> Manifest:
        """A program that replays calls of the procedures and does nothing else."""
        extra = (() if with_edges else (_NO_EDGES,)) + (_MAIN_FILE,)
        return self._tree(folder, {**self.texts, **self.program}, extra)

    def _tree(self, folder: Path, texts: Mapping[str, bytes], extra: tuple[str, ...]) -> Manifest:
        tree = variant_tree(self.manifest, texts, folder)
        made = {name: (RUNTIME / name).read_text() for name in (*_MODULES, _NO_EDGES)}
        made[_MODULES_FILE] = "\n".join(_visiting(len(self.modules))) + "\n"
        made[_MAIN_FILE] = "\n".join(replay_main(self.targets)) + "\n"
        names = (*_MODULES, _MODULES_FILE, *extra)
        for name in names:
            (folder / name).write_text(made[name])
        return replace(tree, sources=(*tree.sources, *names))


def instrumented(
    project: Project,
    files: Mapping[str, SourceFile],
    targets: Mapping[int, Target],
    untouched: Collection[str] = (),
) -> Instrumented:
    """Instrument procedures under the numbers they have in original and port alike.

    `untouched` files stay as they are; none of the targets is in them or needs their modules.
    """
    edits: dict[str, list[Edit]] = {}
    for number, target in targets.items():
        file = files[target.unit.at.file]
        edits.setdefault(file.name, []).extend(hooks(file, number, target))
    modules = [found for found in _modules(project, files) if found[1].at.file not in untouched]
    for number, (_, unit, state) in enumerate(modules, start=1):
        file = files[unit.at.file]
        edits.setdefault(file.name, []).append(
            inserted(file, unit.end.first, [*_contains(file, unit), *module_state(number, state)])
        )
    for number, target in targets.items():
        unit = target.unit
        file = files[unit.at.file]
        host = unit.parent
        line = host.end.first if host is not None else unit.end.last + 1
        head = _contains(file, host) if host and not _has_state(modules, host) else []
        edits[file.name].append(inserted(file, line, [*head, *driver(number, target)]))
    texts = {name: apply_edits(files[name].data, some) for name, some in edits.items()}
    program = {
        unit.at.file: _without_program(files[unit.at.file], unit, edits.get(unit.at.file, []))
        for unit in project.units.values()
        if unit.kind is UnitKind.PROGRAM and unit.at.file in files
    }
    names = tuple(name for name, _, _ in modules)
    return Instrumented(project.manifest, texts, targets, names, program)


def _modules(
    project: Project, files: Mapping[str, SourceFile]
) -> Iterator[tuple[str, Unit, tuple[Node, ...]]]:
    for name, unit in sorted(project.units.items()):
        if unit.kind is UnitKind.MODULE and unit.at.file in project.manifest.sources:
            state = state_of(project, unit)
            if state and unit.at.file in files:
                yield name, unit, state


def _has_state(modules: Sequence[tuple[str, Unit, tuple[Node, ...]]], unit: Unit) -> bool:
    return any(found is unit for _, found, _ in modules)


def _contains(file: SourceFile, module: Unit) -> list[str]:
    """CONTAINS, where the module has none."""
    has_one = any(
        s.tokens == ("contains",) and s.unit == module.qualified_name for s in file.statements
    )
    return [] if has_one else ["contains"]


def _without_program(file: SourceFile, unit: Unit, edits: Sequence[Edit]) -> bytes:
    """The file with its main program as a subroutine that nobody calls."""
    head = "subroutine acclimate_model_program"
    changed = list(edits)
    own = [s for s in file.statements if s.at.first in (unit.at.first, unit.end.first)]
    if any(s.at.first == unit.at.first and s.tokens[:1] == ("program",) for s in own):
        text = (*source_lines(head, file.form), f'# {unit.at.last + 1} "{file.name}"')
        changed.append(Edit(file.name, unit.at.first, unit.at.last, text))
    else:
        changed.append(inserted(file, unit.at.first, [head]))
    end = source_lines("end subroutine acclimate_model_program", file.form)
    changed.append(Edit(file.name, unit.end.first, unit.end.last, tuple(end)))
    return apply_edits(file.data, changed)


def _visiting(modules: int) -> Iterator[str]:
    """The procedure that lets every module exchange its variables."""
    yield 'subroutine acclimate_visit_modules() bind(c, name="acclimate_visit_modules")'
    if modules:
        yield "interface"
        for n in range(1, modules + 1):
            yield f'subroutine acclimate_state_{n}() bind(c, name="acclimate_state_{n}")'
            yield f"end subroutine acclimate_state_{n}"
        yield "end interface"
    for n in range(1, modules + 1):
        yield f"call acclimate_state_{n}()"
    yield "end subroutine acclimate_visit_modules"
