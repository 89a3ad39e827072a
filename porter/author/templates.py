"""Markdown templates of the prompts room: every name must be given, every name must be used."""

import re
from collections.abc import Mapping
from importlib.resources import files

_SECTION = re.compile(r"\{\{#(\w+)\}\}\n(.*?)\{\{/\1\}\}\n", re.DOTALL)
_OPENING = re.compile(r"\{\{#(\w+)\}\}")
_NAME = re.compile(r"\{\{(\w+)\}\}")


class TemplateError(ValueError):
    """A template and its values do not fit each other."""


def template(name: str) -> str:
    """The text of `prompts/<name>.md`.

    Raises:
        TemplateError: there is no such template.
    """
    found = files("acclimate.prompts").joinpath(f"{name}.md")
    if not found.is_file():
        raise TemplateError(f"there is no template '{name}'")
    return found.read_text(encoding="utf-8")


def filled(text: str, values: Mapping[str, str]) -> str:
    """A template with its values; `{{#name}}` to `{{/name}}` is left out where `name` is empty.

    What a value holds is not looked at again: braces in it stay as they are.

    Raises:
        TemplateError: a name has no value, or a value no place.
    """
    names = {*_NAME.findall(text), *_OPENING.findall(text)}
    if names != values.keys():
        odd = ", ".join(sorted(names ^ values.keys()))
        raise TemplateError(f"names without a value, or values without a place: {odd}")
    kept, before = text, ""
    while kept != before:  # sections may hold others
        before, kept = kept, _SECTION.sub(lambda m: m[2] if values[m[1]] else "", kept)
    return _NAME.sub(lambda m: values[m[1]], kept)
