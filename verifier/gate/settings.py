"""What two runs must have in common for their numbers to be comparable."""

import hashlib
import json
import platform
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass

import f90nml

from acclimate.analysis.tree.manifest import Manifest
from acclimate.analysis.tree.namelist_edits import NamelistEdits
from acclimate.verifier.building.build import compiler_version
from acclimate.verifier.running.runs import read_namelist
from acclimate.verifier.toolchains import Toolchain

Namelists = dict[str, dict[str, dict[str, str]]]  # file -> group -> variable -> value as JSON
_SHOWN = 5  # differences named in a message


@dataclass(frozen=True, slots=True)
class Settings:
    """How a model is built and run, without its sources; `inputs` are hashes of input files."""

    compiler: str
    machine: str
    flags: tuple[str, ...]
    defines: tuple[str, ...]
    link_flags: tuple[str, ...]
    always: tuple[str, ...]
    command: tuple[str, ...]
    outputs: tuple[str, ...]
    namelists: Namelists
    inputs: dict[str, str]


def settings_of(manifest: Manifest, toolchain: Toolchain, edits: NamelistEdits) -> Settings:
    """The settings of a run of the model with some namelist values changed.

    Raises:
        Problem: there is no compiler, or a namelist cannot be read.
    """
    run = manifest.run
    inputs = {
        path.relative_to(manifest.root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for pattern in run.files
        for path in sorted(manifest.root.glob(pattern))
        if path.is_file()
    }
    return Settings(
        compiler=compiler_version(manifest.compiler),
        machine=platform.machine(),
        flags=manifest.flags,
        defines=manifest.defines,
        link_flags=manifest.link_flags,
        always=toolchain.always,
        command=(*run.launcher, "MODEL", *run.arguments),
        outputs=run.outputs,
        namelists={name: _namelist(manifest, name, edits) for name in run.namelists},
        inputs=inputs,
    )


def differing(mine: Settings, theirs: Settings, allowed: tuple[str, ...] = ()) -> list[str]:
    """What differs between two settings, one sentence each; `allowed` names what may."""
    found = []
    before, now = asdict(mine), asdict(theirs)
    for name in before:
        if before[name] == now[name] or name in allowed:
            continue
        if name in ("namelists", "inputs"):
            found += list(_entries(before[name], now[name], ""))
        else:
            found.append(f"{name}: {_text(before[name])} in the baseline, {_text(now[name])} now")
    return found[:_SHOWN] + ([f"and {len(found) - _SHOWN} more"] if len(found) > _SHOWN else [])


def _entries(mine: Mapping[str, object], theirs: Mapping[str, object], at: str) -> Iterator[str]:
    for key in sorted(mine.keys() | theirs.keys()):
        a, b = mine.get(key), theirs.get(key)
        if isinstance(a, dict) and isinstance(b, dict):
            yield from _entries(a, b, f"{at}{key} ")
        elif a != b:
            yield f"{at}{key}: {_text(a)} in the baseline, {_text(b)} now"


def _text(value: object) -> str:
    if value is None:
        return "absent"
    if isinstance(value, list | tuple):
        return f"'{' '.join(map(str, value))}'"
    return str(value)


def _namelist(manifest: Manifest, name: str, edits: NamelistEdits) -> dict[str, dict[str, str]]:
    read = read_namelist(manifest.root / name)
    groups: dict[str, dict[str, str]] = {}
    for group, values in read.items():
        for number, one in enumerate(values if isinstance(values, list) else [values]):
            key = f"{group}({number + 1})" if isinstance(values, list) else group
            groups[key] = {variable: _value(value) for variable, value in one.items()}
    for group, changed in edits.get(name, {}).items():
        groups.setdefault(group, {}).update({v: _value(x) for v, x in changed.items()})
    return groups


def _value(value: object) -> str:
    if isinstance(value, f90nml.Namelist):
        value = value.todict()
    return json.dumps(value, sort_keys=True, default=str)
