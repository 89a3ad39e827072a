"""What may run on the device: the statements, names and calls gfortran's device link accepts.

Lists follow trials with gfortran 12 linking for nvptx: I/O, ALLOCATE, run-time-sized locals and
most transformational intrinsics end in unresolved or rejected device code.
"""

from collections.abc import Iterable, Iterator

from acclimate.analysis.dependence.statements import inside, own_expressions, parts
from acclimate.analysis.ir import (
    Apply,
    Assignment,
    Call,
    Component,
    Continue,
    Do,
    DoKind,
    Expr,
    If,
    Jump,
    Keyword,
    Literal,
    LiteralKind,
    Section,
    Shape,
    Statement,
    Symbol,
    Unreadable,
)
from acclimate.porter.device.device_intrinsics import ARRAY_REDUCTIONS, ELEMENTAL, INQUIRY
from acclimate.porter.names.constants import integer_value
from acclimate.porter.names.invocations import STATEMENT_FUNCTION, Invocation, invocations
from acclimate.porter.names.scope import Reference, Scope, remembered
from acclimate.porter.names.traversal import operands
from acclimate.porter.rewrite import Refusal

_SCALAR_TYPES = ("real", "integer", "logical", "complex", "double precision", "type(")


def refusal_in(scope: Scope, body: Iterable[Statement]) -> Refusal | None:
    """The first reason why statements cannot be compiled for the device, None if there is none."""
    for statement in inside(body):
        reason = _complaint(scope, statement)
        if reason:
            return Refusal(statement.at, *reason)
    return None


@remembered
def _complaint(scope: Scope, statement: Statement) -> tuple[str, str] | None:
    return _statement(scope, statement) or _names(scope, statement)


def calls_in(scope: Scope, body: Iterable[Statement]) -> Iterator[tuple[Statement, Invocation]]:
    """References to anything but intrinsics."""
    for statement in inside(body):
        for invocation in invocations(scope, statement):
            if not invocation.is_intrinsic:
                yield statement, invocation


def table_lookup_in(scope: Scope, body: Iterable[Statement]) -> Refusal | None:
    """A named constant whose element is chosen at run time, in a loop that is to be a kernel.

    gfortran 12 keeps such an array in memory and looks for it among the data that are present, and
    a named constant may stand in no data clause. In a procedure's own scope it is compiled in.
    """
    for statement in inside(body):
        for found in references_in(scope, statement):
            if is_table_lookup(scope, found):
                return Refusal(
                    statement.at,
                    f"'{found.designator}' is a named constant, its element is chosen at run time",
                    f"make '{found.root.name}' a variable, or look it up before the loop",
                )
    return None


def is_table_lookup(scope: Scope, found: Reference) -> bool:
    """An array that is a named constant, and not one of its elements that is a constant, too."""
    if not (found.root.is_parameter and found.root.is_array):
        return False
    subscripts = found.subscripts
    return subscripts is None or any(integer_value(scope, s) is None for s in subscripts)


@remembered
def references_in(scope: Scope, statement: Statement) -> tuple[Reference, ...]:
    """Data objects a statement itself names, the whole designator of each."""
    exprs = own_expressions(statement)
    return tuple(found for expr in exprs for found in references(scope, expr))


def references(scope: Scope, expr: Expr) -> Iterator[Reference]:
    """Data objects an expression names; subscripts of a designator count as expressions."""
    found = scope.reference(expr)
    if found is not None:
        yield found
        for part in _subscripts(expr):
            yield from references(scope, part)
        return
    for part in _operands(expr):
        yield from references(scope, part)


def _subscripts(expr: Expr) -> Iterator[Expr]:
    match expr:
        case Apply(base, args):
            yield from args
            yield from _subscripts(base)
        case Component(base, _):
            yield from _subscripts(base)


def _operands(expr: Expr) -> Iterator[Expr]:
    if isinstance(expr, Apply):
        yield from expr.args  # the base is a procedure
    else:
        yield from operands(expr)


def _statement(scope: Scope, statement: Statement) -> tuple[str, str] | None:
    match statement:
        case Assignment():
            return _assignment(scope, statement)
        case Do(kind=DoKind.COUNTED) | Do(kind=DoKind.WHILE) | Do(kind=DoKind.FOREVER):
            return None
        case Jump(keyword="exit" | "cycle" | "return" | "goto" | "arithmetic-if"):
            return None
        case Call() | If() | Continue():
            return None
        case _:
            words = {"Jump": "STOP or a special branch", "InputOutput": "input or output"}
            kind = type(statement).__name__
            return (
                f"{words.get(kind, kind.upper())} cannot run on the device",
                "move the statement out of the loop",
            )


