"""Find every plugin in a folder: adding a file is the whole registration."""

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType


def names(package: ModuleType) -> list[str]:
    """File names in `package`, without importing any of them."""
    return sorted(m.name for m in iter_modules(package.__path__) if not m.name.startswith("_"))


def load(package: ModuleType, name: str) -> ModuleType:
    """Import one file of `package`.

    Raises:
        KeyError: there is no such file.
    """
    if name not in names(package):
        raise KeyError(name)
    return import_module(f"{package.__name__}.{name}")


def load_all(package: ModuleType) -> dict[str, ModuleType]:
    """Import every file of `package`, by name."""
    return {name: load(package, name) for name in names(package)}
