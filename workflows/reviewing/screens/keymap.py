"""Keys that a user gives to actions, in a file of their own."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from textual.binding import Binding, BindingType

from acclimate.analysis.tree.toml_table import TomlTable, read_toml
from acclimate.workflows.reviewing.screens.app import Keymap, ReviewApp
from acclimate.workflows.reviewing.screens.line_view import LineView
from acclimate.workflows.reviewing.screens.list_screen import ListScreen
from acclimate.workflows.reviewing.screens.module_screen import ModuleScreen
from acclimate.workflows.reviewing.screens.review_screen import ReviewScreen

_SHARED = (ReviewScreen.BINDINGS, LineView.BINDINGS, ReviewApp.BINDINGS)
_FRONTS = tuple((*kind.BINDINGS, *sum(_SHARED, [])) for kind in (ListScreen, ModuleScreen))


def config_file() -> Path:
    """`$XDG_CONFIG_HOME/acclimate/config.toml`, by default below `~/.config`."""
    given = os.environ.get("XDG_CONFIG_HOME", "")
    folder = Path(given) if Path(given).is_absolute() else Path.home() / ".config"
    return folder / "acclimate" / "config.toml"


def keymap(file: Path) -> Keymap:
    """What `[review.keys.PART]` of a file says: keys, with commas between, by "PART.action".

    The parts are `list`, `module`, `review` and `lines`; an action is called as the list of keys
    calls it, with dashes. Nothing is said where there is no file.

    Raises:
        Problem: an action is unknown, or a key would do two things in front of a user.
    """
    review = read_toml(file).table("review") if file.is_file() else None
    keys = review.table("keys") if review else None
    if keys is None:
        return {}
    known = {name for front in _FRONTS for name in map(_name, front)}
    keys.allow(*sorted({name.partition(".")[0] for name in known}))
    given: dict[str, str] = {}
    places: dict[str, tuple[TomlTable, str]] = {}
    for part in keys:
        table = keys.table(part)
        assert table is not None
        table.allow(*sorted(n.partition(".")[2] for n in known if n.startswith(f"{part}.")))
        for action in table:
            given[f"{part}.{action}"] = table.text(action, "")
            places[f"{part}.{action}"] = table, action
    for front in _FRONTS:
        _refuse_doubled(front, given, places)
    return given


def _refuse_doubled(
    front: Sequence[BindingType], given: Keymap, places: dict[str, tuple[TomlTable, str]]
) -> None:
    """Refuse a key that does two things on one screen, at the line that says so."""
    taken: dict[str, Binding] = {}
    for binding in map(_binding, front):
        for key in _keys(given.get(_name(binding), binding.key)):
            other = taken.setdefault(key, binding)
            if other is binding:
                continue
            given_to = binding if _name(binding) in places else other
            table, action = places[_name(given_to)]
            rest = other if given_to is binding else binding
            table.refuse(
                action,
                f"the key '{key}' would do two things: {binding.tooltip} and {other.tooltip}",
                hint=f"take another key, or give one to '{_name(rest)}' as well",
            )


def _keys(text: str) -> Iterator[str]:
    """Each key by its full name, as Textual calls it."""
    return (binding.key for binding in Binding.make_bindings([Binding(text, "")]))


def _binding(binding: BindingType) -> Binding:
    assert isinstance(binding, Binding)
    return binding


def _name(binding: BindingType) -> str:
    return _binding(binding).id or ""