def _names(scope: Scope, statement: Statement) -> tuple[str, str] | None:
    for expr in own_expressions(statement):
        for part in parts(expr):
            if isinstance(part, Unreadable):
                return f"'{part.text}' could not be read", "rewrite the statement plainly"
            if isinstance(part, Literal) and part.kind is LiteralKind.CHARACTER:
                return "character data in device code", "use an integer code instead"
        for found in references(scope, expr):
            reason = _object(found)
            if reason:
                return reason
    for invocation in invocations(scope, statement):
        reason = _invocation(scope, invocation)
        if reason:
            return reason
    return None


def _object(found: Reference) -> tuple[str, str] | None:
    symbol, name = found.symbol, found.designator
    kind, root = symbol.type or "", found.root
    if any(isinstance(index, Section) for index in found.indices):
        return f"'{name}' is a component of several objects", "write it as a loop over the objects"
    if found.path and not root.is_array and root.attributes & {"allocatable", "pointer"}:
        return (
            f"'{root.name}' is an allocatable or pointer object",
            "pass the object as an argument, or name it by its path",
        )
    if kind.startswith("class(") or (root.type or "").startswith("class("):
        return f"'{name}' is polymorphic", "declare it with TYPE instead of CLASS"
    if kind and not kind.startswith(_SCALAR_TYPES):
        return f"'{name}' is of type {kind}", "use numbers and logicals in device code"
    if not symbol.is_array and symbol.attributes & {"allocatable", "pointer"}:
        return f"'{name}' is an allocatable or pointer scalar", "copy it into a local scalar first"
    if "optional" in symbol.attributes and not symbol.is_array:
        return f"'{name}' is OPTIONAL", "copy it to a local variable, or split the procedure"
    return None


def _invocation(scope: Scope, invocation: Invocation) -> tuple[str, str] | None:
    if invocation.is_intrinsic:
        name = invocation.name
        if name in ELEMENTAL or name in INQUIRY or name == STATEMENT_FUNCTION:
            return None
        if name in ARRAY_REDUCTIONS and not _along_a_dimension(invocation):
            return None
        return f"intrinsic '{name}' in device code", "write it as a loop"
    if not invocation.candidates:
        what = invocation.name or "a procedure"
        return (
            f"'{what}' is not a procedure of this project",
            "add its source to the manifest, or move the call out of the loop",
        )
    if len(invocation.candidates) > 1:
        return f"the generic '{invocation.name}' stays open", "call the specific procedure"
    return None


def _along_a_dimension(invocation: Invocation) -> bool:
    return any(isinstance(arg, Keyword) and arg.name == "dim" for arg in invocation.args)


def _assignment(scope: Scope, statement: Assignment) -> tuple[str, str] | None:
    target = scope.reference(statement.target)
    if target is None:
        return "the left side could not be resolved", "declare the variable"
    if not target.is_array:
        if (target.symbol.type or "").startswith("type("):
            return "assignment of a whole derived-type object", "assign its components"
        return None
    if target.subscripts is not None and not target.has_section:
        return None
    for found in references(scope, statement.value):
        same = found == target and found.subscripts == target.subscripts  # element by element
        if found.node == target.node and not same and not _apart(scope, target, found):
            return (
                f"array assignment reads and writes '{target.designator}'",
                "write it as a loop",
            )
    return None


def _apart(scope: Scope, one: Reference, other: Reference) -> bool:
    """Some dimension has different constant subscripts in the two references."""
    if one.subscripts is None or other.subscripts is None:
        return False
    for mine, theirs in zip(one.subscripts, other.subscripts, strict=False):
        if isinstance(mine, Section) or isinstance(theirs, Section):
            continue
        a, b = integer_value(scope, mine), integer_value(scope, theirs)
        if a is not None and b is not None and a != b:
            return True
    return False


def has_constant_shape(scope: Scope, symbol: Symbol) -> bool:
    """All bounds of an explicit-shape array are constants."""
    return all(
        dim.shape is Shape.EXPLICIT
        and (dim.lower is None or integer_value(scope, dim.lower) is not None)
        and dim.upper is not None
        and integer_value(scope, dim.upper) is not None
        for dim in symbol.dims
    )
