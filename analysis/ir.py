"""Fortran as the analysis sees it: expressions, statements, symbols and program units.

Names are lower case. Nothing here is resolved: `Apply` is an array element, a section, a
substring or a function reference until the symbol table decides. Every statement carries the
`Lines` of the ORIGINAL file it was written on, also after preprocessing, INCLUDE and the
conversion of fixed form.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache

from acclimate.analysis.source import Lines

# --- expressions -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Name:
    id: str


class LiteralKind(StrEnum):
    INTEGER = "integer"
    REAL = "real"
    COMPLEX = "complex"
    LOGICAL = "logical"
    CHARACTER = "character"
    BOZ = "boz"


@dataclass(frozen=True, slots=True)
class Literal:
    kind: LiteralKind
    text: str  # as written, lower case except inside quotes

    @property
    def value(self) -> int | None:
        """The value of an integer literal, else None."""
        return _integer(self.text) if self.kind is LiteralKind.INTEGER else None


@lru_cache(maxsize=1 << 12)
def _integer(text: str) -> int | None:
    digits = text.split("_")[0]
    return int(digits) if digits.isdigit() else None


@dataclass(frozen=True, slots=True)
class Apply:
    """`base(args)`: element, section, substring, function or statement-function reference."""

    base: "Expr"  # Name, Component or another Apply
    args: tuple["Expr", ...]


@dataclass(frozen=True, slots=True)
class Component:
    """`base%name`, a data component or a type-bound procedure."""

    base: "Expr"
    name: str


@dataclass(frozen=True, slots=True)
class Unary:
    op: str  # "+", "-", ".not." or a defined operator
    operand: "Expr"


@dataclass(frozen=True, slots=True)
class Binary:
    op: str  # + - * / ** // == /= < <= > >= .and. .or. .eqv. .neqv. or a defined operator
    left: "Expr"
    right: "Expr"


@dataclass(frozen=True, slots=True)
class Section:
    """A subscript triplet `lower:upper:stride`, or the bounds in a declaration."""

    lower: "Expr | None"
    upper: "Expr | None"
    stride: "Expr | None" = None


@dataclass(frozen=True, slots=True)
class Keyword:
    """`name=value` in an argument list."""

    name: str
    value: "Expr"


@dataclass(frozen=True, slots=True)
class ArrayConstructor:
    items: tuple["Expr", ...]
    type_spec: str = ""  # before `::`, without blanks


@dataclass(frozen=True, slots=True)
class ImpliedDo:
    items: tuple["Expr", ...]
    index: str
    first: "Expr"
    last: "Expr"
    step: "Expr | None"


@dataclass(frozen=True, slots=True)
class Star:
    """`*`: assumed size, assumed length, or an alternate return."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Text the reader could not understand; whatever contains it is refused with this reason."""

    text: str


Expr = (
    Name
    | Literal
    | Apply
    | Component
    | Unary
    | Binary
    | Section
    | Keyword
    | ArrayConstructor
    | ImpliedDo
    | Star
    | Unreadable
)

# --- statements --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Directive:
    """One directive with its continuation lines joined; `text` follows the sentinel, lower case."""

    at: Lines
    sentinel: str  # "acc", "omp", "acclimate", "ser", ...
    text: str


@dataclass(slots=True, eq=False, kw_only=True)
class Statement:
    """`at` spans the statement, for a block construct its first statement only (see `end`)."""

    at: Lines
    label: str | None = None


@dataclass(slots=True, eq=False, kw_only=True)
class Assignment(Statement):
    target: Expr
    value: Expr


@dataclass(slots=True, eq=False, kw_only=True)
class PointerAssignment(Statement):
    target: Expr
    value: Expr


@dataclass(slots=True, eq=False, kw_only=True)
class Call(Statement):
    procedure: Expr  # Name, or Component for a type-bound call
    args: tuple[Expr, ...]


class DoKind(StrEnum):
    COUNTED = "counted"
    WHILE = "while"
    FOREVER = "forever"
    CONCURRENT = "concurrent"  # one Do per index, outermost first


