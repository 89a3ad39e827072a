"""Which operations and assignments are intrinsic, by the types of their operands.

No interface may redefine them for these types and ranks (Fortran 2018, 15.4.3.4.2 and 15.4.3.4.3):
where an operation is intrinsic (10.1.5), no procedure of the program stands behind it.
"""

from collections.abc import Sequence

from acclimate.analysis.names.expression_types import ExprType

ASSIGNMENT = "assignment(=)"
_NUMERIC = frozenset({"integer", "real", "complex"})
_ORDERED = frozenset({"integer", "real"})
_EQUALITIES = frozenset({"==", "/="})
_COMPARISONS = frozenset({"<", "<=", ">", ">="})
_ARITHMETIC = frozenset({"+", "-", "*", "/", "**"})
_LOGICAL = frozenset({".not.", ".and.", ".or.", ".eqv.", ".neqv."})


def operator_name(operator: str) -> str:
    """The name under which interfaces know an operator."""
    return f"operator({operator})"


def is_operation(name: str) -> bool:
    """Is it the name of an operator or of assignment, and not that of a procedure?"""
    return name.endswith(")") and name.startswith(("operator(", "assignment("))


def is_intrinsic(name: str, operands: Sequence[ExprType]) -> bool:
    """Whether an operation is surely intrinsic; of an assignment the target comes first."""
    types = [operand.type for operand in operands]
    if None in types or not _conform(name, operands):
        return False
    found = {kind for kind in types if kind is not None}
    if name == ASSIGNMENT:
        return found <= _NUMERIC or found in ({"logical"}, {"character"})
    operator = name[len("operator(") : -1]
    if operator in _ARITHMETIC:
        return found <= _NUMERIC
    if operator in _LOGICAL:
        return found == {"logical"}
    if operator == "//":
        return found == {"character"}
    if operator in _EQUALITIES:
        return found <= _NUMERIC or found == {"character"}
    return operator in _COMPARISONS and (found <= _ORDERED or found == {"character"})


def _conform(name: str, operands: Sequence[ExprType]) -> bool:
    ranks = [operand.rank for operand in operands]
    if None in ranks:
        return False
    if name == ASSIGNMENT:
        return ranks[1] in (0, ranks[0])
    return len(set(ranks) - {0}) <= 1
