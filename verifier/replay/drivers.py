"""Fortran text that calls a procedure with the arguments that were written down."""

from collections.abc import Iterator, Mapping

from acclimate.analysis.ir import Symbol, Unit
from acclimate.verifier.capture.exchange import meeting, restoring
from acclimate.verifier.capture.targets import Target
from acclimate.verifier.capture.variables import Leaf, Node, Structure

_RESULT = "acclimate_result"


def driver(number: int, target: Target) -> Iterator[str]:
    """A subroutine beside the procedure: it gives storage to every argument and calls it."""
    unit = target.unit
    name = f"acclimate_drive_{number}"
    yield f'subroutine {name}() bind(c, name="{name}")'
    yield "use, intrinsic :: iso_c_binding, only: c_f_pointer"
    yield "use acclimate_capture"
    for use in unit.uses:
        yield _use(use.module, use.only, use.renames)
    for position, argument in enumerate(target.arguments):
        yield from _declaration(position, argument)
    if target.result is not None:
        yield f"{_type(target.result.symbol)} :: {_RESULT}"
        if unit.parent is None:
            yield f"{_type(target.result.symbol)}, external :: {unit.name}"
    for position, argument in enumerate(target.arguments):
        yield from _values(position, argument)
    call = f"{unit.name}({', '.join(unit.args)})"
    yield f"call {call}" if target.result is None else f"{_RESULT} = {call}"
    yield f"end subroutine {name}"


def replay_main(targets: Mapping[int, Target]) -> Iterator[str]:
    """The program that replays all calls it is told of."""
    yield "program acclimate_replay"
    yield "use acclimate_capture, only: acclimate_next, acclimate_restore"
    yield "implicit none"
    yield "integer :: unit"
    yield "interface"
    for number in targets:
        name = f"acclimate_drive_{number}"
        yield f'subroutine {name}() bind(c, name="{name}")'
        yield f"end subroutine {name}"
    yield "end interface"
    yield "do while (acclimate_next(unit))"
    yield "call acclimate_restore()"
    yield "select case (unit)"
    for number in targets:
        yield f"case ({number})"
        yield f"call acclimate_drive_{number}()"
    yield "end select"
    yield "end do"
    yield "end program acclimate_replay"


def can_be_driven(original: Unit, port: Unit) -> str:
    """Why a port's procedure cannot take the arguments of the original's; "" if it can."""
    if original.args != port.args:
        return "the port's procedure has other arguments"
    return "" if original.kind is port.kind else "the port's procedure is of another kind"


def _use(
    module: str, only: tuple[tuple[str, str], ...] | None, renames: tuple[tuple[str, str], ...]
) -> str:
    pairs = only if only is not None else renames
    text = ", ".join(local if local == name else f"{local} => {name}" for local, name in pairs)
    if only is not None:
        return f"use {module}, only: {text}"
    return f"use {module}, {text}" if text else f"use {module}"


def _type(symbol: Symbol) -> str:
    kind = symbol.type or ""
    if symbol.kind is None or "(" in kind:
        return kind
    return f"{kind}({symbol.kind})" if kind != "character" else f"character(len={symbol.kind})"


def _is_placed(argument: Node) -> bool:
    """Whether storage is given from outside, so that it may be shared with other variables."""
    return (
        isinstance(argument, Leaf)
        and argument.code != "c"
        and not argument.symbol.attributes & {"allocatable", "pointer"}
    )


def _declaration(position: int, argument: Node) -> Iterator[str]:
    assert isinstance(argument, Leaf | Structure)
    name, symbol = argument.expression, argument.symbol
    if isinstance(argument, Structure):
        yield f"{_type(symbol)}, pointer :: {name}"
        return
    shape = f"({', '.join(':' * argument.rank)})" if argument.rank else ""
    if _is_placed(argument):
        kept = ", contiguous" if argument.rank else ""
        yield f"{_type(symbol)}, pointer{kept} :: {name}{shape}"
        if argument.rank:
            yield f"{_type(symbol)}, pointer{kept} :: acclimate_{position}{shape}"
        return
    kind = "pointer" if "pointer" in symbol.attributes else "allocatable"
    if argument.code == "c" and not argument.rank and kind == "allocatable":
        yield f"character(len=:), allocatable :: {name}"
        return
    yield f"{_type(symbol)}, {kind} :: {name}{shape}"


def _values(position: int, argument: Node) -> Iterator[str]:
    assert isinstance(argument, Leaf | Structure)
    name = argument.expression
    if isinstance(argument, Structure):
        yield f"nullify ({name})"
        yield f'if (acclimate_needs("{argument.name}")) then'
        yield f"if (acclimate_here()) allocate ({name})"
        yield "end if"
        yield f"if (associated({name})) then"
        yield from restoring(argument.members)
        yield "end if"
    elif _is_placed(argument):
        yield from _placing(position, argument)
    elif argument.code == "c" and not argument.rank:
        yield f'if (acclimate_needs("{argument.name}")) then'
        yield "if (acclimate_here()) then"
        yield f"allocate (character(len=acclimate_bytes()) :: {name})"
        yield f'call acclimate_scalar("c", int(storage_size({name})), {name})'
        yield "end if"
        yield "end if"
    else:
        yield f'if (acclimate_needs("{argument.name}")) continue'
        yield from meeting(argument, read_back=True)


def _placing(position: int, leaf: Leaf) -> Iterator[str]:
    name, rank = leaf.expression, leaf.rank
    yield f"nullify ({name})"
    yield f'if (acclimate_needs("{leaf.name}")) then'
    yield "if (acclimate_here()) then"
    if rank:
        temporary = f"acclimate_{position}"
        lower = ", ".join(f"acclimate_low({n}):" for n in range(1, rank + 1))
        yield f"call c_f_pointer(acclimate_place(), {temporary}, acclimate_extents({rank}))"
        yield f"{name}({lower}) => {temporary}"
    else:
        yield f"call c_f_pointer(acclimate_place(), {name})"
    yield "end if"
    yield "end if"
