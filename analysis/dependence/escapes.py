"""What the statements of a unit let other pointers reach, or make pointers reach other than by
ALLOCATE.

A component is named by its last name alone, whatever the type: `%h` for `state%prog(1)%h`; with
`>` before it where it may be a pointer that changes its target. What appears in no unit's
escapes has storage of its own: as a component of one object it shares none with any other
component, and with the same component of another object all or nothing. A procedure that is not
part of the project reaches pointers through its arguments only.
"""

import re
from collections.abc import Iterable

from acclimate.analysis.dependence.aliasing import Places, Storage
from acclimate.analysis.dependence.arguments import bound_arguments
from acclimate.analysis.dependence.associations import Associations
from acclimate.analysis.dependence.invocations import Invocations
from acclimate.analysis.dependence.statements import inside, own_expressions, parts
from acclimate.analysis.dependence.substitution import replaced
from acclimate.analysis.ir import (
    Allocate,
    Apply,
    Assignment,
    BlockConstruct,
    Component,
    Expr,
    Keyword,
    Name,
    OpaqueStatement,
    PointerAssignment,
    Statement,
    Symbol,
    Unit,
    UnitKind,
)
from acclimate.analysis.names.resolution import Intrinsic, Procedures, TypeName, Variable
from acclimate.analysis.project import Project

EVERYTHING = "*"
MOVED = ">"
_WORD = re.compile(r"[a-z]\w*")
_ADDRESSES = frozenset({"c_loc", "loc", "transfer", "c_f_pointer", "move_alloc", "c_funloc"})
_KEEPING_NOTHING = re.compile(r"p?mpi_(?!alloc_mem|win_|f_sync)")  # addresses it never gives out
_REACHED = frozenset({"pointer", "target"})


def own_name(key: str) -> str:
    """What stands for a place in escapes: the last component, or a variable as a whole."""
    return f"%{key.rpartition('%')[2]}" if "%" in key else key


def escapes(
    project: Project, storage: Storage, invocations: Invocations, unit: Unit
) -> tuple[str, ...]:
    """The escapes of one unit, in order."""
    return tuple(sorted(_Escapes(project, storage, invocations, unit).found))


