"""A whole model, read: its units, and what every name and expression in them means."""

from acclimate.analysis.dependence.statements import parts
from acclimate.analysis.facts import ReadingProblem
from acclimate.analysis.ir import (
    Apply,
    Assignment,
    Component,
    DerivedType,
    Expr,
    InputOutput,
    Name,
    Symbol,
    Unit,
    UnitKind,
    Unreadable,
)
from acclimate.analysis.names.dispatch import Callee, Dispatch
from acclimate.analysis.names.expression_types import ExpressionTypes
from acclimate.analysis.names.resolution import Resolution
from acclimate.analysis.names.storage import storage_key
from acclimate.analysis.names.symbols import SymbolTable, has_implicit_none
from acclimate.analysis.reader.reading import FileUnits, read
from acclimate.analysis.source_texts import SourceTexts, source_texts
from acclimate.analysis.tree.manifest import Manifest
from acclimate.analysis.view.normalising import view_of

_NESTED_FUNCTIONS = 20


class Project:
    """All program units of a model with their symbol table.

    `units` holds every unit by qualified name, contained procedures included and interface bodies
    left out; where build variants define a name twice, the first file in the manifest wins the
    plain name and the others are `name@file`.
    """

    def __init__(self, manifest: Manifest, texts: dict[str, bytes], files: dict[str, FileUnits]):
        self.manifest = manifest
        self.root = manifest.root
        self.texts = texts
        self.units: dict[str, Unit] = {}
        self._names: dict[int, str] = {}
        self._files = {file: list(found.units) for file, found in files.items()}
        self._home = {id(u): file for file, units in self._files.items() for u in units}
        problems = [p for found in files.values() for p in found.problems]
        for unit in (u for units in self._files.values() for u in units):
            self._register(unit, problems)
        self._table = SymbolTable(u for units in self._files.values() for u in units)
        self.modules = self._table.modules
        self._types = ExpressionTypes(self._table, self._table.resolve)
        self._dispatch = Dispatch(self._table, self._types, self.units.values())
        self._storage: dict[int, str] = {}
        self._settle(files)
        self.problems: tuple[ReadingProblem, ...] = tuple(
            sorted(problems, key=lambda p: (p.at, p.reason))
        )

    def _register(self, unit: Unit, problems: list[ReadingProblem]) -> None:
        name = unit.qualified_name
        if name in self.units:
            first = self.units[name]
            note = f"{unit.kind.value} '{name}' is defined again (first at {first.at})"
            problems.append(ReadingProblem(unit.at, note))
            name = f"{name}@{unit.at.file}"
        self.units[name] = unit
        self._names[id(unit)] = name
        for inner in unit.units.values():
            self._register(inner, problems)

    # --- what only the whole project can tell ---------------------------------------------------

    def _settle(self, files: dict[str, FileUnits]) -> None:
        for unit in self.units.values():
            if "module procedure" in unit.prefixes:
                self._adopt_interface(unit)
        for unit in self.units.values():
            self._find_statement_functions(unit)
            _bound_statement_functions(unit)
        for found in files.values():
            for unit, statement, expr in found.io_units:
                self._settle_internal_file(unit, statement, expr)

    def _adopt_interface(self, unit: Unit) -> None:
        """A separate module procedure takes arguments and declarations from its interface."""
        host = self._table.host(unit)
        while host is not None:
            body = host.interfaces.get(unit.name)
            if body is not None:
                unit.args, unit.result = list(body.args), body.result
                if body.name in body.symbols or body.result is not None:
                    unit.kind = UnitKind.FUNCTION
                for name, symbol in body.symbols.items():
                    unit.symbols.setdefault(name, symbol)
                return
            host = self._table.host(host)

    def _find_statement_functions(self, unit: Unit) -> None:
        """Leading assignments to `f(x)` where `f` is no array."""
        while unit.body:
            statement = unit.body[0]
            if not isinstance(statement, Assignment) or not isinstance(statement.target, Apply):
                return
            base, args = statement.target.base, statement.target.args
            names = tuple(arg.id for arg in args if isinstance(arg, Name))
            if not isinstance(base, Name) or len(names) != len(args):
                return
            symbol = unit.symbols.get(base.id)
            if symbol is None:
                known = self._table.elsewhere(unit, base.id)
                if known is not None or has_implicit_none(unit):
                    return
            elif symbol.is_array or symbol.attributes & {"pointer", "allocatable", "result"}:
                return
            unit.statement_functions[base.id] = (names, statement.value)
            unit.body.pop(0)

    def _settle_internal_file(self, unit: Unit, statement: InputOutput, expr: Expr) -> None:
        if self._types.of(unit, expr).type == "character":
            statement.writes = (*statement.writes, expr)

    def fill(self, file: str, found: FileUnits) -> None:
        """Give the units of a file, known without their statements so far, their statements.

        `found` is the file read again: the same units from the same text.
        """
        known: dict[int, Unit] = {}
        for unit, read_again in zip(self._files[file], found.units, strict=True):
            self._fill_unit(unit, read_again, known)
        for unit, statement, expr in found.io_units:
            self._settle_internal_file(known[id(unit)], statement, expr)

    def _fill_unit(self, unit: Unit, read_again: Unit, known: dict[int, Unit]) -> None:
        known[id(read_again)] = unit
        unit.body = read_again.body
        self._find_statement_functions(unit)
        _bound_statement_functions(unit)
        for inner, again in zip(unit.units.values(), read_again.units.values(), strict=True):
            self._fill_unit(inner, again, known)

    # --- questions -----------------------------------------------------------------------------

    def resolve(self, unit: Unit, name: str) -> Resolution:
        """The meaning of a name in a unit; implicit typing gives a Variable the unit owns."""
        return self._table.resolve(unit, name)

    def procedures(self, unit: Unit, callee: Expr, args: tuple[Expr, ...]) -> Callee:
        """The procedures a CALL or function reference may reach.

        Generics are narrowed by number, keyword names, type, kind and rank of the arguments; all
        candidates that remain possible are given.
        """
        return self._dispatch.procedures(unit, callee, args)

    def component(self, unit: Unit, expr: Component) -> Symbol | None:
        """The component's symbol; None when the base's type is unknown or the name is a binding."""
        return self._types.component(unit, expr)

    def derived_type(self, unit: Unit, kind: str | None) -> tuple[DerivedType, Unit] | None:
        """The definition behind `type(t)` or `class(t)` seen from a unit, and the unit it is in."""
        return self._types.derived_type(unit, kind)

    def rank(self, unit: Unit, expr: Expr) -> int | None:
        """The rank of an expression; None when it cannot be told."""
        return self._types.of(unit, expr).rank

    def type_of(self, unit: Unit, expr: Expr) -> str | None:
        """The type of an expression: "real", "type(t)", ...; None when it cannot be told."""
        return self._types.of(unit, expr).type

    def storage_key(self, unit: Unit, symbol: Symbol) -> str:
        """See `storage.storage_key`; cached."""
        key = self._storage.get(id(symbol))
        if key is None:
            key = self._storage[id(symbol)] = storage_key(unit, symbol)
        return key

    def name_of(self, unit: Unit) -> str:
        """The key of a unit in `units`."""
        return self._names.get(id(unit), unit.qualified_name)

    def entries_of(self, unit: Unit) -> tuple[str, ...]:
        """Names of the ENTRY statements of an outermost unit."""
        return self._table.entries_of(unit)

    def seen_everywhere(self) -> list[Unit]:
        """Units that may decide a call in any unit: with extended types, or submodules."""
        return [
            unit
            for unit in self.units.values()
            if unit.kind is UnitKind.SUBMODULE or any(t.extends for t in unit.types.values())
        ]

    def file_of(self, unit: Unit) -> str:
        """The source file of an outermost unit, which may stand in a file that it includes."""
        return self._home[id(unit)]

    def file_units(self, file: str) -> list[Unit]:
        """The outermost units of a file, in order."""
        return self._files.get(file, [])

    def form(self, file: str) -> str:
        """ "fixed" or "free"."""
        return self.manifest.form(file)