@dataclass(slots=True, eq=False, kw_only=True)
class Do(Statement):
    kind: DoKind
    body: list[Statement]
    end: Lines  # the END DO statement, or the labelled terminal statement
    index: str | None = None
    first: Expr | None = None
    last: Expr | None = None
    step: Expr | None = None  # None means 1
    condition: Expr | None = None  # DO WHILE; mask of DO CONCURRENT
    name: str | None = None
    directives: tuple[Directive, ...] = ()  # those immediately before the DO statement
    shared_terminal: bool = False  # ends on a label that another DO ends on as well
    after_terminal: bool = False  # lines cannot be inserted behind `end` without leaving the loop


@dataclass(slots=True, eq=False, kw_only=True)
class Branch:
    condition: Expr | None  # None: ELSE, CASE DEFAULT
    body: list[Statement]
    at: Lines  # the IF THEN, ELSE IF, ELSE or CASE statement


@dataclass(slots=True, eq=False, kw_only=True)
class If(Statement):
    """IF statement or construct, or SELECT CASE with its cases turned into conditions.

    The guards of SELECT TYPE are conditions that stay `Unreadable`.
    """

    branches: list[Branch]
    end: Lines
    is_construct: bool  # False: the one-line IF statement


@dataclass(slots=True, eq=False, kw_only=True)
class Where(Statement):
    branches: list[Branch]
    end: Lines
    is_construct: bool


@dataclass(frozen=True, slots=True)
class ForallIndex:
    index: str
    first: Expr
    last: Expr
    step: Expr | None


@dataclass(slots=True, eq=False, kw_only=True)
class Forall(Statement):
    indices: tuple[ForallIndex, ...]
    mask: Expr | None
    body: list[Statement]
    end: Lines


@dataclass(slots=True, eq=False, kw_only=True)
class InputOutput(Statement):
    """READ, WRITE, PRINT, OPEN, CLOSE, INQUIRE, REWIND, ...; internal units count as written."""

    keyword: str
    reads: tuple[Expr, ...]
    writes: tuple[Expr, ...]
    branches: tuple[str, ...] = ()  # labels of ERR=, END=, EOR=
    namelist: str | None = None  # or the name of a format, where no NML= says it is a group


@dataclass(slots=True, eq=False, kw_only=True)
class Allocate(Statement):
    objects: tuple[Expr, ...]  # Apply(base, extents) or a bare object with SOURCE= / MOLD=
    options: tuple[Keyword, ...] = ()


@dataclass(slots=True, eq=False, kw_only=True)
class Deallocate(Statement):
    objects: tuple[Expr, ...]
    options: tuple[Keyword, ...] = ()
    nullify: bool = False


@dataclass(slots=True, eq=False, kw_only=True)
class Jump(Statement):
    """EXIT, CYCLE, RETURN, STOP, ERROR STOP, GOTO (any kind), arithmetic IF, ENTRY."""

    keyword: str  # "exit" | "cycle" | "return" | "stop" | "goto" | "arithmetic-if" | "entry"
    construct: str | None = None  # of EXIT and CYCLE
    targets: tuple[str, ...] = ()  # labels
    value: Expr | None = None  # stop code, computed GOTO index, arithmetic IF expression


@dataclass(slots=True, eq=False, kw_only=True)
class Continue(Statement):
    """CONTINUE, FORMAT and other statements without effect here."""


@dataclass(slots=True, eq=False, kw_only=True)
class Associate(Statement):
    associations: tuple[tuple[str, Expr], ...]
    body: list[Statement]
    end: Lines


@dataclass(slots=True, eq=False, kw_only=True)
class OpaqueStatement(Statement):
    """Anything not understood (BLOCK, coarrays, syntax errors, ...): never analysed through."""

    reason: str
    text: str
    end: Lines


@dataclass(slots=True, eq=False, kw_only=True)
class BlockConstruct(OpaqueStatement):
    """A BLOCK construct; whoever cannot look into it may take it for the opaque statement it is.

    `names` are the variables declared in it, called `name@line` here and among the unit's symbols:
    no other name of the unit is one of them.
    """

    body: list[Statement]
    names: tuple[str, ...] = ()


# --- declarations and program units ------------------------------------------------------------


