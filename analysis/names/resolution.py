"""What a name can mean in a scoping unit, as the symbol table answers it."""

from dataclasses import dataclass

from acclimate.analysis.ir import Expr, Symbol, Unit


@dataclass(frozen=True, slots=True)
class Variable:
    """A data object (named constants included); `symbol.owner` is the unit that declares it."""

    symbol: Symbol


@dataclass(frozen=True, slots=True)
class Procedures:
    """Procedures of this project: one, or every candidate of a generic that stays open."""

    candidates: tuple[Unit, ...]


@dataclass(frozen=True, slots=True)
class StatementFunction:
    args: tuple[str, ...]
    body: Expr
    owner: Unit


@dataclass(frozen=True, slots=True)
class Intrinsic:
    name: str


@dataclass(frozen=True, slots=True)
class External:
    """A procedure outside the project, with or without an EXTERNAL statement or interface body."""

    name: str


@dataclass(frozen=True, slots=True)
class DummyProcedure:
    """A dummy procedure or a procedure pointer: any procedure of the project may hide behind it."""

    name: str


@dataclass(frozen=True, slots=True)
class TypeName:
    """A derived-type name, as in a structure constructor."""

    name: str


@dataclass(frozen=True, slots=True)
class Unresolved:
    """Nothing known declares the name (a module outside the project may)."""

    name: str


Resolution = (
    Variable
    | Procedures
    | StatementFunction
    | Intrinsic
    | External
    | DummyProcedure
    | TypeName
    | Unresolved
)
