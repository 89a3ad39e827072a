"""What a statement may change or read of a scalar, by its name or through what it calls."""

from collections.abc import Iterable, Iterator

from acclimate.analysis.dependence.lifetimes import is_saved
from acclimate.analysis.dependence.statements import (
    bodies,
    inside,
    own_expressions,
    parts,
)
from acclimate.analysis.ir import (
    Apply,
    Assignment,
    Binary,
    BlockConstruct,
    Call,
    Component,
    Continue,
    Do,
    Expr,
    Forall,
    If,
    InputOutput,
    Jump,
    Name,
    OpaqueStatement,
    Statement,
    Symbol,
    Unary,
    Unit,
    Where,
)
from acclimate.analysis.names.resolution import Intrinsic, Variable
from acclimate.analysis.project import Project

_ALIASED = frozenset({"pointer", "target", "volatile", "asynchronous"})
_WORDS = frozenset({".and.", ".or.", ".not.", ".eqv.", ".neqv."})


def names_of(expr: Expr) -> frozenset[str]:
    """All names in an expression."""
    return frozenset(part.id for part in parts(expr) if isinstance(part, Name))


def overloads(project: Project) -> bool:
    """Whether operators or assignment may be procedures of the model."""
    return any(
        name.startswith(("operator", "assignment"))
        for unit in project.units.values()
        for name in (*unit.generics, *(n for t in unit.types.values() for n in t.generic_bindings))
    )


class Touching:
    """Answers for the statements of one unit; what is not understood may do anything."""

    def __init__(self, project: Project, unit: Unit) -> None:
        self._project, self._unit = project, unit
        self._overloads = overloads(project)
        self._inner = frozenset[str]().union(*(each.mentioned for each in unit.units.values()))

    def may_change(self, statement: Statement, name: str) -> bool:
        """Whether the statement itself, without those inside it, may give `name` another value."""
        match statement:
            case Do():
                set_here = statement.index == name
            case Assignment():
                set_here = _root(statement.target) == name or self.is_aliased(name)
            case If() | Where() | Forall() | BlockConstruct() | Continue():
                set_here = False
            case OpaqueStatement():
                return True
            case _:
                named = any(name in names_of(expr) for expr in own_expressions(statement))
                set_here = named or self.is_aliased(name) or name in self._group(statement)
        return set_here or self._may_be_handed(statement, name)

    def may_read(self, statement: Statement, wanted: frozenset[str]) -> frozenset[str]:
        """Those of `wanted` that the statement and those inside it may read before setting them."""
        found = _read(statement) & wanted
        for each in inside([statement]):
            if isinstance(each, OpaqueStatement) and not isinstance(each, BlockConstruct):
                return wanted
            found |= wanted & self._group(each)
            if self.may_call(each):
                found |= frozenset(filter(self._is_reachable, wanted))
        return found

    def may_call(self, statement: Statement) -> bool:
        """Whether the statement itself may enter a procedure other than an intrinsic function."""
        return isinstance(statement, Call) or any(self._entered(statement))

    def is_aliased(self, name: str) -> bool:
        """Whether the variable may be meant where another name stands."""
        symbol = self._symbol(name)
        if symbol is None or symbol.attributes & _ALIASED:
            return True
        groups = (symbol.owner or self._unit).equivalences
        return any(symbol.name in names_of(each) for group in groups for each in group)

    def has_parts_elsewhere(self, expr: Expr) -> bool:
        """Whether its value may come from a procedure or from what a pointer points to."""
        for part in parts(expr):
            pointed = False
            if isinstance(part, Component):
                symbol = self._project.component(self._unit, part)
                pointed = symbol is None or bool(symbol.attributes & _ALIASED)
            if pointed or self._may_enter(part):
                return True
        return False

    def _may_be_handed(self, statement: Statement, name: str) -> bool:
        """Whether a procedure that is entered gets the variable, or sees it anyway."""
        entered = list(self._entered(statement))
        if any(name in names_of(reference) for reference in entered):
            return True
        return (bool(entered) or isinstance(statement, Call)) and self._is_reachable(name)

    def _is_reachable(self, name: str) -> bool:
        symbol = self._symbol(name)
        if symbol is None or symbol.owner is not self._unit or symbol.common is not None:
            return True
        again = is_saved(symbol) and "recursive" in self._unit.prefixes
        return again or name in self._inner or self.is_aliased(name)

    def _symbol(self, name: str) -> Symbol | None:
        found = self._project.resolve(self._unit, name)
        return found.symbol if isinstance(found, Variable) else None

    def _group(self, statement: Statement) -> frozenset[str]:
        """The variables of the namelist that an I/O statement reads or writes."""
        if not isinstance(statement, InputOutput) or statement.namelist is None:
            return frozenset()
        return frozenset(self._unit.namelists.get(statement.namelist, ()))

    def _entered(self, statement: Statement) -> Iterator[Expr]:
        """References that may be to functions, and operations that may be."""
        if isinstance(statement, Assignment) and self._is_defined(statement.target):
            yield statement.target
            yield statement.value
        for expr in own_expressions(statement):
            yield from (part for part in parts(expr) if self._may_enter(part))

    def _may_enter(self, part: Expr) -> bool:
        match part:
            case Apply(Name(name), _):
                found = self._project.resolve(self._unit, name)
                return not isinstance(found, (Variable, Intrinsic))
            case Apply(Component() as component, _):
                symbol = self._project.component(self._unit, component)
                return symbol is None or symbol.type is None or not _has_parts(symbol)
            case Binary(op, left, right):
                return self._is_user_s(op) or self._is_defined(left) or self._is_defined(right)
            case Unary(op, operand):
                return self._is_user_s(op) or self._is_defined(operand)
        return False

    def _is_user_s(self, op: str) -> bool:
        return op.startswith(".") and op not in _WORDS

    def _is_defined(self, operand: Expr) -> bool:
        """Whether what is done with a value may be a procedure of the model."""
        if not self._overloads:
            return False
        kind = self._project.type_of(self._unit, operand)
        return kind is None or kind.startswith(("type", "class"))


def _read(statement: Statement) -> frozenset[str]:
    """Names that a statement and those inside read, but for indices in their own loops."""
    exprs: Iterable[Expr] = own_expressions(statement)
    if isinstance(statement, Assignment) and isinstance(statement.target, Name):
        exprs = [statement.value]
    found = frozenset[str]().union(*map(names_of, exprs))
    inner = frozenset[str]().union(*(_read(s) for body in bodies(statement) for s in body))
    own = {statement.index} if isinstance(statement, Do) else set()
    return found | (inner - own)


def may_leave(statement: Statement, *, in_loop: bool = False) -> bool:
    """Whether what stands behind the statement may be left out: by a jump, or one to a label."""
    match statement:
        case Jump():
            stays = statement.keyword in ("exit", "cycle") and statement.construct is None
            return not (stays and in_loop)
        case BlockConstruct():
            pass
        case OpaqueStatement():
            return True
    deeper = in_loop or isinstance(statement, Do)
    return any(may_leave(s, in_loop=deeper) for body in bodies(statement) for s in body)


def _root(target: Expr) -> str | None:
    while isinstance(target, Apply | Component):
        target = target.base
    return target.id if isinstance(target, Name) else None


def _has_parts(symbol: Symbol) -> bool:
    return symbol.is_array or (symbol.type or "").startswith("character")
