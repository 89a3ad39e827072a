"""Generated programs that call the procedures of a model with made-up arguments.

Scalars that bound arrays and loops are small integers, arrays have the shapes that the dummies
declare, and everything is filled with seeded values. Some procedures cannot be called so; their
trials end early and count for nothing beyond the iterations they ran.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from acclimate.analysis.ir import (
    Apply,
    Binary,
    Expr,
    Name,
    Shape,
    Symbol,
    Unary,
    Unit,
    UnitKind,
    Use,
)
from acclimate.analysis.names.resolution import Variable
from acclimate.analysis.project import Project
from acclimate.porter.text.fortran_text import fortran
from campaigns.walking import own_loops

EXTENT = 7  # of assumed-shape and deferred-shape arrays
SIZE = 4096  # elements of assumed-size arrays
FILLS = {"integer": 1, "real": 2, "complex": 2, "logical": 3, "character": 4}


@dataclass(frozen=True)
class Driver:
    """A subroutine `name` without arguments that makes one call of a procedure."""

    name: str
    unit: str
    text: str


def callable_units(project: Project, files: set[str]) -> Iterator[Unit]:
    """Procedures of these files that another program unit may call."""
    for unit in project.units.values():
        if unit.at.file not in files or "elemental" in unit.prefixes:
            continue
        if unit.kind not in (UnitKind.SUBROUTINE, UnitKind.FUNCTION):
            continue
        module = unit.parent
        if module is None or module.kind is UnitKind.MODULE and _is_public(module, unit.name):
            yield unit


def _is_public(module: Unit, name: str) -> bool:
    return name in module.public or not (module.private_default or name in module.private)


def driver(
    project: Project, unit: Unit, number: int, module: str = "", targets: Sequence[str] = ()
) -> Driver | None:
    """None where an argument is of a kind that cannot be made up.

    With `targets`, procedures of `module` that take the arguments of `unit`, one of them is called,
    the one that `oracle_choice()` counts from 0.
    """
    symbols = [_dummy(project, unit, name) for name in unit.args]
    if not all(symbols):
        return None
    dummies = [symbol for symbol in symbols if symbol is not None]
    scalars = [s for s in dummies if not s.dims]
    arrays = [s for s in dummies if s.dims]
    bounds = Bounds(unit, dummies)
    try:
        outer = [_declared(s) for s in scalars] + [
            _filled(s, bounds.low(s), bounds.high(s)) for s in scalars if s.type in FILLS
        ]
        inner = [_declared(s) for s in arrays]
        inner += [_allocated(s) for s in arrays if _is_allocatable(s)]
        inner += [_filled(s) for s in arrays if s.type in FILLS]
    except (ValueError, KeyError):
        return None
    text = _text(unit, number, outer, [*inner, *_calls(unit, targets)], module)
    return Driver(f"oracle_drive_{number}", unit.qualified_name, text)


def _calls(unit: Unit, targets: Sequence[str]) -> list[str]:
    args = f"({', '.join(unit.args)})"
    if targets:
        cases = [
            line
            for number, name in enumerate(targets)
            for line in (f"case ({number})", f"call {name}{args}")
        ]
        return ["select case (oracle_choice())", *cases, "end select"]
    call = ("" if unit.parent is None else "oracle_target") or unit.name
    if unit.kind is UnitKind.FUNCTION:
        return [f"associate (oracle_result => {call}{args})", "end associate"]
    return [f"call {call}{args}"]


def _text(unit: Unit, number: int, outer: list[str], inner: list[str], extra: str) -> str:
    """The driver, in a module of its own that sees what the procedure sees."""
    name = f"oracle_drive_{number}"
    module = unit.parent
    lines = [f"module oracle_host_{number}"]
    lines += [f"use {extra}"] if extra else []
    if module is not None:
        lines += [f"use {module.name}", *(used(use) for use in module.uses)]
    lines += ["contains", f'subroutine {name}() bind(c, name="{name}")']
    if module is not None and not extra:
        lines.append(f"use {module.name}, only: oracle_target => {unit.name}")
    lines += [used(use) for use in unit.uses]
    lines += ["implicit none"] if unit.implicit_none or module is not None else []
    lines += ["external oracle_value"]
    lines += ["integer, external :: oracle_choice"] if extra else []
    lines += [*outer, f"call oracle_run_{number}()", "contains"]
    lines += [f"subroutine oracle_run_{number}()", *inner]
    lines += [f"end subroutine oracle_run_{number}", f"end subroutine {name}"]
    return "\n".join([*lines, f"end module oracle_host_{number}", ""])


def used(use: Use) -> str:
    """A USE statement as text."""
    renames = [f"{local} => {name}" for local, name in use.renames]
    if use.only is None:
        return ", ".join([f"use {use.module}", *renames])
    only = [name if local == name else f"{local} => {name}" for local, name in use.only]
    return f"use {use.module}, only: {', '.join(only)}"


def _dummy(project: Project, unit: Unit, name: str) -> Symbol | None:
    meaning = project.resolve(unit, name)
    if name == "*" or not isinstance(meaning, Variable) or meaning.symbol.type is None:
        return None
    symbol = meaning.symbol
    kind = symbol.type.partition("(")[0] if symbol.type else ""
    return symbol if kind in FILLS or kind == "type" else None


def _declared(symbol: Symbol) -> str:
    attributes = []
    if _is_allocatable(symbol):
        attributes.append("pointer" if "pointer" in symbol.attributes else "allocatable")
    elif "target" in symbol.attributes:
        attributes.append("target")
    dims = ", ".join(_dimension(symbol, at) for at in range(len(symbol.dims)))
    shape = f"({dims})" if dims else ""
    return f"{', '.join([_type(symbol), *attributes])} :: {symbol.name}{shape}"


def _type(symbol: Symbol) -> str:
    if symbol.type == "character":
        length = symbol.kind if symbol.kind and symbol.kind.isdigit() else "16"
        return f"character(len={length})"
    if symbol.kind is None or symbol.type is None or symbol.type.startswith("type"):
        return str(symbol.type)
    return f"{symbol.type}({symbol.kind})"


def _is_allocatable(symbol: Symbol) -> bool:
    return bool(symbol.attributes & {"allocatable", "pointer"})


def _dimension(symbol: Symbol, at: int) -> str:
    dimension = symbol.dims[at]
    if _is_allocatable(symbol):
        return ":"
    lower = fortran(dimension.lower) if dimension.lower else "1"
    if dimension.shape is Shape.EXPLICIT and dimension.upper:
        return f"{lower}:{fortran(dimension.upper)}"
    if dimension.shape is Shape.ASSUMED_SIZE:
        return f"{lower}:{lower}+{SIZE - 1 if at == 0 else 15}"
    return str(EXTENT)


def _allocated(symbol: Symbol) -> str:
    return f"allocate({symbol.name}({', '.join([str(EXTENT)] * len(symbol.dims))}))"


def _filled(symbol: Symbol, low: int = 1, high: int = 4) -> str:
    """Integers lie in low..high, all else is made up."""
    name, code = symbol.name, FILLS[str(symbol.type)]
    where = f"int(loc({name}), 8), int(sizeof({name}), 8), int(storage_size({name}), 8)"
    return f"call oracle_value({code}_4, {low}_4, {high}_4, {where})"


class Bounds:
    """What the integer arguments of a procedure bound: they get values to suit."""

    def __init__(self, unit: Unit, dummies: list[Symbol]) -> None:
        self._lower: set[str] = set()
        self._upper: set[str] = set()
        self._size: set[str] = set()
        for symbol in dummies:
            for dimension in symbol.dims:
                self._lower |= set(_names(dimension.lower))
                self._size |= set(_names(dimension.upper))
        for loop in own_loops(unit.body):
            self._lower |= set(_names(loop.first))
            self._upper |= set(_names(loop.last))

    def low(self, symbol: Symbol) -> int:
        name = symbol.name
        if name in self._size:
            return EXTENT - 1
        if name in self._upper:
            return EXTENT - 3
        return 1

    def high(self, symbol: Symbol) -> int:
        name = symbol.name
        if name in self._size:
            return EXTENT
        if name in self._upper:
            return EXTENT - 1
        return 1 if name in self._lower else 3


def _names(expr: Expr | None) -> Iterator[str]:
    match expr:
        case Name(identifier):
            yield identifier
        case Binary(_, left, right):
            yield from _names(left)
            yield from _names(right)
        case Unary(_, operand):
            yield from _names(operand)
        case Apply(_, args):
            for arg in args:
                yield from _names(arg)


def module_filler(module: Unit, number: int) -> str:
    """A subroutine that gives every public variable of a module a value."""
    name = f"oracle_fill_{number}"
    lines = [f'subroutine {name}() bind(c, name="{name}")', f"use {module.name}", "implicit none"]
    for each, symbol in sorted(module.symbols.items()):
        if not _is_public(module, each) or symbol.type not in FILLS or symbol.initial is not None:
            continue
        if symbol.attributes & {"parameter", "protected", "pointer", "external", "intrinsic"}:
            continue
        if _is_allocatable(symbol) and symbol.dims:
            shape = ", ".join([f"0:{EXTENT}"] * len(symbol.dims))
            lines.append(f"if (.not. allocated({each})) allocate({each}({shape}))")
        elif _is_allocatable(symbol):
            continue
        lines.append(_filled(symbol, 1, 3))
    return "\n".join([*lines, f"end subroutine oracle_fill_{number}", ""])
