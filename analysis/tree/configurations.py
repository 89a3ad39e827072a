"""Other sets of macros under which the same files are read."""

from dataclasses import dataclass

from acclimate.analysis.tree.toml_table import TomlTable


@dataclass(frozen=True, slots=True)
class Configuration:
    """`defines` stand beside those of the model and replace those of the same macros."""

    name: str
    defines: tuple[str, ...]

    def applied(self, defines: tuple[str, ...]) -> tuple[str, ...]:
        own = {_macro(define) for define in self.defines}
        return (*(define for define in defines if _macro(define) not in own), *self.defines)


def configurations_of(whole: TomlTable) -> tuple[Configuration, ...]:
    """The `[[configurations]]` of acclimate.toml.

    Raises:
        Problem: one has no name or no macros, or two have one name.
    """
    found: list[Configuration] = []
    for table in whole.tables("configurations"):
        table.allow("name", "defines")
        name, defines = table.text("name", "").strip(), table.texts("defines")
        if not name:
            table.refuse("name", "a configuration has no name", hint='e.g. name = "ensemble".')
        if name in [known.name for known in found]:
            table.refuse("name", f"two configurations are called '{name}'")
        if not defines:
            what = f"configuration '{name}' defines nothing"
            table.refuse("defines", what, hint='e.g. defines = ["ENSEMBLE", "MEMBERS=20"].')
        found.append(Configuration(name, defines))
    return tuple(found)


def _macro(define: str) -> str:
    return define.partition("=")[0].partition("(")[0].strip()