def _bound_statement_functions(unit: Unit) -> None:
    """Only those defined before may be referenced: no circle, and no nest too deep to walk."""
    depths: dict[str, int] = {}
    for name, (arguments, value) in unit.statement_functions.items():
        named = {part.base for part in parts(value) if isinstance(part, Apply)}
        called = {n.id for n in named if isinstance(n, Name)} & unit.statement_functions.keys()
        if called <= depths.keys():
            depths[name] = 1 + max((depths[c] for c in called), default=0)
        if depths.get(name, _NESTED_FUNCTIONS) >= _NESTED_FUNCTIONS:
            depths.pop(name, None)
            told = Unreadable(f"statement functions in '{name}' are nested too deeply")
            unit.statement_functions[name] = (arguments, told)


def read_project(manifest: Manifest) -> Project:
    """Read every source file of a model.

    Raises:
        Problem: a file needs the C preprocessor and there is none.
    """
    return project_of(manifest, source_texts(manifest))


def project_of(manifest: Manifest, sources: SourceTexts) -> Project:
    """The project that these texts are; what they include is read from the disk."""
    files = {
        file: read(view_of(manifest, file, sources.texts[file]))
        if file in sources.texts
        else FileUnits((), (sources.unreadable[file],), ())
        for file in manifest.sources
    }
    return Project(manifest, sources.texts, files)