class Shape(StrEnum):
    EXPLICIT = "explicit"  # (lower:upper)
    ASSUMED = "assumed"  # dummy (lower:)
    DEFERRED = "deferred"  # allocatable or pointer (:)
    ASSUMED_SIZE = "assumed-size"  # (lower:*)


@dataclass(frozen=True, slots=True)
class Dimension:
    shape: Shape
    lower: Expr | None  # None: 1
    upper: Expr | None


@dataclass(slots=True, eq=False, kw_only=True)
class Symbol:
    """A declared name; `type` is "real", "type(state_t)", ...; kind as written or None."""

    name: str
    at: Lines
    type: str | None = None
    kind: str | None = None
    dims: tuple[Dimension, ...] = ()
    attributes: frozenset[str] = frozenset()  # parameter allocatable save ...
    intent: str | None = None  # in | out | inout
    initial: Expr | None = None
    common: str | None = None  # COMMON block name, "" for blank common
    owner: "Unit | None" = None

    @property
    def is_array(self) -> bool:
        return bool(self.dims)

    @property
    def is_parameter(self) -> bool:
        return "parameter" in self.attributes


@dataclass(frozen=True, slots=True)
class Use:
    module: str
    only: tuple[tuple[str, str], ...] | None  # (local, original), None without ONLY
    renames: tuple[tuple[str, str], ...]  # (local, original)
    at: Lines


@dataclass(slots=True, eq=False, kw_only=True)
class DerivedType:
    name: str
    at: Lines
    components: dict[str, Symbol]
    bindings: dict[str, str]  # type-bound procedure name -> specific
    generic_bindings: dict[str, tuple[str, ...]] = field(default_factory=dict)
    extends: str | None = None
    has_final: bool = False


class UnitKind(StrEnum):
    PROGRAM = "program"
    MODULE = "module"
    SUBMODULE = "submodule"
    SUBROUTINE = "subroutine"
    FUNCTION = "function"
    BLOCK_DATA = "block-data"
    INTERFACE_BODY = "interface-body"


@dataclass(slots=True, eq=False, kw_only=True)
class Unit:
    """A program unit or procedure.

    `at` is its first statement, `end` its END statement. `specification_end` is the last line of
    the specification part (the first statement itself where there is none), behind which
    declarations and declarative directives may be inserted.
    """

    kind: UnitKind
    name: str
    at: Lines
    end: Lines
    specification_end: Lines
    parent: "Unit | None" = None
    args: list[str] = field(default_factory=list)
    result: str | None = None
    prefixes: frozenset[str] = frozenset()  # pure elemental recursive impure module
    symbols: dict[str, Symbol] = field(default_factory=dict)  # of a COMMON block: in its order
    types: dict[str, DerivedType] = field(default_factory=dict)
    uses: list[Use] = field(default_factory=list)
    generics: dict[str, list[str]] = field(default_factory=dict)
    interfaces: dict[str, "Unit"] = field(default_factory=dict)  # explicit interface bodies
    private_default: bool = False
    public: set[str] = field(default_factory=set)
    private: set[str] = field(default_factory=set)
    implicit_none: bool = False
    implicit: dict[str, str] = field(default_factory=dict)  # letter -> type
    equivalences: list[tuple[Expr, ...]] = field(default_factory=list)
    namelists: dict[str, tuple[str, ...]] = field(default_factory=dict)
    statement_functions: dict[str, tuple[tuple[str, ...], Expr]] = field(default_factory=dict)
    body: list[Statement] = field(default_factory=list)
    units: dict[str, "Unit"] = field(default_factory=dict)  # contained procedures
    directives: list[Directive] = field(default_factory=list)  # innermost unit, by position
    entries: tuple[str, ...] = ()  # names of its ENTRY statements
    ancestor: str | None = None  # of a submodule: the module or submodule it extends
    applied: set[str] = field(default_factory=set)  # names called, or followed by arguments
    mentioned: set[str] = field(default_factory=set)  # names in it (contained units left out)

    @property
    def qualified_name(self) -> str:
        """`module::procedure`, the name by which plans and reports speak of it."""
        return self.name if self.parent is None else f"{self.parent.qualified_name}::{self.name}"
