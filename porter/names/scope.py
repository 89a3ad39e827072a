"""What a name or component means inside one unit, in terms of storage."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from acclimate.analysis.dependence.aliasing import Storage
from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.directives import parse
from acclimate.analysis.ir import (
    Apply,
    Associate,
    Component,
    Expr,
    Name,
    OpaqueStatement,
    Section,
    Statement,
    Symbol,
    Unit,
    UnitKind,
)
from acclimate.analysis.names.resolution import Variable
from acclimate.analysis.project import Project
from acclimate.porter.names.conditionals import Conditionals
from acclimate.porter.text.fortran_text import fortran


@dataclass(frozen=True, slots=True)
class Reference:
    """One data object as an expression names it.

    `node` is the storage it stands for: the storage key of a variable, or `type%component`.
    `designator` is its text in the unit, without the subscripts of its last part; `indices` are
    the subscripts of earlier parts, which are in it (`n` of `s(n)%q`).
    """

    node: str
    designator: str
    symbol: Symbol = field(compare=False)
    root: Symbol = field(compare=False)
    root_key: str
    path: tuple[str, ...] = ()
    subscripts: tuple[Expr, ...] | None = field(default=None, compare=False)
    indices: tuple[Expr, ...] = ()

    @property
    def varying(self) -> bool:
        """Which storage is meant depends on subscripts of a path."""
        return bool(self.indices)

    @property
    def is_component(self) -> bool:
        return bool(self.path)

    @property
    def is_array(self) -> bool:
        return self.symbol.is_array

    @property
    def is_whole(self) -> bool:
        """The whole object is named, not an element or a section of it."""
        return self.subscripts is None or all(s == Section(None, None) for s in self.subscripts)

    @property
    def has_section(self) -> bool:
        return any(isinstance(s, Section) for s in self.subscripts or ())


_WORD = re.compile(r"[a-z]\w*")


class Scope:
    """A unit with the ASSOCIATE names in force, answering what expressions refer to."""

    def __init__(self, scopes: "Scopes", unit: Unit, names: dict[str, Expr]) -> None:
        self.project = scopes.project
        self.unit = unit
        self._scopes = scopes
        self.associated = names
        self.memory: dict[str, dict[int, tuple[Statement, Any]]] = {}
        self._within: dict[int, tuple[Associate, Scope]] = {}
        self._known: dict[int, tuple[Expr, Reference | None]] = {}

    def elsewhere(self, unit: Unit) -> "Scope":
        """The scope of another unit."""
        return self._scopes.of(unit)

    def node(self, symbol: Symbol) -> str:
        """The storage that a variable stands for which is known here."""
        return self._scopes.node(symbol.owner or self.unit, symbol)

    def within(self, construct: Associate) -> "Scope":
        """The scope inside an ASSOCIATE construct."""
        known = self._within.get(id(construct))
        if known is None:
            pairs = construct.associations
            names = {name.lower(): self.expand(selector) for name, selector in pairs}
            inner = Scope(self._scopes, self.unit, self.associated | names)
            known = self._within[id(construct)] = (construct, inner)
        return known[1]

    @cached_property
    def by_line(self) -> dict[tuple[str, int], list[Statement]]:
        """Statements of the unit on a line, in the order of the text, by file and line."""
        busy: dict[tuple[str, int], list[Statement]] = {}
        for statement in inside(self.unit.body):
            for line in range(statement.at.first, statement.at.last + 1):
                busy.setdefault((statement.at.file, line), []).append(statement)
        return busy

    @cached_property
    def compute_regions(self) -> tuple[tuple[int, int], ...]:
        """Lines from a directive that begins a compute construct to the one that ends it."""
        found: list[tuple[int, int]] = []
        first = 0
        for directive in sorted(self.unit.directives, key=lambda d: d.at):
            words = parse(directive).name.split() if directive.sentinel == "acc" else []
            if words[:1] == ["end"] and words[-1] in COMPUTE and first:
                found.append((first, directive.at.last))
                first = 0
            elif len(words) == 1 and words[0] in COMPUTE:
                first = directive.at.first
        return tuple(found)

    def expand(self, expr: Expr) -> Expr:
        """An associate name at the base of a designator, replaced by its selector."""
        match expr:
            case Name(identifier):
                return self.associated.get(identifier, expr)
            case Apply(base, args):
                return Apply(self.expand(base), args)
            case Component(base, name):
                return Component(self.expand(base), name)
            case _:
                return expr

    def words(self, statement: OpaqueStatement) -> frozenset[str]:
        """Every word on the lines of a statement that the reader could not take apart."""
        known = self.project.texts.get(statement.at.file)
        if known is None:
            return frozenset(self.unit.mentioned | self.unit.symbols.keys())
        lines = known.splitlines()
        text = b"\n".join(
            lines[statement.at.first - 1 : max(statement.at.last, statement.end.last)]
        )
        return frozenset(_WORD.findall(text.decode("latin-1").lower()))

    @property
    def component_nodes(self) -> Iterable[str]:
        """`type%component` for every derived type of the project."""
        return self._scopes.component_nodes.values()

    def symbol(self, name: str) -> Symbol | None:
        """The data object a name stands for, None for anything else."""
        resolution = self.project.resolve(self.unit, name)
        return resolution.symbol if isinstance(resolution, Variable) else None

    def reference(self, expr: Expr) -> Reference | None:
        """The data object an expression designates, None for anything that is not a designator."""
        known = self._known.get(id(expr))
        if known is None:
            known = self._known[id(expr)] = (expr, self._reference(self.expand(expr)))
        return known[1]

    def _reference(self, expr: Expr) -> Reference | None:
        match expr:
            case Name(identifier):
                symbol = self.symbol(identifier)
                if symbol is None:
                    return None
                key = self.node(symbol)
                return Reference(key, identifier, symbol, symbol, key)
            case Apply(base, args):
                found = self._reference(base)
                if found is None or not (found.is_array or found.symbol.type == "character"):
                    return None
                if found.subscripts is not None:  # a substring of an element
                    return found
                return _with(found, subscripts=args)
            case Component():
                return self._component(expr)
            case _:
                return None

    def _component(self, expr: Component) -> Reference | None:
        base = self._reference(expr.base)
        symbol = self.project.component(self.unit, expr) if base else None
        if base is None or symbol is None:
            return None
        node = self._scopes.component_nodes.get(id(symbol))
        if node is None:
            return None
        return Reference(
            node=node,
            designator=fortran(expr),
            symbol=symbol,
            root=base.root,
            root_key=base.root_key,
            path=(*base.path, expr.name),
            indices=(*base.indices, *_chosen(base)),
        )


def _chosen(found: Reference) -> tuple[Expr, ...]:
    """The subscripts of a part of a path; where an array has none, all its elements are meant."""
    if found.subscripts is not None:
        return found.subscripts
    return (Section(None, None),) * len(found.symbol.dims)


def _with(found: Reference, subscripts: tuple[Expr, ...]) -> Reference:
    return Reference(
        found.node, found.designator, found.symbol, found.root, found.root_key, found.path,
        subscripts, found.indices,
    )  # fmt: skip


COMPUTE = ("parallel", "kernels", "serial")
Told = TypeVar("Told")


def remembered(function: Callable[[Scope, Statement], Told]) -> Callable[[Scope, Statement], Told]:
    """What a pure function tells of a statement in a scope, worked out once."""
    name = f"{function.__module__}.{function.__qualname__}"

    def recall(scope: Scope, statement: Statement) -> Told:
        memory = scope.memory.setdefault(name, {})
        known = memory.get(id(statement))
        if known is None:
            known = memory[id(statement)] = (statement, function(scope, statement))
        told: Told = known[1]
        return told

    return recall


class Scopes:
    """The scopes of all units of a project, made once."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._made: dict[int, Scope] = {}
        self._storage = Storage(project)

    @cached_property
    def component_nodes(self) -> dict[int, str]:
        """id(component symbol) -> `type%component` for every derived type of the project."""
        return {
            id(symbol): f"{self.project.name_of(unit)}::{derived.name}%{name}"
            for unit in self.project.units.values()
            for derived in unit.types.values()
            for name, symbol in derived.components.items()
        }

    @cached_property
    def conditionals(self) -> Conditionals:
        """What stands under preprocessor conditions."""
        return Conditionals(self.project)

    def of(self, unit: Unit) -> Scope:
        scope = self._made.get(id(unit))
        if scope is None:
            scope = self._made[id(unit)] = Scope(self, unit, {})
        return scope

    def node(self, unit: Unit, symbol: Symbol) -> str:
        """The storage of a variable: its storage key, in a COMMON block the member of the block.

        Where units give the block different layouts, or EQUIVALENCE joins it, it is one piece.
        """
        if symbol.common is not None:
            member = self._storage.key(unit, symbol)
            if "#" in member:
                return member
        return self.project.storage_key(unit, symbol)

    def executable(self) -> list[Unit]:
        """Programs and procedures, sorted by qualified name."""
        kinds = (UnitKind.PROGRAM, UnitKind.SUBROUTINE, UnitKind.FUNCTION)
        units = self.project.units
        return [units[name] for name in sorted(units) if units[name].kind in kinds]
