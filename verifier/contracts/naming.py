"""Names of a kernel and of what it calls: their storage, their constants, their bounds."""

from collections.abc import Set
from dataclasses import dataclass, field

from acclimate.analysis.ir import Apply, Binary, Expr, Literal, Name, Symbol, Unary, Unit
from acclimate.analysis.names.resolution import Variable
from acclimate.analysis.project import Project
from acclimate.verifier.contracts.places import Array, Element, Frame, Known, Place, Scalar
from acclimate.verifier.contracts.shapes import Context, Extent, Extents, Shapes
from acclimate.verifier.contracts.terms import (
    Symbols,
    Term,
    conjunction,
    disjunction,
    minus,
    negative,
    number,
    plus,
    times,
)

OWN = "~"  # begins the keys of variables that a called procedure has for itself


@dataclass(slots=True)
class Naming:
    """`private` are the names that each iteration has a copy of, in the kernel's procedure.

    `axioms` say of arrays that were met which shapes they may have.
    """

    project: Project
    shapes: Shapes
    symbols: Symbols
    private: Set[str]
    axioms: dict[str, str] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)  # of components: their type

    def place(self, frame: Frame, name: str) -> Place | None:
        """What a name stands for; None where it is no variable."""
        if name in frame.bound:
            return frame.bound[name]
        meaning = self.project.resolve(frame.unit, name)
        if not isinstance(meaning, Variable):
            return None
        symbol = meaning.symbol
        owner = symbol.owner or frame.unit
        if symbol.is_parameter and not symbol.is_array:
            value = self.static(Context(owner), Name(name)) if symbol.type == "integer" else None
            return Known(value)
        own = bool(frame.name) and owner is frame.unit and not symbol.attributes & {"save"}
        key = self.project.storage_key(frame.unit, symbol)
        associated = name in _associated(owner)
        if own:
            key = f"{OWN}{frame.name}:{name}"
        elif key.startswith("common:") or associated:
            key = f"{key}::{name}"
        private = own or (not frame.name and name in self.private)
        if not symbol.is_array:
            return Scalar(key, name, symbol.type, private)
        shifting = bool(symbol.attributes & {"pointer", "target"}) or associated
        shifting |= bool(frame.name) and symbol.common is not None
        return Array(key, name, symbol, private, shifting)

    def component(self, base: Place, symbol: Symbol, type_name: str | None) -> Place | None:
        """A component of a variable or of an element of an array of structures."""
        before: tuple[Term, ...] = ()
        conditions: tuple[str, ...] = ()
        if isinstance(base, Element):
            if base.subscripts is None:
                return None
            before, conditions, base = base.subscripts, base.conditions, base.array
        if isinstance(base, Known):
            return None
        key, name = f"{base.key}%{symbol.name}", f"{base.name}%{symbol.name}"
        if type_name is not None:
            self.types[key] = type_name
        if not symbol.is_array and not before:
            return Scalar(key, name, symbol.type, base.is_private)
        shifting = "pointer" in symbol.attributes or getattr(base, "is_shifting", False)
        array = Array(key, name, symbol, base.is_private, shifting)
        if before:
            return Element(array, before, conditions)
        return array

    def constant(self, scalar: Scalar) -> Term:
        """An integer that no iteration changes."""
        return self.symbols.invariant("v", scalar.key)

    # --- bounds ----------------------------------------------------------------------------------

    def bounds(self, array: Array, dimension: int) -> tuple[Term, Term]:
        """Constants for the bounds of one dimension; `axioms` tell what is known of them."""
        if array.key not in self.axioms:
            self.axioms[array.key] = self._axiom(array)
        return self._bound("lower", array, dimension), self._bound("upper", array, dimension)

    def _bound(self, which: str, array: Array, dimension: int) -> Term:
        return self.symbols.invariant("v", f"{which} bound {dimension + 1} of {array.key}")

    def _axiom(self, array: Array) -> str:
        owner = array.symbol.owner
        component = "%" in array.key
        if owner is None and not component:
            return "true"
        unit = owner if owner is not None else next(iter(self.project.units.values()))
        shapes = self.shapes.of(unit, array.symbol, self.types.get(array.key))
        if shapes is None:
            return "true"
        cases = [self._case(array, extents) for extents in shapes]
        return disjunction(cases) if all(case is not None for case in cases) else "true"

    def _case(self, array: Array, extents: Extents) -> str:
        parts = []
        for dimension, extent in enumerate(extents):
            found = self._extent(extent)
            if found is None:
                return "true"
            low, high = found
            parts.append(f"(= {self._bound('lower', array, dimension).text} {low.text})")
            parts.append(f"(= {self._bound('upper', array, dimension).text} {high.text})")
        return conjunction(parts)

    def _extent(self, extent: Extent) -> tuple[Term, Term] | None:
        low = number(1) if extent.lower is None else self.static(extent.context, extent.lower)
        if low is None:
            return None
        if extent.like is not None:
            like = self._extent(extent.like)
            return None if like is None else (low, plus(low, minus(like[1], like[0])))
        high = None if extent.upper is None else self.static(extent.context, extent.upper)
        return None if high is None else (low, high)

    def static(self, context: Context, expr: Expr) -> Term | None:
        """An integer expression of constants; None where it is anything else."""
        match expr:
            case Literal():
                return None if expr.value is None else number(expr.value)
            case Unary() if expr.op in "+-":
                inner = self.static(context, expr.operand)
                return inner if inner is None or expr.op == "+" else negative(inner)
            case Binary() if expr.op in ("+", "-", "*"):
                left = self.static(context, expr.left)
                right = self.static(context, expr.right)
                if left is None or right is None:
                    return None
                if expr.op == "*":
                    return times(self.symbols, left, right)
                return plus(left, right) if expr.op == "+" else minus(left, right)
            case Name():
                return self._static_name(context, expr.id)
        return None

    def _static_name(self, context: Context, name: str) -> Term | None:
        if name in context.actuals and context.caller is not None:
            return self.static(context.caller, context.actuals[name])
        meaning = self.project.resolve(context.unit, name)
        if not isinstance(meaning, Variable) or meaning.symbol.type != "integer":
            return None
        symbol = meaning.symbol
        if symbol.is_parameter:
            owner = Context(symbol.owner or context.unit)
            return None if symbol.initial is None else self.static(owner, symbol.initial)
        key = self.project.storage_key(context.unit, symbol)
        if key.startswith("common:"):
            key = f"{key}::{name}"
        return self.symbols.invariant("v", key)


def _associated(owner: Unit) -> set[str]:
    """Names in EQUIVALENCE statements."""
    found = set()
    for expr in (e for group in owner.equivalences for e in group):
        base = expr
        while isinstance(base, Apply):
            base = base.base
        if isinstance(base, Name):
            found.add(base.id)
    return found
