"""Where the storage of a class comes from, and whether it is worth the device's memory."""

from dataclasses import dataclass

from acclimate.analysis.ir import Shape, Symbol, Unit, UnitKind
from acclimate.porter.names.constants import integer_value
from acclimate.porter.names.scope import Scope, Scopes

SMALL = 16
"""Elements up to which work on a static module array is not worth a launch."""
TABLE = 1024
"""Elements up to which a list in a module may be a table of settings that both sides read."""


@dataclass(frozen=True, eq=False)
class Root:
    """A declaration that owns storage: anything but a dummy argument."""

    node: str
    symbol: Symbol
    owner: Unit
    is_component: bool = False


class Roots:
    """All roots of a project by storage node."""

    def __init__(self, scopes: Scopes) -> None:
        self._scopes = scopes
        self._by_node: dict[str, list[Root]] = {}
        self._in_namelist: set[str] = set()
        for unit in scopes.project.units.values():
            self._add(scopes, unit)

    def of(self, node: str) -> list[Root]:
        return self._by_node.get(node, [])

    def nodes(self) -> list[str]:
        return sorted(self._by_node)

    def is_field(self, node: str) -> bool:
        """Storage that is sized at run time, or large: worth keeping on the device."""
        for root in self.of(node):
            if not root.symbol.is_array or (root.symbol.type or "").startswith("character"):
                continue
            size = self._size(root)
            if size is None or size > SMALL:
                return True
            if root.owner.kind is not UnitKind.MODULE and node not in self._in_namelist:
                return True
        return False

    def is_table(self, node: str) -> bool:
        """A short list in a module, of static storage: settings, coefficients, not a field."""
        return all(
            root.owner.kind is UnitKind.MODULE
            and len(root.symbol.dims) == 1
            and not root.is_component
            and (self._size(root) or TABLE + 1) <= TABLE
            for root in self.of(node)
        )

    def _size(self, root: Root) -> int | None:
        """Number of elements; None when it is known at run time only."""
        scope, total = self._scopes.of(root.owner), 1
        for dim in root.symbol.dims:
            if dim.shape is not Shape.EXPLICIT or dim.upper is None:
                return None
            lower = 1 if dim.lower is None else integer_value(scope, dim.lower)
            upper = integer_value(scope, dim.upper)
            if lower is None or upper is None:
                return None
            total *= max(upper - lower + 1, 0)
        return total

    def _add(self, scopes: Scopes, unit: Unit) -> None:
        scope: Scope = scopes.of(unit)
        for name, symbol in unit.symbols.items():
            if symbol.owner is unit and name not in unit.args and not symbol.is_parameter:
                node = scopes.node(unit, symbol)
                self._by_node.setdefault(node, []).append(Root(node, symbol, unit))
        for derived in unit.types.values():
            for symbol in derived.components.values():
                node = scopes.component_nodes[id(symbol)]
                root = Root(node, symbol, unit, is_component=True)
                self._by_node.setdefault(node, []).append(root)
        for members in unit.namelists.values():
            for name in members:
                found = scope.symbol(name)
                if found is not None:
                    self._in_namelist.add(scopes.node(found.owner or unit, found))