class _Escapes:
    def __init__(
        self, project: Project, storage: Storage, invocations: Invocations, unit: Unit
    ) -> None:
        self._places, self._types = Places(project, unit, storage), storage.types
        self._project, self._invocations, self._unit = project, invocations, unit
        self._associations = Associations(unit.body)
        self.found: set[str] = set()
        self._declared()
        for statement in inside(unit.body):
            self._statement(statement)

    def _declared(self) -> None:
        for symbol in (s for d in self._unit.types.values() for s in d.components.values()):
            if _has_value(symbol):
                self._initialised(symbol, f"%{symbol.name}")
        for symbol in self._unit.symbols.values():
            if symbol.owner is self._unit and _has_value(symbol):
                self._initialised(symbol, self._places.storage.key(self._unit, symbol))

    def _initialised(self, symbol: Symbol, name: str) -> None:
        """A pointer with a target, or an object with such pointers in it."""
        if "pointer" in symbol.attributes:
            self._add(name)
        elif not (symbol.type or "").startswith(("type", "class")):
            return
        elif self._types.pointers_in(symbol.type) != frozenset():
            self._pointers(symbol.type)
        else:
            return
        if symbol.initial is None:  # but DATA, of which the values are not known
            self.found.add(EVERYTHING)
        else:
            self._all_in(symbol.initial)

    def _statement(self, statement: Statement) -> None:
        match statement:
            case PointerAssignment():
                self._named(statement, statement.target)
                if not _is_null(statement.value):
                    self._named(statement, statement.value, moved=False)
            case Assignment():
                self._copied(statement, statement.target)
            case Allocate():
                if any(option.name in ("source", "mold") for option in statement.options):
                    for item in statement.objects:
                        self._copied(statement, item)
            case BlockConstruct():
                pass
            case OpaqueStatement():
                self._words(statement.text)
        for callee, args in self._invocations.of(statement):
            self._call(statement, callee, args)
        for expr in own_expressions(statement):
            for part in parts(expr):
                if isinstance(part, Apply) and isinstance(part.base, Name):
                    self._applied(statement, part)

    def _applied(self, statement: Statement, part: Apply) -> None:
        """Addresses that are taken, and structure constructors."""
        if not isinstance(part.base, Name):
            return
        if part.base.id in _ADDRESSES:
            self._passed(statement, part.args)
        elif isinstance(self._project.resolve(self._unit, part.base.id), TypeName):
            self._pointers(f"type({part.base.id})")

    def _call(self, statement: Statement, callee: Expr, args: tuple[Expr, ...]) -> None:
        if isinstance(callee, Component) and self._is_array(callee):
            return
        resolution = self._project.procedures(self._unit, callee, args)
        if isinstance(resolution, Intrinsic):
            if resolution.name in _ADDRESSES:
                self._passed(statement, args)
            return
        known = isinstance(resolution, Procedures) and all(
            candidate.kind is not UnitKind.INTERFACE_BODY for candidate in resolution.candidates
        )
        if not isinstance(resolution, Procedures) or not known:
            if not (isinstance(callee, Name) and _KEEPING_NOTHING.match(callee.id)):
                self._passed(statement, args)
            return
        for candidate in resolution.candidates:
            for dummy, actual in bound_arguments(candidate, callee, args):
                symbol = candidate.symbols.get(dummy)
                if candidate.entries or symbol is None or symbol.attributes & _REACHED:
                    plain = symbol is not None and "pointer" not in symbol.attributes
                    moved = bool(candidate.entries) or not plain
                    self._named(statement, actual, moved=moved)

    def _is_array(self, expr: Expr) -> bool:
        """The element of a component looks like a reference of a type-bound function."""
        found = self._places.designator(expr)
        return found is not None and found.last.is_array

    def _passed(self, statement: Statement, args: tuple[Expr, ...]) -> None:
        """To a procedure whose statements are not known."""
        for arg in args:
            self._named(statement, arg)
            self._copied(statement, arg)

    def _copied(self, statement: Statement, expr: Expr) -> None:
        """The pointers in an object may be associated with what those of another one are."""
        expr = expr.value if isinstance(expr, Keyword) else expr
        found = self._places.designator(replaced(expr, self._associations.at(statement)))
        if found is not None and (found.last.type or "").startswith(("type", "class")):
            self._pointers(found.last.type)

    def _named(self, statement: Statement, expr: Expr, *, moved: bool = True) -> None:
        """The storage of a designator; of whatever else, all that is named in it."""
        expr = expr.value if isinstance(expr, Keyword) else expr
        expr = replaced(expr, self._associations.at(statement))
        found = self._places.designator(expr)
        if found is not None:
            self._add(own_name(found.key), moved=moved)
            return
        self._all_in(expr)

    def _all_in(self, expr: Expr) -> None:
        for part in parts(expr):
            if isinstance(part, Component):
                self._add(f"%{part.name}")
            elif isinstance(part, Name):
                self._variable(part.id)

    def _variable(self, name: str) -> None:
        meaning = self._project.resolve(self._unit, name)
        if isinstance(meaning, Variable):
            self._add(self._places.storage.key(self._unit, meaning.symbol))

    def _add(self, name: str, *, moved: bool = True) -> None:
        self.found |= {name, f"{MOVED}{name}"} if moved else {name}

    def _words(self, text: str) -> None:
        """A statement that could not be read may do anything with what is named in it."""
        for word in _WORD.findall(text.lower()):
            self._add(f"%{word}")
            meaning = self._project.resolve(self._unit, word)
            if isinstance(meaning, Variable):
                self._variable(word)
                if (meaning.symbol.type or "").startswith(("type", "class")):
                    self._pointers(meaning.symbol.type)

    def _pointers(self, kind: str | None) -> None:
        names = self._types.pointers_in(kind)
        for name in names or ():
            self._add(f"%{name}")
        self.found |= {EVERYTHING} if names is None else set()


def _has_value(symbol: Symbol) -> bool:
    """By its declaration, and that is not NULL(), or by DATA."""
    given = symbol.initial is not None and not _is_null(symbol.initial)
    return given or "data" in symbol.attributes


def _is_null(expr: Expr) -> bool:
    return isinstance(expr, Apply) and isinstance(expr.base, Name) and expr.base.id == "null"


def program_escapes(found: Iterable[tuple[str, ...]], has_program: bool) -> frozenset[str]:
    """Of all units; everything, where there is no program: callers are not known then."""
    if not has_program:
        return frozenset({EVERYTHING})
    return frozenset().union(*found)
