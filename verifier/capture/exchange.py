"""Fortran text that shows variables to the capture module, which writes, reads or measures them."""

from collections.abc import Iterator, Sequence

from acclimate.verifier.capture.variables import Blocked, Leaf, Node, Structure

_NAMES = (
    *("on", "enter", "entered", "leave", "left", "loads", "meets", "here", "low", "high"),
    *("bytes", "scalar", "array", "gone", "mark", "spoil", "mend"),
)


def meeting(found: Node, *, read_back: bool = False) -> Iterator[str]:
    """Statements, one a string, by which a variable is exchanged; none for what is blocked.

    Only with `read_back` is it allocated where a replay needs it: arguments may be INTENT(IN).
    """
    if isinstance(found, Blocked):
        return
    optional = "optional" in found.symbol.attributes
    if optional:
        yield f"if (present({found.expression})) then"
    if isinstance(found, Structure):
        yield f'if (acclimate_meets("{found.name}")) call acclimate_mark(.true.)'
        for member in found.members:
            yield from meeting(member, read_back=read_back)
    else:
        yield from _leaf(found, read_back)
    if optional:
        code = "t" if isinstance(found, Structure) else found.code
        yield "else"
        yield f'if (acclimate_meets("{found.name}")) call acclimate_gone("{code}", 0)'
        yield "end if"


def restoring(nodes: Sequence[Node]) -> Iterator[str]:
    """The same in a replay, with everything overwritten before it gets its value."""
    yield "call acclimate_spoil()"
    for found in nodes:
        yield from meeting(found)
    yield "call acclimate_mend()"
    for found in nodes:
        yield from meeting(found, read_back=True)


def _leaf(leaf: Leaf, read_back: bool) -> Iterator[str]:
    attributes, e = leaf.symbol.attributes, leaf.expression
    if not attributes & {"allocatable", "pointer"}:
        yield f'if (acclimate_meets("{leaf.name}")) {_exchange(leaf)}'
        return
    is_pointer = "pointer" in attributes
    there = f"associated({e})" if is_pointer else f"allocated({e})"
    yield f'if (acclimate_meets("{leaf.name}")) then'
    if read_back:
        yield "if (acclimate_loads()) then"
        yield f"nullify ({e})" if is_pointer else f"if ({there}) deallocate ({e})"
        yield f"if (acclimate_here()) {_allocate(leaf)}"
        yield "end if"
    yield f"if ({there}) then"
    yield _exchange(leaf)
    yield "else"
    yield f'call acclimate_gone("{leaf.code}", {leaf.rank})'
    yield "end if"
    yield "end if"


def _exchange(leaf: Leaf) -> str:
    e, bits = leaf.expression, f"int(storage_size({leaf.expression}))"
    if not leaf.rank:
        return f'call acclimate_scalar("{leaf.code}", {bits}, {e})'
    together = f"merge(1, 0, is_contiguous({e}))"
    sizes = f"int(lbound({e})), int(shape({e}))"
    return f'call acclimate_array("{leaf.code}", {bits}, {leaf.rank}, {sizes}, {together}, {e})'


def _allocate(leaf: Leaf) -> str:
    length = ""
    if leaf.code == "c" and (leaf.symbol.kind or "").strip() == ":":
        length = "character(len=acclimate_bytes()) :: "
    return f"allocate ({length}{leaf.expression}{_bounds(leaf.rank)})"


def _bounds(rank: int) -> str:
    if not rank:
        return ""
    pairs = (f"acclimate_low({n}):acclimate_high({n})" for n in range(1, rank + 1))
    return f"({', '.join(pairs)})"


def use_line() -> str:
    """The USE statement of an instrumented procedure."""
    names = ", ".join(f"acclimate_{name}" for name in _NAMES)
    return f"use acclimate_capture, only: {names}"


def module_state(number: int, state: Sequence[Node]) -> Iterator[str]:
    """A procedure of a module that exchanges the module's variables."""
    yield f'subroutine acclimate_state_{number}() bind(c, name="acclimate_state_{number}")'
    yield use_line()
    for found in state:
        yield from meeting(found, read_back=True)
    yield f"end subroutine acclimate_state_{number}"
