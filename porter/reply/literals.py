"""Numbers that say something: constants nobody writes by chance."""

import re
from collections.abc import Iterable

from acclimate.analysis.ir import Expr, Literal

_REAL = re.compile(r"(\d*)\.?(\d*)(?:[ed][+-]?\d+)?(?:_\w+)?$")
_DIGITS = 4  # a number of so many significant digits comes from somewhere


def telling_constants(expressions: Iterable[Expr]) -> frozenset[str]:
    """The digits of all real literals with more than a few of them."""
    found = set()
    for expr in expressions:
        if isinstance(expr, Literal) and (match := _REAL.match(expr.text.lower())):
            digits = (match[1] + match[2]).strip("0")
            if len(digits) >= _DIGITS:
                found.add(digits)
    return frozenset(found)
