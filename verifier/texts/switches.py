"""Statements that switches bring along: they are asked by directives alone."""

from functools import cache

from acclimate.analysis.switches import DECLARATION, FUNCTION, FUNCTION_LINES
from acclimate.verifier.texts.statements import Statement, read_statements, tokens


def without_switches(statements: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """The statements of a file without the function that tells a switch and its declarations.

    All stay where the function is another one, or where a statement uses its name otherwise.
    """
    if not any(FUNCTION in s.tokens for s in statements):
        return statements
    kept = tuple(s for s in statements if s.unit != FUNCTION and s.tokens != tokens(DECLARATION))
    if len(kept) == len(statements) or any(FUNCTION in s.tokens for s in kept):
        return statements
    function = tuple(s.tokens for s in statements if s.unit == FUNCTION)
    return kept if function in ((), _function()) else statements


@cache
def _function() -> tuple[tuple[str, ...], ...]:
    data = "\n".join(FUNCTION_LINES).encode()
    return tuple(s.tokens for s in read_statements(data, "", "free"))
