"""Changes to namelists, as tables of `acclimate.toml` give them: `["file".group]`."""

from collections.abc import Mapping

from acclimate.analysis.tree.toml_table import TomlTable

NamelistValue = bool | int | float | str | tuple["NamelistValue", ...]
NamelistEdits = Mapping[str, Mapping[str, Mapping[str, NamelistValue]]]
"""Namelist file -> group -> variable -> value."""


def namelist_edits(table: TomlTable | None, namelists: tuple[str, ...]) -> NamelistEdits:
    """Read `"file".group` tables; groups and variables in lower case.

    Raises:
        Problem: the file is not one of `namelists`, or a value is none that a namelist holds.
    """
    edits: dict[str, dict[str, dict[str, NamelistValue]]] = {}
    for file in table or ():
        assert table is not None
        groups = table.table(file)
        if file not in namelists:
            table.refuse(file, f"'{file}' is not listed in 'run.namelists'")
        assert groups is not None
        for group in groups:
            variables = groups.table(group)
            assert variables is not None
            values = {name.lower(): _value(variables, name) for name in variables}
            edits.setdefault(file, {})[group.lower()] = values
    return edits


def with_edits(edits: NamelistEdits, more: NamelistEdits) -> NamelistEdits:
    """Both together; `more` wins."""
    merged = {file: {g: dict(v) for g, v in groups.items()} for file, groups in edits.items()}
    for file, groups in more.items():
        for group, values in groups.items():
            merged.setdefault(file, {}).setdefault(group, {}).update(values)
    return merged


def _value(table: TomlTable, key: str) -> NamelistValue:
    return _namelist_value(table, key, table.raw(key))


def _namelist_value(table: TomlTable, key: str, value: object) -> NamelistValue:
    if isinstance(value, list):
        return tuple(_namelist_value(table, key, item) for item in value)
    if not isinstance(value, bool | int | float | str):
        table.refuse(key, f"'{key}' must be a number, a string, true, false or a list of them")
    return value
