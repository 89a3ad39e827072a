"""Which procedures may be compiled as `acc routine seq`, and what they bring along."""

from collections.abc import Iterable

from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.ir import Assignment, Expr, Section, Shape, Symbol, Unit, UnitKind
from acclimate.porter.device.conditional_code import routine_refusal
from acclimate.porter.device.device_code import (
    calls_in,
    has_constant_shape,
    is_table_lookup,
    references_in,
    refusal_in,
)
from acclimate.porter.names.scope import Reference, Scope, Scopes
from acclimate.porter.rewrite import Refusal


class Routines:
    """Answers, once per procedure, whether it may run on the device with all it calls."""

    def __init__(self, scopes: Scopes, excluded: frozenset[str]) -> None:
        self._scopes = scopes
        self._excluded = excluded
        self._refusals: dict[str, Refusal | None] = {}
        self._open: list[str] = []

    def refusal(self, unit: Unit) -> Refusal | None:
        """Why a procedure cannot be a device routine, None if it can."""
        name = self._scopes.project.name_of(unit)
        if name in self._open:
            return Refusal(unit.at, f"'{unit.name}' is recursive", "write the recursion as a loop")
        if name not in self._refusals:
            self._open.append(name)
            self._refusals[name] = self._judge(unit)
            self._open.pop()
        return self._refusals[name]

    def closure(self, names: Iterable[str]) -> tuple[str, ...]:
        """These procedures and all they call, sorted; those of libraries are left out."""
        found: set[str] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name not in found and name in self._scopes.project.units:
                found.add(name)
                scope = self._scopes.of(self._scopes.project.units[name])
                waiting += [call.name for _, call in calls_in(scope, scope.unit.body)]
        return tuple(sorted(found))

    def module_data(self, name: str) -> dict[str, Symbol]:
        """Module variables a routine itself reads, by storage key."""
        scope = self._scopes.of(self._scopes.project.units[name])
        return {
            found.root_key: found.root
            for found in _all_references(scope)
            if _is_module_variable(found)
        }

    def _judge(self, unit: Unit) -> Refusal | None:
        if self._scopes.project.name_of(unit) in self._excluded:
            return Refusal(unit.at, f"'{unit.name}' was turned back to its original", "")
        scope = self._scopes.of(unit)
        return (
            _interface(scope)
            or _locals(scope)
            or refusal_in(scope, unit.body)
            or _outside_data(scope)
            or routine_refusal(self._scopes.conditionals, scope)
            or self._callees(scope)
        )

    def _callees(self, scope: Scope) -> Refusal | None:
        for statement, call in calls_in(scope, scope.unit.body):
            inner = self.refusal(call.candidates[0])
            if inner is not None:
                return inner
            copied = copied_actual(scope, call.candidates[0], call.bindings(call.candidates[0]))
            if copied:
                return Refusal(statement.at, copied, "pass a contiguous part of the array")
        return None


def copied_actual(scope: Scope, callee: Unit, bindings: list[tuple[Symbol, Expr]]) -> str:
    """The complaint about an actual argument that needs a temporary copy, "" if none does."""
    for dummy, actual in bindings:
        found = scope.reference(actual)
        if not dummy.is_array or dummy.dims[0].shape is Shape.ASSUMED:
            continue
        if found is None:
            return f"an expression is passed to the array argument '{dummy.name}'"
        if found.has_section and not is_contiguous(found):
            return f"a part of '{found.designator}' that is not contiguous is passed"
        if any(dim.shape is Shape.ASSUMED for dim in found.symbol.dims) and not found.subscripts:
            return f"assumed-shape '{found.designator}' is passed to explicit shape"
    return ""


def is_contiguous(found: Reference) -> bool:
    """Whole leading dimensions, then one range: contiguous whatever the bounds."""
    ranges_over = False
    for subscript in found.subscripts or ():
        is_range = isinstance(subscript, Section)
        if is_range and ranges_over:
            return False
        if not is_range or subscript != Section(None, None):
            ranges_over = True
        if isinstance(subscript, Section) and subscript.stride is not None:
            return False
    return True


def _interface(scope: Scope) -> Refusal | None:
    unit = scope.unit
    if "recursive" in unit.prefixes:
        return Refusal(unit.at, f"'{unit.name}' is recursive", "write the recursion as a loop")
    for name in unit.args:
        symbol = unit.symbols.get(name)
        if symbol is None:
            return Refusal(unit.at, f"argument '{name}' is not a data object", "")
        if (symbol.type or "").startswith(("type(", "class(")):
            return Refusal(
                symbol.at,
                f"argument '{name}' is a derived-type object",
                "pass its components to procedures called in kernels",
            )
        if symbol.attributes & {"allocatable", "pointer", "optional"}:
            return Refusal(
                symbol.at,
                f"argument '{name}' is allocatable, pointer or optional",
                "pass plain data to procedures called in kernels",
            )
    if unit.kind is UnitKind.FUNCTION:
        result = unit.symbols.get(unit.result or unit.name)
        if result is not None and result.is_array:
            return Refusal(unit.at, f"function '{unit.name}' has an array result", "")
    return None


def _locals(scope: Scope) -> Refusal | None:
    unit = scope.unit
    for name, symbol in sorted(unit.symbols.items()):
        if name in unit.args or symbol.is_parameter or symbol.owner is not unit:
            continue
        if "save" in symbol.attributes or symbol.initial is not None:
            return Refusal(
                symbol.at, f"local '{name}' keeps its value between calls", "pass it as an argument"
            )
        if symbol.common is not None:
            return Refusal(symbol.at, f"'{name}' is in COMMON", "pass it as an argument")
        if symbol.is_array and not has_constant_shape(scope, symbol):
            return Refusal(
                symbol.at,
                f"local array '{name}' has run-time extents",
                "give it a constant size or pass it as an argument",
            )
    return None


def _outside_data(scope: Scope) -> Refusal | None:
    """Data from outside the procedure: only static module data that it does not write."""
    for statement in inside(scope.unit.body):
        written = scope.reference(statement.target) if isinstance(statement, Assignment) else None
        for found in references_in(scope, statement):
            reason = _outside(scope, found, found == written)
            if reason:
                hint = f"pass '{found.designator}' as an argument"
                return Refusal(statement.at, reason, hint)
    return None


def _outside(scope: Scope, found: Reference, is_written: bool) -> str:
    owner = found.root.owner
    if owner is None or owner is scope.unit:
        return ""
    name, procedure = found.designator, scope.unit.name
    if found.root.is_parameter:
        if is_table_lookup(scope, found):
            return f"'{procedure}' indexes the named constant '{name}' of another scope"
        return ""
    if not _is_module_variable(found):
        return f"'{procedure}' uses '{name}' of its host procedure"
    if is_written:
        return f"'{procedure}' writes the module variable '{name}'"
    if found.root.attributes & {"allocatable", "pointer"} or found.is_component:
        return f"'{procedure}' reads the module variable '{name}', which is not static"
    if (found.root.type or "").startswith(("type(", "class(")):
        return f"'{procedure}' reads the module object '{name}'"
    return ""


def _is_module_variable(found: Reference) -> bool:
    owner = found.root.owner
    return owner is not None and owner.kind is UnitKind.MODULE and not found.root.is_parameter


def _all_references(scope: Scope) -> list[Reference]:
    return [
        found for statement in inside(scope.unit.body) for found in references_in(scope, statement)
    ]
