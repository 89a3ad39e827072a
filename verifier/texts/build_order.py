"""Which source files a source file needs: the modules it uses and the files it includes."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path, PurePosixPath

from acclimate.analysis.problems import Problem
from acclimate.analysis.source import Span
from acclimate.verifier.texts.statements import Statement

_CPP_INCLUDE = re.compile(r'"([^"]+)"')


@dataclass(frozen=True, slots=True)
class Needs:
    """What one file provides and needs; `includes` are the names as written."""

    modules: frozenset[str]
    uses: frozenset[str]
    includes: tuple[str, ...]


def needs(statements: Sequence[Statement]) -> Needs:
    """Read the needs of a file from its statements; conditional ones count as unconditional."""
    modules: set[str] = set()
    uses: set[str] = set()
    includes: list[str] = []
    for statement in statements:
        words = statement.tokens
        match words:
            case ("module", name) if name != "procedure":
                modules.add(name)
            case ("submodule", "(", *rest) if ")" in rest:
                parents = [word for word in rest[: rest.index(")")] if word != ":"]
                uses |= set(parents[:1])
                uses |= {f"{parents[0]}:{parent}" for parent in parents[1:]}
                modules.add(f"{parents[0]}:{words[-1]}")
            case ("use", *rest):
                name = rest[rest.index("::") + 1] if "::" in rest[:3] else rest[0]
                if not ("intrinsic" in rest[:3] and "::" in rest[:4]):
                    uses.add(name)
            case ("include", name):
                includes.append(name[1:-1])
            case ("#include", *rest):
                found = _CPP_INCLUDE.match(" ".join(rest))
                includes += [found[1]] if found else []
    return Needs(frozenset(modules), frozenset(uses), tuple(includes))


def file_dependencies(root: Path, wants: Mapping[str, Needs]) -> dict[str, tuple[str, ...]]:
    """For every file the files of this project whose modules it uses, direct needs only.

    Raises:
        Problem: two files provide the same module.
    """
    provider: dict[str, str] = {}
    for file, need in wants.items():
        for module in need.modules:
            other = provider.setdefault(module, file)
            if other != file:
                raise Problem(
                    f"the module '{module}' is defined in {other} and in {file}.",
                    where=Span(root / file, 1),
                    hint="leave one of the two out of [model] sources in acclimate.toml",
                )
    return {
        file: tuple(sorted({provider[m] for m in need.uses if m in provider} - {file}))
        for file, need in wants.items()
    }


def compile_order(root: Path, dependencies: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Files so that each comes after what it uses.

    Raises:
        Problem: files use one another in a circle.
    """
    try:
        return tuple(TopologicalSorter(dependencies).static_order())
    except CycleError as error:
        circle = error.args[1]
        raise Problem(
            f"these files use one another in a circle: {' -> '.join(circle)}.",
            where=Span(root / circle[0], 1),
            hint="a module cannot use itself through others; split one of them",
        ) from error


def included_files(
    root: Path, file: str, needed: Needs, include_dirs: Sequence[str]
) -> tuple[Path, ...]:
    """The files an INCLUDE of `file` finds, beside it or in an include folder."""
    places = [PurePosixPath(file).parent.as_posix(), *include_dirs]
    found = []
    for name in needed.includes:
        for place in places:
            path = root / place / name
            if path.is_file():
                found.append(path)
                break
    return tuple(found)
