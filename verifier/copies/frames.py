"""One call of a procedure: which variable each of its names stands for."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from acclimate.analysis.dependence.arguments import bound_arguments
from acclimate.analysis.ir import (
    Apply,
    Binary,
    Component,
    Expr,
    Keyword,
    Literal,
    Name,
    Section,
    Symbol,
    Unit,
    UnitKind,
)
from acclimate.analysis.names.resolution import Procedures, Variable
from acclimate.analysis.project import Project
from acclimate.verifier.copies.regions import FULL, SOMEWHERE, Bound, Loops, Range, Region
from acclimate.verifier.copies.state import Place

_ALIASED = frozenset({"pointer", "target", "volatile", "asynchronous"})
_MODULES = (UnitKind.MODULE, UnitKind.SUBMODULE)


@dataclass(frozen=True, slots=True)
class Reference:
    """A variable as it is named somewhere; not `exact`: only some part of it, not known which.

    `is_component`: it is named as a part of an object. The place of a dummy may be one, too.
    """

    place: Place
    subscripts: tuple[Expr, ...] = ()
    exact: bool = True
    is_array: bool = False
    is_component: bool = False


@dataclass(eq=False)
class Frame:
    """A procedure that is being executed; `calls` are the places of the calls that led to it."""

    project: Project
    unit: Unit
    calls: tuple[tuple[str, int], ...] = ()
    bindings: Mapping[str, Reference | None] = field(default_factory=dict)
    caller: "Frame | None" = None
    named: dict[str, Reference | None] = field(default_factory=dict)  # by ASSOCIATE

    def called(self, callee: Unit, reference: Expr, args: tuple[Expr, ...], line: int) -> "Frame":
        """The frame of a call that stands on `line`."""
        bindings: dict[str, Reference | None] = dict.fromkeys(callee.args)
        for dummy, actual in bound_arguments(callee, reference, args):
            found = self.reference(actual)
            if found is not None:
                exact = found.exact and not found.subscripts
                found = Reference(found.place, (), exact, found.is_array)
            bindings[dummy] = found
        chain = (*self.calls, (self.unit.at.file, line))
        return Frame(self.project, callee, chain, bindings, self)

    def reference(self, expr: Expr) -> Reference | None:
        """The variable behind a designator; None for a value, a constant, what may be aliased."""
        match expr:
            case Keyword():
                return self.reference(expr.value)
            case Name():
                return self._name(expr.id)
            case Component():
                return self._component(expr)
            case Apply():
                base = self.reference(expr.base)
                if base is None or not base.is_array:
                    return None
                exact = base.exact and not base.subscripts
                return replace(base, subscripts=expr.args, exact=exact)
        return None

    def is_data(self, expr: Expr) -> bool:
        """Whether what stands before the parentheses is an array and no function."""
        if isinstance(expr, Component):
            return self.project.component(self.unit, expr) is not None
        if isinstance(expr, Name):
            meaning = self.project.resolve(self.unit, expr.id)
            return isinstance(meaning, Variable) and meaning.symbol.is_array
        return False

    def _name(self, name: str) -> Reference | None:
        if name in self.named:
            return self.named[name]
        meaning = self.project.resolve(self.unit, name)
        if not isinstance(meaning, Variable) or meaning.symbol.is_parameter:
            return None
        symbol = meaning.symbol
        owner = symbol.owner or self.unit
        frame = self._of(owner)
        if frame is not None and symbol.name in owner.args:
            return frame.bindings.get(symbol.name)
        if symbol.attributes & _ALIASED or symbol.common is not None or owner.equivalences:
            return None
        root = self.project.storage_key(self.unit, symbol)
        if owner.kind not in _MODULES and not _is_kept(symbol):
            root = f"{root}@{frame.calls if frame else ''}"
        return Reference(Place(root), is_array=symbol.is_array)

    def _of(self, owner: Unit) -> "Frame | None":
        """The newest call of a procedure whose variables are seen here."""
        frame: Frame | None = self
        while frame is not None and frame.unit is not owner:
            frame = frame.caller
        return frame

    def _component(self, expr: Component) -> Reference | None:
        base = self.reference(expr.base)
        symbol = self.project.component(self.unit, expr)
        if base is None or symbol is None or symbol.attributes & _ALIASED:
            return None
        if base.subscripts or not base.exact:
            return Reference(base.place, (), False, symbol.is_array, True)
        path = (*base.place.path, expr.name)
        apart = len(path) if "allocatable" in symbol.attributes else base.place.apart
        place = Place(base.place.root, path, apart)
        return Reference(place, is_array=symbol.is_array, is_component=True)

    def region(self, reference: Reference, loops: Loops) -> Region:
        """The elements that a reference touches while the loops around it run."""
        found: list[Range | None] = []
        used: set[str] = set()
        for subscript in reference.subscripts:
            name = subscript.id if isinstance(subscript, Name) else ""
            twice = name in used  # a diagonal
            found.append(SOMEWHERE if twice else self._range(subscript, loops))
            used |= {name} if name else set()
        return tuple(found)

    def _range(self, subscript: Expr, loops: Loops) -> Range | None:
        if isinstance(subscript, Section):
            if subscript.lower is None and subscript.upper is None:
                return FULL
            return SOMEWHERE
        if isinstance(subscript, Name) and subscript.id in loops:
            return loops[subscript.id]
        bound = self.bound(subscript, loops)
        return Range(bound, bound) if bound is not None and not bound[0] else SOMEWHERE

    def bound(self, expr: Expr, loops: Loops) -> Bound | None:
        """A bound that can be compared: a number, a variable, or a variable and a number."""
        match expr:
            case Literal() if expr.text.isdigit():
                return "", int(expr.text)
            case Name() if expr.id not in loops:
                found = self._name(expr.id)
                if found is not None and found.exact:
                    return repr(found.place), 0
                meaning = self.project.resolve(self.unit, expr.id)
                if isinstance(meaning, Variable) and meaning.symbol.is_parameter:
                    return self.project.storage_key(self.unit, meaning.symbol), 0
            case Component():
                found = self.reference(expr)
                return (repr(found.place), 0) if found is not None and found.exact else None
            case Binary() if expr.op in "+-" and isinstance(expr.right, Literal):
                left, right = self.bound(expr.left, loops), self.bound(expr.right, loops)
                if left is not None and right is not None:
                    return left[0], left[1] + (right[1] if expr.op == "+" else -right[1])
        return None

    def procedure(self, callee: Expr, args: tuple[Expr, ...]) -> Unit | None:
        """The one procedure of the project that a reference calls; None: none, or several."""
        found = self.project.procedures(self.unit, callee, args)
        if not isinstance(found, Procedures) or len(found.candidates) != 1:
            return None
        return found.candidates[0]

    def above(self) -> Iterator[Unit]:
        """The procedures that are being executed."""
        frame: Frame | None = self
        while frame is not None:
            yield frame.unit
            frame = frame.caller


def _is_kept(symbol: Symbol) -> bool:
    return "save" in symbol.attributes or symbol.initial is not None


def expression(text: str) -> Expr | None:
    """A variable as a clause names it, `s%qc(1:n)`; which part of it is named is not told."""
    found: Expr | None = None
    for part in text.replace(" ", "").split("%"):
        name, opened, rest = part.partition("(")
        if not name.isidentifier():
            return None
        found = Name(name) if found is None else Component(found, name)
        if opened and not set(rest) <= set(":,)"):
            found = Apply(found, (Name(rest),))
    return found
