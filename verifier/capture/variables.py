"""What of a variable can be written down, and how it is reached: leaves of intrinsic type."""

from collections.abc import Iterator
from dataclasses import dataclass

from acclimate.analysis.ir import Shape, Symbol, Unit
from acclimate.analysis.project import Project

_CODES = {
    "integer": "i",
    "real": "r",
    "double precision": "r",
    "complex": "z",
    "double complex": "z",
    "logical": "l",
    "character": "c",
}
_DEEPEST = 6  # structures in structures


@dataclass(frozen=True, slots=True)
class Leaf:
    """A variable or component of intrinsic type; `name` is that of lists and records."""

    name: str
    expression: str
    symbol: Symbol
    code: str

    @property
    def rank(self) -> int:
        return len(self.symbol.dims)


@dataclass(frozen=True, slots=True)
class Structure:
    """A scalar of derived type and its components."""

    name: str
    expression: str
    symbol: Symbol
    members: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Blocked:
    """What cannot be written down, and why."""

    name: str
    why: str


Node = Leaf | Structure | Blocked


def node(
    project: Project, unit: Unit, symbol: Symbol, name: str, expression: str, depth: int = 0
) -> Node:
    """A variable as `unit` sees it, with all its components."""
    kind = symbol.type or ""
    if symbol.attributes & {"external", "procedure", "intrinsic"} or not kind:
        return Blocked(name, f"`{expression}` is a procedure, or of no known type")
    if kind in _CODES:
        return _leaf(name, expression, symbol, _CODES[kind])
    if kind.startswith("class"):
        return Blocked(name, f"`{expression}` is polymorphic")
    if symbol.dims:
        return Blocked(name, f"`{expression}` is an array of structures")
    if symbol.attributes & {"pointer", "allocatable"}:
        return Blocked(name, f"`{expression}` is a pointer to a structure, or an allocatable one")
    return _structure(project, unit, symbol, name, expression, depth)


def _leaf(name: str, expression: str, symbol: Symbol, code: str) -> Node:
    if any(dimension.shape is Shape.ASSUMED_SIZE for dimension in symbol.dims):
        return Blocked(name, f"how many elements `{expression}` has is not said (assumed size)")
    if code == "c" and symbol.dims and (symbol.kind or "").strip() in ("*", ":"):
        return Blocked(name, f"`{expression}` is an array of strings of any length")
    return Leaf(name, expression, symbol, code)


def _structure(
    project: Project, unit: Unit, symbol: Symbol, name: str, expression: str, depth: int
) -> Node:
    found = project.derived_type(unit, symbol.type)
    if found is None or depth == _DEEPEST:
        return Blocked(name, f"the type of `{expression}` is not known, or holds itself")
    definition, home = found
    if definition.extends or definition.has_final:
        return Blocked(name, f"the type of `{expression}` extends another one, or has FINAL")
    members = tuple(
        node(project, home, part, f"{name}%{part.name}", f"{expression}%{part.name}", depth + 1)
        for part in definition.components.values()
    )
    return Structure(name, expression, symbol, members)


def leaves(found: Node) -> Iterator[Leaf | Blocked]:
    """All leaves below a node, and what is blocked."""
    if isinstance(found, Structure):
        for member in found.members:
            yield from leaves(member)
    else:
        yield found


def structures(found: Node) -> Iterator[Structure]:
    if isinstance(found, Structure):
        yield found
        for member in found.members:
            yield from structures(member)


def state_of(project: Project, module: Unit) -> tuple[Node, ...]:
    """The variables of a module, under their storage keys."""
    if module.equivalences:
        return ()
    return tuple(
        node(project, module, symbol, f"{module.qualified_name}::{name}", name)
        for name, symbol in sorted(module.symbols.items())
        if not symbol.is_parameter and symbol.type is not None and symbol.common is None
        if not symbol.attributes & {"external", "procedure", "intrinsic"}
    )
