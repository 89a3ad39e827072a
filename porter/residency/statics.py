"""Static module data: entered when the program starts, declared where device routines read it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from acclimate.analysis.ir import Symbol, Unit, UnitKind
from acclimate.analysis.names.namelists import visible_name
from acclimate.analysis.source import Lines
from acclimate.porter.names.scope import Scopes
from acclimate.porter.residency.roots import Root
from acclimate.porter.text.directives_text import clause, directive
from acclimate.porter.text.margins import Margins
from acclimate.porter.text.placement import Insertion, Slot

Bar = Callable[[str, Lines, str], None]


@dataclass(frozen=True, eq=False)
class Statics:
    """Plans the entry of module variables that have neither ALLOCATE nor a procedure to live in."""

    scopes: Scopes
    margins: Margins
    bar: Bar

    def require(self, members: Iterable[Root]) -> None:
        """Members of COMMON blocks are entered by the main program, which has to declare them."""
        programs = {id(u) for u in self.scopes.executable() if u.kind is UnitKind.PROGRAM}
        owners: dict[str, set[int]] = {}
        first: dict[str, Root] = {}
        for root in members:
            first.setdefault(root.node, root)
            owner = root.owner
            owners.setdefault(root.node, set()).add(id(owner))
            if owner.kind is UnitKind.MODULE:  # `entered` sees to it
                owners[root.node] |= programs
        for node, known in sorted(owners.items()):
            if not programs or not programs <= known:
                symbol = first[node].symbol
                reason = f"COMMON /{symbol.common}/ with '{symbol.name}' is not in the main program"
                self.bar(node, symbol.at, reason)

    def declared(self, roots: Iterable[Root]) -> list[tuple[Unit, Insertion]]:
        """DECLARE in the specification part of each module: `copyin` of what has initial values."""
        by_module: dict[int, tuple[Unit, dict[str, list[str]]]] = {}
        for root in roots:
            _, names = by_module.setdefault(id(root.owner), (root.owner, {}))
            kind = "copyin" if _has_value(root.symbol) else "create"
            names.setdefault(kind, []).append(root.symbol.name)
        insertions = []
        for unit, names in by_module.values():
            at = unit.specification_end
            margin, form = self._layout(at)
            clauses = [clause(kind, sorted(names[kind])) for kind in sorted(names)]
            text = directive(("declare", *clauses), margin, form)
            new = Insertion(at.file, at.last + 1, Slot.AFTER, 0, text)
            insertions.append((unit, new))
        return insertions

    def entered(self, roots: Iterable[Root]) -> list[tuple[Unit, Insertion]]:
        """USE lines and one `enter data copyin` at the start of the main program."""
        wanted = sorted(roots, key=lambda root: root.node)
        programs = [unit for unit in self.scopes.executable() if unit.kind is UnitKind.PROGRAM]
        if not wanted:
            return []
        if len(programs) != 1 or not programs[0].body:
            for root in wanted:
                self.bar(root.node, root.symbol.at, "no main program to enter static data in")
            return []
        program = programs[0]
        line = self.scopes.conditionals.before(program.body[0].at, program)
        if line is None:
            for root in wanted:
                self.bar(root.node, root.symbol.at, "the main program begins under a condition")
            return []
        names, uses = [], []
        for root in wanted:
            name = visible_name(self.scopes.project, program, root.symbol)
            if name is None:
                name = f"acc_{root.owner.name}_{root.symbol.name}"
                uses.append((root.owner.name, name, root.symbol.name))
            names.append(name)
        return [(program, new) for new in self._start(program, line, names, uses)]

    def _start(
        self, program: Unit, line: int, names: list[str], uses: list[tuple[str, str, str]]
    ) -> list[Insertion]:
        first = program.body[0].at
        margin, form = self._layout(first)
        blank = " " * margin
        text = directive(("enter data", clause("copyin", names)), margin, form)
        insertions = [Insertion(first.file, line, Slot.ENTRY, -1, text)]
        lines = tuple(
            f"{blank}use {module}, only: {alias} => {name}" for module, alias, name in uses
        )
        if lines:
            head = program.at
            insertions.append(Insertion(head.file, head.last + 1, Slot.AFTER, 0, lines))
        return insertions

    def _layout(self, at: Lines) -> tuple[int, str]:
        return self.margins.of(at.file, at.first), self.margins.form(at.file)


def _has_value(symbol: Symbol) -> bool:
    """The variable has a value before the program's first statement."""
    return symbol.initial is not None or "data" in symbol.attributes


def is_private(root: Root) -> bool:
    """The module does not let anybody else see the variable."""
    module, name = root.owner, root.symbol.name
    return name in module.private or (module.private_default and name not in module.public)
