"""Values written as TOML."""

import json
from collections.abc import Mapping

TomlValue = bool | int | float | str | tuple["TomlValue", ...]
_WIDTH = 90


def toml_value(value: TomlValue) -> str:
    """One value; long arrays of strings get one line for each item."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, tuple):
        items = [toml_value(item) for item in value]
        line = f"[{', '.join(items)}]"
        return line if len(line) < _WIDTH else "[\n" + "".join(f"  {i},\n" for i in items) + "]"
    return repr(value)


def toml_table(name: str, values: Mapping[str, TomlValue]) -> list[str]:
    """The lines of one table, an empty line before it."""
    return ["", f"[{name}]", *(f"{key} = {toml_value(value)}" for key, value in values.items())]
