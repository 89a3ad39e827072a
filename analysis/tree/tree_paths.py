"""Paths and globs of a manifest: relative to the model's root, and never out of it."""

from pathlib import Path, PurePosixPath

from acclimate.analysis.tree.toml_table import TomlTable


def refuse_outside(table: TomlTable, key: str, path: str) -> None:
    """Raise a Problem for an absolute path and for one with `..` in it."""
    parts = PurePosixPath(path)
    if parts.is_absolute() or ".." in parts.parts or not path:
        table.refuse(key, f"'{path}' leads out of the model's tree", hint="use relative paths.")


def expand_glob(root: Path, table: TomlTable, key: str, pattern: str) -> list[str]:
    """Files a glob matches, relative to `root`.

    Links that lead out of it are left out; a file reached in several ways counts once.

    Raises:
        Problem: the glob leads out of the tree, or matches nothing.
    """
    refuse_outside(table, key, pattern)
    inside = root.resolve()
    found: dict[Path, str] = {}
    for path in sorted(root.glob(pattern)):
        if not path.is_file():
            continue
        real = path.resolve()
        if real.is_relative_to(inside):
            name = path.relative_to(root).as_posix()
            if real not in found or real == inside / name:
                found[real] = name
    if not found:
        notes = (f"globs are taken relative to {root}.",)
        table.refuse(key, f"'{pattern}' matches no file", notes=notes)
    return list(found.values())
