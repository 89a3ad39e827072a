"""What a call names, and which dummy argument each actual argument is passed to."""

from acclimate.analysis.ir import Component, Expr, Keyword, Name, Unit


def bound_arguments(
    callee: Unit, reference: Expr, args: tuple[Expr, ...]
) -> tuple[tuple[str, Expr], ...]:
    """(dummy, actual) pairs; the object of a type-bound reference is passed first."""
    positional: list[Expr] = [arg for arg in args if not isinstance(arg, Keyword)]
    if isinstance(reference, Component) and _passes_object(callee, len(args)):
        positional.insert(0, reference.base)
    pairs = list(zip(callee.args, positional, strict=False))
    pairs += [(arg.name, arg.value) for arg in args if isinstance(arg, Keyword)]
    return tuple(pairs)


def _passes_object(callee: Unit, given: int) -> bool:
    """A binding without NOPASS: one dummy more, of derived type, at the front."""
    symbol = callee.symbols.get(callee.args[0]) if callee.args else None
    derived = symbol is not None and (symbol.type or "").startswith(("type", "class"))
    return derived and len(callee.args) > given


def spelt(callee: Expr) -> str:
    """A called procedure as the source names it."""
    if isinstance(callee, Name):
        return callee.id
    if isinstance(callee, Component):
        return f"{spelt(callee.base)}%{callee.name}"
    return "the procedure"
