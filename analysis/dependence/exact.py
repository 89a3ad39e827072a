"""Exact test of two references with affine subscripts, as a formula of linear integer arithmetic.

Banerjee's bounds look at one dimension at a time and forget how indices hang together (`c(i, j)`
and `c(j, i)` below the diagonal). Here both iterations are written out: indices in their ranges,
conditions of the path, equal subscripts, and different values of the judged loop's index. If no
integers satisfy that, the references never meet (Pugh, The Omega test, 1991).
"""

from acclimate.analysis.dependence.affine import Affine, AtomKind, Values
from acclimate.analysis.dependence.arrays import LoopRange
from acclimate.analysis.dependence.conditions import Literal, Relation
from acclimate.analysis.dependence.records import Access
from acclimate.analysis.dependence.regions import Extent


def formula(values: Values, loop: LoopRange, one: Access, other: Access) -> str | None:
    """SMT-LIB text that is satisfiable if the references may meet; None: nothing to decide."""
    pairs = [
        (a, b)
        for a, b in zip(one.subscripts, other.subscripts, strict=False)
        if not isinstance(a, Extent) and not isinstance(b, Extent)
    ]
    if not pairs:
        return None
    first, second = _Iteration(values, loop, "x"), _Iteration(values, loop, "y")
    claims = [f"(not (= {first.loop_index} {second.loop_index}))"]
    claims += [f"(= {first.term(a)} {second.term(b)})" for a, b in pairs]
    claims += [*first.conditions(one.conditions), *second.conditions(other.conditions)]
    claims += [*first.ranges(), *second.ranges()]
    names = sorted({*first.names, *second.names})
    declared = [f"(declare-const {name} Int)" for name in names]
    return "\n".join([*declared, *(f"(assert {claim})" for claim in claims), "(check-sat)\n"])


class _Iteration:
    """Names for the values of one iteration; what no iteration changes has one name in both."""

    def __init__(self, values: Values, loop: LoopRange, copy: str) -> None:
        self._values, self._loop, self._copy = values, loop, copy
        self.names: dict[str, None] = {}
        self._inner: dict[int, None] = {}
        self.loop_index = self._name(values.loop)

    def _name(self, number: int) -> str:
        atom = self._values.atom(number)
        name = f"{self._copy if atom.variant else 'v'}{number}"
        self.names[name] = None
        if atom.kind is AtomKind.INNER:
            self._inner[number] = None
        return name

    def term(self, form: Affine) -> str:
        parts = [_number(form.constant)]
        parts += [f"(* {_number(c)} {self._name(number)})" for number, c in form.terms]
        return f"(+ 0 {' '.join(parts)})"

    def conditions(self, literals: tuple[Literal, ...]) -> list[str]:
        """Equalities: references that differ in other conditions stand for one another."""
        found = []
        for literal in literals:
            if literal.relation is Relation.ZERO:
                equal = f"(= {self.term(literal.form)} 0)"
                found.append(equal if literal.positive else f"(not {equal})")
        return found

    def ranges(self) -> list[str]:
        """Bounds of the judged loop's index and of every inner index met."""
        loop = self._loop
        found = self._between(self.loop_index, loop.low, loop.high)
        known: set[int] = set()
        while open_ := [number for number in self._inner if number not in known]:
            for number in open_:
                known.add(number)
                bounds = self._values.ranges[number]
                name = self._name(number)
                found += self._between(name, bounds.low, bounds.high)
                if bounds.first is not None and bounds.step and abs(bounds.step) != 1:
                    found.append(self._stepped(name, bounds.first, bounds.step))
        start = loop.low if (loop.step or 0) > 0 else loop.high
        if loop.step and abs(loop.step) != 1 and start is not None:
            found.append(self._stepped(self.loop_index, start, loop.step))
        return found

    def _between(self, name: str, low: Affine | None, high: Affine | None) -> list[str]:
        found = [] if low is None else [f"(<= {self.term(low)} {name})"]
        return found if high is None else [*found, f"(<= {name} {self.term(high)})"]

    def _stepped(self, name: str, first: Affine, step: int) -> str:
        return f"(= (mod (- {name} {self.term(first)}) {abs(step)}) 0)"


def _number(value: int) -> str:
    return str(value) if value >= 0 else f"(- {-value})"
