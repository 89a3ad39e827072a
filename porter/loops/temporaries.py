"""Allocatable arrays that a rewrite brings along: their declaration, entry and exit."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from acclimate.analysis.ir import Symbol
from acclimate.porter.names.scope import Scope
from acclimate.porter.text.directives_text import clause, directive
from acclimate.porter.text.fortran_text import statement_lines

_KINDS = ("real", "integer", "logical", "complex")


@dataclass(frozen=True, slots=True)
class Temporary:
    """An array on host and device that holds values of the type of `symbol`."""

    name: str
    type: str
    rank: int

    @property
    def declaration(self) -> str:
        return f"{self.type}, allocatable :: {self.name}({', '.join(':' * self.rank)})"


def entries(temps: Mapping[Temporary, Sequence[str]], margin: int, form: str) -> list[str]:
    """ALLOCATE with `lower:upper` for each dimension, then the entry of all to the device."""
    lines: list[str] = []
    for temp, extents in temps.items():
        lines += statement_lines(f"allocate ({temp.name}({', '.join(extents)}))", margin, form)
    words = ("enter data", clause("create", sorted(temp.name for temp in temps)))
    return [*lines, *directive(words, margin, form)]


def exits(temps: Iterable[Temporary], margin: int, form: str) -> list[str]:
    """All leave the device and lose their storage."""
    names = [temp.name for temp in temps]
    lines = list(directive(("exit data", clause("delete", sorted(names))), margin, form))
    for name in names:
        lines += statement_lines(f"deallocate ({name})", margin, form)
    return lines


def temporary(scope: Scope, symbol: Symbol, name: str, rank: int) -> Temporary:
    """A temporary of the type of `symbol`.

    Raises:
        ValueError: the type cannot be named here, or the name is taken.
    """
    return Temporary(free_name(scope, name), type_text(scope, symbol), rank)


def free_name(scope: Scope, name: str) -> str:
    """The name itself.

    Raises:
        ValueError: it is taken in the unit.
    """
    if name in scope.unit.mentioned or name in scope.unit.symbols:
        raise ValueError(f"the name '{name}' is taken")
    return name


def type_text(scope: Scope, symbol: Symbol) -> str:
    """The type of a variable as a declaration in the unit may write it.

    Raises:
        ValueError: it is no intrinsic numeric type, or its kind has no name here.
    """
    kind = symbol.kind
    if symbol.type not in _KINDS:
        raise ValueError(f"'{symbol.name}' is of type {symbol.type}")
    if kind is None:
        return symbol.type
    if kind.isidentifier():
        found = scope.symbol(kind)
        if found is None or not found.is_parameter:
            raise ValueError(f"the kind '{kind}' of '{symbol.name}' has no name here")
        owner = symbol.owner
        there = owner and scope.project.resolve(owner, kind)
        if getattr(there, "symbol", None) is not found:
            raise ValueError(f"the kind '{kind}' of '{symbol.name}' means something else here")
    elif not kind.isdigit() and kind != "kind(1d0)":
        raise ValueError(f"the kind '{kind}' of '{symbol.name}' cannot be repeated")
    return f"{symbol.type}({kind})"
